import ArgumentParser
import CLibrary
import Evaluation
import Live
import Navigation
import Programs
import Recording
import Sensors

/// `reckon record`
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Fuse the sensors of this computer, live, and record all that they say.",
    discussion: """
      As run, and everything goes into a folder of its own: an append-only log that a power cut costs about the last second, in \
      segments of which the oldest go when the whole grows too large. Where the disk is full, recording stops, says so, keeps what \
      is there, and goes on once there is room; fusion goes on meanwhile. A folder with a recording in it is continued by a new session.

      reckon replay FOLDER gives the same bits as live did; reckon import recording FOLDER makes a drive of it.

      Exits with 0, with 2 for arguments that cannot be used and with 3 where something could not be recorded.
      """)

  @Argument(help: "Folder for the recording.") var folder: String
  @OptionGroup var sources: LiveSources
  @Option(parsing: .unconditional, help: ArgumentHelp("End after so many seconds.", valueName: "seconds"))
  var duration: Double?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Largest size of the whole recording.", valueName: "MB"))
  var totalSize = 1024.0
  @Option(parsing: .unconditional, help: ArgumentHelp("Size of a segment.", valueName: "MB"))
  var segmentSize = 16.0
  @Flag(help: "Write a line a second, on a terminal too.") var plain = false
  @OptionGroup var realtime: RealTimeOption

  func validate() throws {
    if let duration, !(duration > 0) { throw ValidationError("--duration takes seconds above 0.") }
    guard segmentSize >= 0.01, segmentSize <= 256, totalSize >= 2 * segmentSize, totalSize <= 1e7 else {
      throw ValidationError("--segment-size takes 0.01 to 256 MB, --total-size at least twice that.")
    }
  }

  func run() throws {
    StopRequest.watch()
    let live = LiveConfiguration(sources: try sources.settings.descriptions)
    let text = LiveRecording.text(live, program: "reckon \(ProgramVersion.text)")
    let writer = try RecordingWriter.opened(folder, text, settings)
    let thread = LiveRecording.loop(
      engine: LiveEngine(configuration: live), writer: writer, configuration: realtime.loop)
    guard thread.start() else { throw NoThread() }
    let sensors = SensorSet(try sources.settings) { [mailbox = thread.mailbox] in mailbox.post($0) }
    try RealTime.forThreads(startedAt: realtime.loop.readerPriority) { try sensors.run() }
    let isHeard = show(thread)
    sensors.stop()
    _ = thread.stop(within: 3)
    for message in thread.messages { Terminal.error("note: \(message)") }
    let isWhole = writer.stop(within: 10)
    let progress = writer.progress
    Terminal.error(
      "\(folder): \(progress.written) items recorded, \(progress.bytes / 1024) KiB in all"
        + (progress.lost > 0 ? ", \(progress.lost) lost" : ""))
    if !isHeard || !isWhole || progress.lost > 0 { throw ExitStatus.unusableData }
  }

  private var settings: RecordingSettings {
    var settings = RecordingSettings()
    settings.segmentBytes = Int(segmentSize * 1024 * 1024)
    settings.totalBytes = Int(totalSize * 1024 * 1024)
    return settings
  }

  /// Shows the state until the end; false where nobody reads standard output any more.
  private func show(_ thread: FusionThread) -> Bool {
    let start = LoopClock.system.now()
    var screen = LiveScreen(plain: plain)
    var shown = start.advanced(bySeconds: -LiveScreen.interval)
    while !StopRequest.isMade {
      let now = LoopClock.system.now()
      if now.seconds(since: start) >= duration ?? .infinity { break }
      if now.seconds(since: shown) >= LiveScreen.interval, let status = thread.status {
        shown = now
        guard screen.show(status) else { return false }
      }
      usleep(20_000)
    }
    return true
  }
}
