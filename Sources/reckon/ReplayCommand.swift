import ArgumentParser
import Drives
import Evaluation
import Fusion
import Live
import Persistence
import Programs
import Recording

/// `reckon replay`
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Play a drive or a recording through the engine as if live, and write the track.",
    discussion: """
      Without --output and --verdicts it prints a summary, what became of a saved state included. Each point of the track is what the engine knew at that time, of the place of the IMU in the car.

      Of a recording (see record) the track holds what live said, to the bit, at moments when live said it: a hundred a second, of which --rate chooses. The display columns depend on the points that were asked for before.

      Exits with 0, with 2 for arguments that cannot be used and with 3 for a drive that could not be used.
      """)

  @Argument(help: "Folder of the drive, or of the recording.") var drive: String
  @Option(
    help: ArgumentHelp(
      "Write the track; the ending chooses \(TrackFormat.endings.joined(separator: ", ")).", valueName: "file"
    ))
  var output: String?
  @Option(
    help: ArgumentHelp(
      "Format of the track, against its ending: also csv-exact, with all digits, and gpx-1.0, with speed and course.",
      valueName: "name"))
  var format: TrackFormat?
  @Option(
    help: ArgumentHelp(
      "Write the time of each point of the track, one a line, for KITTI's poses.", valueName: "file"))
  var times: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("Points a second of the track.", valueName: "hz"))
  var rate = 10.0
  @Option(
    help: ArgumentHelp("Write a line a measurement: what was done with it, and why.", valueName: "file.csv"))
  var verdicts: String?
  @Option(
    help: ArgumentHelp(
      "Start the engine from a saved state, as far as the drive bears it out; cold, with a note, where the file cannot be used.",
      valueName: "file"))
  var warmStart: String?
  @Option(
    help: ArgumentHelp(
      "Save what the engine knows at the end, for --warm-start.", valueName: "file"))
  var saveState: String?
  @OptionGroup var axes: IMUFrameOption
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Which session of a recording, from 1; the last if not given.", valueName: "number"))
  var session: Int?

  func validate() throws {
    guard rate > 0, rate <= 1000 else {
      throw ValidationError("--rate takes a number from above 0 to 1000 Hz.")
    }
    if RecordingFolder.isRecording(drive) {
      guard verdicts == nil, axes.imuFrame == nil else {
        throw ValidationError(
          "--verdicts and --imu-frame are for drives; make one with: reckon import recording.")
      }
    } else if session != nil {
      throw ValidationError("--session is for recordings, and \(drive) holds none.")
    }
    if output == nil, format != nil || times != nil {
      throw ValidationError("--format and --times are for the track of --output.")
    }
    do {
      if let output {
        let format = try format ?? TrackFormat(path: output)
        if RecordingFolder.isRecording(drive), !format.canBeRedated || times != nil {
          throw ValidationError(
            "\(format.rawValue) and --times are for drives; make one with: reckon import recording.")
        }
      }
      try AtomicFile.checkAll(output, verdicts, saveState, times)
      try checkOutputs(
        [("--output", output), ("--times", times), ("--verdicts", verdicts), ("--save-state", saveState)],
        reading: .drives("<drive>", [drive]))
    } catch let error where !(error is ValidationError) { throw ValidationError("\(error)") }
  }

  func run() async throws {
    // Ctrl-C must not leave half a file behind.
    if output != nil || verdicts != nil { StopRequest.watch() }
    if RecordingFolder.isRecording(drive) { return try playRecording() }
    let replay = DriveReplay(
      rate: rate, imuFrame: try axes.frame(), savedState: WarmStart.load(warmStart))
    let summary = try write(replay)
    if let saveState, !WarmStart.save(summary.savedState, to: saveState) { throw ExitStatus.unusableData }
    for remark in summary.remarks { Terminal.error("note: \(remark)") }
    if let output, summary.description.startUTC == nil, try (format ?? TrackFormat(path: output)).hasDates {
      Terminal.error(
        "note: \(output) has no times of day, because drive.json of \(drive) has no start_utc: write it there if you know it, as in "
          + "\"start_utc\": \"2026-03-01T12:00:00.000Z\", and replay again")
    }
    guard output == nil, verdicts == nil else { return }
    if !Terminal.output(summary.text) { throw ExitStatus.unusableData }
  }

  /// Where the track comes from.
  private var provenance: Provenance {
    var options = rate == 10 ? [] : ["--rate", "\(rate)"]
    for (name, value) in [
      ("--imu-frame", axes.imuFrame), ("--warm-start", warmStart), ("--session", session.map(String.init)),
    ] {
      if let value { options += [name, value] }
    }
    return .now(drive: drive, options: options)
  }

  /// Plays the drive; files appear only once they are whole.
  private func write(_ replay: DriveReplay) throws -> DriveReplay.Summary {
    guard let output else { return try play(replay, track: nil) }
    let format = try format ?? TrackFormat(path: output)
    return try AtomicFile.replaceTrack(output) { track in
      guard let times else { return try play(replay, track: (track, format, times: nil)) }
      return try AtomicFile.replaceTrack(times) { try play(replay, track: (track, format, times: $0)) }
    }
  }

  private func play(
    _ replay: DriveReplay, track file: (path: String, format: TrackFormat, times: String?)?
  ) throws -> DriveReplay.Summary {
    // A drive that cannot be read is said before anything is written.
    let start = try DriveReader(path: drive, imuFrame: replay.imuFrame).description.startUTC
    var track = try file.map { file throws in
      try TrackWriter(
        path: file.path, format: file.format, unixTimeOfOrigin: start, times: file.times,
        provenance: provenance)
    }
    var lines = verdicts == nil ? "" : VerdictCSV.header
    var display = DisplayTrack()
    let summary = try replay.run(path: drive) { solution in
      try StopRequest.check()
      try track?.write(solution, display: display.update(solution))
    } verdict: { verdict in
      if verdicts != nil { lines += VerdictCSV.line(verdict) }
    }
    try track?.finish()
    if let verdicts { try AtomicFile.write(lines, to: verdicts) }
    return summary
  }

  private func playRecording() throws {
    let replay = RecordingReplay(rate: rate, savedState: WarmStart.load(warmStart), session: session)
    let summary: RecordingReplay.Summary
    if let output {
      let format = try format ?? TrackFormat(path: output)
      summary = try AtomicFile.replaceTrack(output) { path in
        var track = LiveTrack(path: path, format: format, provenance: provenance)
        let summary = try replay.run(path: drive) {
          try StopRequest.check()
          try track.add($0)
        }
        try track.finish()
        if let why = track.undated { Terminal.error("note: \(output): \(why)") }
        return summary
      }
    } else {
      summary = try replay.run(path: drive)
    }
    if let saveState, !WarmStart.save(summary.status?.savedState, to: saveState) {
      throw ExitStatus.unusableData
    }
    for remark in summary.remarks { Terminal.error("note: \(remark)") }
    guard output == nil else { return }
    if !Terminal.output(summary.text) { throw ExitStatus.unusableData }
  }
}

extension TrackFormat: ExpressibleByArgument {}
