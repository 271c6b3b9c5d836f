import ArgumentParser
import CLibrary
import Drives
import Evaluation
import Fusion
import Live
import Locks
import Navigation
import Persistence
import Programs
import Recording
import SensorEvents
import Sensors

/// `reckon run`
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Fuse the sensors of this computer into a position, live.",
    discussion: """
      A receiver known to gpsd and an IMU known to the kernel are found by themselves. On a terminal it shows a picture \
      that is redrawn in place; otherwise it writes a line a second. Sensors that are missing or lost are said, and tried again. \
      Ctrl-C ends it in order; files are whole then.

      Exits with 0, with 2 for arguments that cannot be used, with 3 where a file could not be written, and with 4 where \
      --once found no position.
      """)

  @OptionGroup var sources: LiveSources
  @Option(
    help: ArgumentHelp(
      "Write the track; the ending chooses csv, geojson, kml, gpx or tum.", valueName: "file"))
  var output: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("Points a second of the track.", valueName: "hz"))
  var rate = 10.0
  @Option(
    help: ArgumentHelp(
      "Start from a saved state, as far as the sensors bear it out; cold, with a note, where the file cannot be used.",
      valueName: "file"))
  var warmStart: String?
  @Option(
    help: ArgumentHelp(
      "Save what was learned, every minute and at the end, for --warm-start.", valueName: "file"))
  var saveState: String?
  @Option(
    help: ArgumentHelp(
      "Record all that the sensors say in this folder; see reckon help record.", valueName: "folder"))
  var record: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("End after so many seconds.", valueName: "seconds"))
  var duration: Double?
  @Flag(help: "Write a line a second, on a terminal too.") var plain = false
  @Flag(
    help: "Show one position as soon as there is one, or what is missing after 10 s or --duration, and end.")
  var once = false
  @OptionGroup var realtime: RealTimeOption

  func validate() throws {
    guard rate > 0, rate <= 100 else {
      throw ValidationError("--rate takes a number from above 0 to 100 Hz.")
    }
    if let duration, !(duration > 0) { throw ValidationError("--duration takes seconds above 0.") }
    do {
      if let output, try !TrackFormat(path: output).canBeRedated {
        throw ValidationError("--output: write csv or gpx, whose times can be set once the date is known.")
      }
      try AtomicFile.checkAll(output, saveState)
      // A state may be saved over the one that it was started from.
      try checkOutputs([("--output", output), ("--save-state", saveState), ("--record", record)])
    } catch { throw ValidationError("\(error)") }
  }

  func run() throws {
    StopRequest.watch()
    guard let output else {
      if let end = try run(track: nil) { throw end }
      return
    }
    let format = try TrackFormat(path: output)
    // A track that is whole is kept, however the rest ended.
    var end: ExitCode?
    try AtomicFile.replace(output) { end = try run(track: (path: $0, format: format)) }
    if let end { throw end }
  }

  /// How the command ends once the track is whole; nil for success. Throws where there is none to keep.
  private func run(track file: (path: String, format: TrackFormat)?) throws -> ExitCode? {
    let engine = try engine()
    let writer = try record.map { folder in
      try RecordingWriter.opened(folder, LiveRecording.text(engine.configuration))
    }
    let loop =
      if let writer {
        LiveRecording.loop(engine: engine, writer: writer, configuration: realtime.loop)
      } else {
        FusionThread(engine: engine, loop: realtime.loop)
      }
    guard loop.start() else { throw NoThread() }
    let sensors = SensorSet(try sources.settings) { [mailbox = loop.mailbox] in mailbox.post($0) }
    try RealTime.forThreads(startedAt: realtime.loop.readerPriority) { try sensors.run() }
    var screen = LiveScreen(plain: plain)
    var track = RunTrack(
      LiveTrack(
        path: file?.path ?? "", format: file?.format ?? .csv,
        provenance: .now(command: Self.configuration.commandName)),
      partial: file?.path ?? "", name: output ?? "")
    var ended = Ended()
    var fault: (any Error)?
    do {
      try follow(loop, &ended) { output in
        if file != nil { track.add(output) }
      } show: {
        screen.show($0)
      }
    } catch { fault = error }
    sensors.stop()
    let last = loop.stop(within: 3)
    for message in loop.messages { Terminal.error("note: \(message)") }
    let isRecorded = writer.map { $0.stop(within: 10) && $0.progress.lost == 0 } ?? true
    if file != nil { track.finish() }
    if let output, let why = track.undated { Terminal.error("note: \(output): \(why)") }
    if fault == nil { sayWhatWasWritten(track, writer?.progress) }
    if let fault { throw fault }
    let isSaved = saveState.map { save(last, to: $0) } ?? true
    if once, !ended.hasPosition { throw ExitCode(4) }
    return isSaved && isRecorded && !ended.isDeaf && track.fault == nil ? nil : ExitStatus.unusableData
  }

  /// A line a file, so that nobody has to look for them.
  private func sayWhatWasWritten(_ track: borrowing RunTrack, _ recorded: RecordingProgress?) {
    if let output {
      if let fault = track.fault {
        Terminal.error("error: points are missing: \(fault)")
      } else {
        Terminal.error("\(output): \(track.count) points in \(Int(track.duration.rounded())) s")
      }
    }
    if let record, let recorded {
      Terminal.error("\(record): \(recorded.written) items recorded, \(recorded.bytes / 1024) KiB in all")
    }
  }

  private struct Ended {
    var hasPosition = false
    /// Nobody reads standard output any more.
    var isDeaf = false
  }

  /// Until the end: points to `point`, pictures to `show`, the state to its file.
  private func follow(
    _ loop: FusionThread, _ ended: inout Ended, point: (LiveOutput) throws -> Void,
    show: (LiveStatus) -> Bool
  ) throws {
    let start = LoopClock.system.now()
    let limit = duration ?? (once ? 10 : .infinity)
    var (points, pictures, saves) = (Rhythm(1 / rate), Rhythm(LiveScreen.interval), Rhythm(60))
    _ = saves.isDue(at: start)
    // What subscribers are told is what a recording says was told: a replay gives the same.
    let told = Mutex<LiveOutput?>(nil)
    let subscription = loop.subscribe { output in told.withLock { $0 = output } }
    defer { loop.unsubscribe(subscription) }
    var last: Timestamp?
    while !StopRequest.isMade {
      let now = LoopClock.system.now()
      if now.seconds(since: start) >= limit { break }
      if points.isDue(at: now), let output = told.withLock({ $0 }), output.time != last {
        last = output.time
        try point(output)
      }
      if let status = loop.status {
        ended.hasPosition = status.solution != nil
        if once, ended.hasPosition { break }
        if !once, pictures.isDue(at: now), !show(status) {
          ended.isDeaf = true
          return
        }
        if let saveState, saves.isDue(at: now), let state = status.savedState {
          try? SavedStateFile.write(state, to: saveState, unixTime: status.unixTime)
        }
      }
      usleep(UInt32(min(20_000, 250_000 / rate)))
    }
    if let status = loop.status, !show(status) { ended.isDeaf = true }
  }

  private func engine() throws -> LiveEngine {
    let configuration = LiveConfiguration(sources: try sources.settings.descriptions)
    let now = LoopClock.system.read(.realtime).seconds
    return LiveEngine(configuration: configuration, savedState: WarmStart.load(warmStart, unixTime: now))
  }

  private func save(_ engine: LiveEngine?, to path: String) -> Bool {
    guard let engine else {
      Terminal.error("note: \(path): the engine did not end in time; the state of a minute ago is kept.")
      return true
    }
    let status = engine.status(at: LoopClock.system.now())
    return WarmStart.save(status.savedState, to: path, unixTime: status.unixTime)
  }
}

/// Something done at most every so many seconds.
private struct Rhythm {
  private let interval: Double
  private var last: Timestamp?

  init(_ interval: Double) { self.interval = interval }

  mutating func isDue(at now: Timestamp) -> Bool {
    guard let last else {
      last = now
      return true
    }
    let late = now.seconds(since: last) - interval
    guard late >= 0 else { return false }
    self.last = late < interval ? last.advanced(bySeconds: interval) : now
    return true
  }
}

extension LiveStatus {
  /// Seconds since 1970 by the receiver; nil where only the computer's clock tells,
  /// which may be off by years.
  fileprivate var unixTime: Double? { utc.flatMap { $0.authority == .system ? nil : $0.time.seconds } }
}
