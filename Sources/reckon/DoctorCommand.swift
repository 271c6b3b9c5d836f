import ArgumentParser
import Live
import Navigation
import SensorEvents
import Sensors
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// `reckon doctor`
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find the sensors of this computer, and say what is wrong with them and what to do.",
    discussion: """
      Listens for some seconds, best while the car stands: the accelerometer should then show gravity.

      Exits with 0 where all can be used, with 1 where something cannot, and with 2 for arguments that cannot be used.
      """)

  @OptionGroup var sources: LiveSources
  @Option(help: ArgumentHelp("Listen for so many seconds, 1 to 60.", valueName: "seconds")) var duration = 5.0
  @Flag(help: "Write the findings as JSON.") var json = false

  func validate() throws {
    guard duration >= 1, duration <= 60 else { throw ValidationError("--duration takes 1 to 60 seconds.") }
  }

  func run() throws {
    StopRequest.watch()
    let mailbox = Mailbox()
    // Before its reader takes the device.
    let inspection = try sources.imuSettings().map(IIOInspection.init)
    let running = try sources.start { mailbox.post($0) }
    if !json { Terminal.progress("listening for \(Int(duration)) s") }
    var findings = SystemFindings.list(usesIIO: try sources.imuSettings()?.address == .local)
    findings += inspection?.findings ?? []
    findings += try listen(mailbox)
    running.stop()
    Terminal.endProgress()
    if findings.isEmpty { findings = [Finding("sensors", .fault, "there is none to look at")] }
    let isShown = Terminal.output(try json ? Self.document(findings) : Self.page(findings))
    if !isShown { throw ExitStatus.unusableData }
    if findings.contains(where: { $0.grade == .fault }) { throw ExitCode(1) }
  }

  private func listen(_ mailbox: Mailbox) throws -> [Finding] {
    var examination = Examination(sources: try sources.descriptions, inertialRate: sources.imuRate)
    let end = LoopClock.system.now().advanced(bySeconds: duration)
    var next = LoopClock.system.now()
    var batch: [SensorEvent] = []
    while case let now = LoopClock.system.now(), now < end, !StopRequest.isMade {
      batch.removeAll(keepingCapacity: true)
      _ = mailbox.drain(into: &batch, waiting: 0.05)
      if now >= next {
        next = now.advanced(bySeconds: 0.5)
        for kind in [ClockKind.realtime, .monotonic, .tai] {
          let comparison = LoopClock.system.compare(kind)
          examination.take(SensorEvent(source: .loop, arrival: now, content: .clocks(comparison)))
        }
      }
      for event in batch { examination.take(event) }
    }
    return examination.findings(at: LoopClock.system.now())
  }

  private static func page(_ findings: [Finding]) -> String {
    let lines = findings.flatMap { $0.lines() }
    let faults = findings.count { $0.grade == .fault }
    let verdict =
      faults == 0 ? "all can be used" : faults == 1 ? "one fault" : "\(faults) faults"
    return lines.joined(separator: "\n") + "\n\(verdict)\n"
  }

  private struct Row: Encodable {
    var subject, grade, text, remedy: String
  }

  private struct Document: Encodable {
    var usable: Bool
    var findings: [Row]
  }

  private static func document(_ findings: [Finding]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let rows = findings.map {
      Row(subject: $0.subject, grade: $0.grade.rawValue, text: $0.text, remedy: $0.remedy)
    }
    let document = Document(usable: !findings.contains { $0.grade == .fault }, findings: rows)
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }
}
