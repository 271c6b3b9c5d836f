import ArgumentParser
import Drives
import Evaluation
import Navigation
import Programs

/// `reckon score`
struct ScoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score",
    abstract: "Score another system's track against the truth of a drive, beside this engine.",
    discussion: """
      The format is told by what the file holds:

      \(TrackFileFormat.allCases.map { "\($0.rawValue): \($0.summary)" }.joined(separator: "\n"))

      The figures are those of reckon evaluate, by the same code: at the times of the truth where the points of the track are \
      at most 0.5 s apart, else at its own. Nothing is aligned and nothing removed. A track that Reckon itself made is of the \
      IMU: as evaluate does, it is moved to the truth's point by the lever arm in drive.json, with the track's attitude. Any \
      other is taken for one of the truth's point, unless --point says otherwise. How far the track's point lies from the \
      truth's in the car (the lever arm), a fixed offset and a lag are estimated from the errors and reported, with standard \
      deviations; ATE and RPE are those of evo_ape and evo_rpe without alignment.

      Times are taken for what the file says (UTC, GPS time), for UTC where they are over 3e8 s, else for seconds of the drive; \
      UTC needs "start_utc" in drive.json. Metres of TUM and KITTI files are taken for east, north and up of --origin, or of the \
      place in a comment of the file: "# origin LATITUDE LONGITUDE HEIGHT", as reckon replay writes it.

      Exits with 0, with 2 for arguments that cannot be used and with 3 for data that cannot be used.
      """)

  @Argument(help: "The file with the track.") var track: String
  @Option(help: ArgumentHelp("The drive with the truth.", valueName: "folder")) var drive: String?
  @Option(
    help: ArgumentHelp(
      "Another track as the truth, instead of a drive, of any of these formats.", valueName: "file"))
  var truth: String?
  @OptionGroup var output: ReportOptions
  @Option(
    help: ArgumentHelp(
      "What the track's times count, against what the file says: drive, utc or gps.", valueName: "base"))
  var time: String?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Seconds to add to the track's times.", valueName: "seconds"))
  var timeShift =
    0.0
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where the zero of a file in metres lies: degrees and metres above the ellipsoid.",
      valueName: "lat,lon,height"))
  var origin: String?
  @Option(help: ArgumentHelp("The times of KITTI poses, in seconds, one a line.", valueName: "file"))
  var times: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds that two poses may lie apart to be a pair for ATE and RPE.", valueName: "seconds"))
  var pairing = 0.01
  @Option(
    help: ArgumentHelp(
      "The point of the car that the track is of, against what the file says.",
      valueName: "point"))
  var point: TrackCarPoint?
  @Flag(help: "Do not run this engine beside it.") var noEngine = false
  @OptionGroup var axes: IMUFrameOption

  func validate() throws {
    guard (drive == nil) != (truth == nil) else {
      throw ValidationError(
        "Give either --drive, the folder of a drive with truth, or --truth, another track.")
    }
    guard point == nil || drive != nil else {
      throw ValidationError("--point is for --drive, whose drive.json has the lever arm.")
    }
    guard timeShift.isFinite, abs(timeShift) <= 1e10 else {
      throw ValidationError("--time-shift takes a number of seconds.")
    }
    guard pairing >= 0, pairing <= 1 else { throw ValidationError("--pairing takes 0 to 1 seconds.") }
    _ = try base()
    _ = try place()
    try checkOutputs(
      output.files, reading: .file("<track>", track), .drives("--drive", drive.map { [$0] } ?? []),
      .file("--truth", truth), .file("--times", times), .file("--streets", output.streets))
  }

  func run() async throws {
    var evaluation = try evaluation()
    Terminal.endProgress()
    evaluation.provenance = .now(drive: drive ?? truth ?? "", options: ["score", track] + options)
    for remark in evaluation.remarks + (evaluation.figures.track?.notes ?? []) {
      Terminal.error("note: \(remark)")
    }
    let lines = (evaluation.figures.track?.lines ?? []).map { $0 + "\n" }.joined()
    let isSaid = Terminal.output(EvaluationTable.text([evaluation]) + "\n" + lines)
    guard output.write([evaluation], json: EvaluationJSON.text([evaluation])), isSaid else {
      throw ExitStatus.unusableData
    }
  }

  private func evaluation() throws -> DriveEvaluation {
    var file = try TrackFile(path: track)
    (file.origin, file.times) = (try place(), times)
    var evaluator = TrackEvaluator()
    (evaluator.base, evaluator.shift, evaluator.pairing) = (try base(), timeShift, pairing)
    (evaluator.point, evaluator.keepsTrack) = (point, output.needsTracks)
    if let truth {
      var reference = try TrackFile(path: truth)
      (reference.origin, reference.times) = (file.origin, times)
      // Two files in metres need no place on the Earth to be compared.
      if file.isInMetres, reference.isInMetres, file.origin == nil {
        let anywhere = GeodeticPosition(latitude: 0, longitude: 0, height: 0)
        (file.origin, reference.origin) = (anywhere, anywhere)
      }
      return try evaluator.score(file, against: reference)
    }
    let path = drive ?? ""
    let reader = try DriveReader(path: path, imuFrame: try axes.frame())
    var rows = try reader.truth()
    var samples: [TruthSample] = []
    while let sample = try rows.next() { samples.append(sample) }
    guard !samples.isEmpty else { throw EvaluationError.noTruth(path) }
    var settings = EvaluationSettings()
    settings.keepsTracks = output.needsTracks
    // The track first: what is wrong with it is known at once.
    let alone = DriveEvaluation(description: reader.description, figures: EvaluationFigures(), rejections: [])
    let scored = try evaluator.score(file, beside: alone, truth: samples)
    if noEngine { return scored }
    let own = try DriveEvaluator(settings: settings, imuFrame: reader.imuFrame).evaluate(path: path) {
      Terminal.progress("\(path): \(Int($0)) s")
    }
    var figures = own.figures
    figures.track = scored.figures.track
    figures.tracks += scored.figures.tracks
    return DriveEvaluation(description: own.description, figures: figures, rejections: own.rejections)
  }

  private func base() throws -> TrackTimeBase? {
    try time.map { name in
      guard let base = TrackTimeBase(rawValue: name) else {
        throw ValidationError("--time: there is no '\(name)'; it takes drive, utc or gps.")
      }
      return base
    }
  }

  private func place() throws -> GeodeticPosition? {
    try origin.map { text in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
      guard numbers.count == 3,
        case let place = GeodeticPosition(
          latitudeDegrees: numbers[0], longitudeDegrees: numbers[1], height: numbers[2]),
        place.isValid
      else { throw ValidationError("--origin takes latitude, longitude and height: 52.5,13.4,40.") }
      return place
    }
  }

  /// The options that the figures depend on.
  private var options: [String] {
    var options: [String] = []
    if let time { options += ["--time", time] }
    if timeShift != 0 { options += ["--time-shift", "\(timeShift)"] }
    if let origin { options += ["--origin", origin] }
    if let times { options += ["--times", times] }
    if pairing != 0.01 { options += ["--pairing", "\(pairing)"] }
    if let point { options += ["--point", point.rawValue] }
    if noEngine { options.append("--no-engine") }
    if let imuFrame = axes.imuFrame { options += ["--imu-frame", imuFrame] }
    return options
  }
}

extension TrackCarPoint: ExpressibleByArgument {}
