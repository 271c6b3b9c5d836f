import ArgumentParser
import CLibrary
import Drives
import Essentials
import Evaluation
import JSON
import Live
import Locks
import Navigation
import Programs
import SensorEvents
import Sensors

/// `reckon doctor`
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find the sensors of this computer, and say what is wrong with them and what to do.",
    discussion: """
      Listens for some seconds, best while the car stands: the accelerometer should then show gravity. It ends within 10 s, \
      whatever does not answer, unless --duration asks for more.

      Exits with 0 where all can be used, with 1 where something cannot, and with 2 for arguments that cannot be used.
      """)

  @OptionGroup var sources: LiveSources
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Listen for so many seconds, 1 to 60.", valueName: "seconds"))
  var duration = 5.0
  @Flag(help: "Write the findings as JSON.") var json = false

  func validate() throws {
    guard duration >= 1, duration <= 60 else { throw ValidationError("--duration takes 1 to 60 seconds.") }
  }

  /// Longest wait for what gpsd and the IMU say of themselves, in seconds: either
  /// answers within a tenth of that.
  private static let lookLimit = 2.5

  func run() throws {
    StopRequest.watch()
    let settings = try sources.settings
    let isLocal = settings.imu?.address == .local
    // Each may hang for as long as it likes.
    let system = try BoundedWork("doctor-sysfs") { SystemFindings.list(usesIIO: isLocal) }
    let listening = duration
    let gpsd = try settings.gpsd.map { address in
      try BoundedWork("doctor-gpsd") { GPSDInspection(address, within: listening).findings(at: address) }
    }
    let imu = try settings.imu.map { imu in
      try BoundedWork("doctor-iio") { IIOInspection(imu).findings(settings: imu) }
    }
    let mailbox = Mailbox()
    let sensors = SensorSet(settings) { mailbox.post($0) }
    try sensors.run([.fix, .wheel, .pressure])
    // Before its reader takes the device.
    let look = imu?.result(within: Self.lookLimit)
    let isHung = imu != nil && look == nil
    if !isHung { try sensors.run() }
    if !json { Terminal.progress("listening for \(Int(duration)) s") }
    let heard = try listen(mailbox, without: isHung ? .inertial : nil)
    var findings = system.result(within: 0.5) ?? Self.hung("kernel", "/sys/bus/iio", "see the end of dmesg")
    if let gpsd {
      findings +=
        gpsd.result(within: 0.5)
        ?? Self.hung("gpsd", settings.gpsd?.endpoint, "check the name service, or write the host's address")
    }
    if let address = settings.imu?.address {
      findings +=
        look
        ?? Self.hung(
          "IMU", address.uri,
          address == .local
            ? "a driver hangs: see the end of dmesg, unload it and load it again"
            : "see whether iiod runs there, start it anew, and look for a firewall on the way")
    }
    findings += Self.unexplained(heard, by: findings)
    sensors.stop(within: 0.5)
    Terminal.endProgress()
    if findings.isEmpty { findings = [Finding("sensors", .fault, "there is none to look at")] }
    let isShown = Terminal.output(json ? Self.document(findings) : Self.page(findings))
    if !isShown { throw ExitStatus.unusableData }
    if findings.contains(where: { $0.grade == .fault }) { throw ExitCode(1) }
  }

  /// What the looks have explained, the readers need not say again.
  private static func unexplained(_ heard: [Finding], by findings: [Finding]) -> [Finding] {
    let explained = Set(findings.filter { $0.grade == .fault }.map(\.subject))
    return heard.filter { finding in
      guard finding.grade == .fault else { return true }
      return !(finding.subject == "receiver" && explained.contains("gpsd"))
        && !(finding.subject == "IMU" && explained.contains("IMU"))
    }
  }

  private static func hung(_ subject: String, _ place: String?, _ remedy: String) -> [Finding] {
    [Finding(subject, .fault, "\(place ?? subject) does not answer in time", remedy: remedy)]
  }

  private func listen(_ mailbox: Mailbox, without absent: SourceRole?) throws -> [Finding] {
    let descriptions = try sources.settings.descriptions.filter { $0.role != absent }
    var examination = Examination(sources: descriptions, inertialRate: sources.imuRate)
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

  private static func document(_ findings: [Finding]) -> String {
    let rows = findings.map {
      JSON.members([
        "subject": .string($0.subject), "grade": .string($0.grade.rawValue), "text": .string($0.text),
        "remedy": .string($0.remedy),
      ])
    }
    // No drive: what stands here is of this computer, now.
    let provenance = Provenance.now(command: configuration.commandName)
    return JSON.members([
      "usable": .bool(!findings.contains { $0.grade == .fault }), "findings": .array(rows),
      "provenance": provenance.json,
    ]).indentedText
  }
}
