import Drives

extension DriveReport {
  /// The report of an evaluation; it shows tracks if the settings kept them.
  public init(_ evaluation: DriveEvaluation) {
    let (drive, figures) = (evaluation.description, evaluation.figures)
    self.init(
      name: drive.name, kind: drive.kind?.rawValue ?? "unknown", place: drive.place ?? "",
      duration: figures.duration ?? 0, distance: figures.distance ?? 0)
    tracks = figures.tracks
    diagnostics = figures.diagnostics
    scores = [ReportScore(role: .gnss, figures.gnss), ReportScore(role: .causal, figures.causal)]
    if let fixedLag = figures.fixedLag { scores.append(ReportScore(role: .fixedLag, fixedLag)) }
    if let full = figures.full { scores.append(ReportScore(role: .full, full)) }
    if let receiver = figures.receiver { scores.append(ReportScore(role: .receiver, receiver)) }
    if let track = figures.track { scores.append(ReportScore(role: .track, track.score)) }
    outages = figures.outages.map(ReportOutage.init)
    realGaps = figures.realGaps
    isTruthOfTheFixes = drive.truth?.independentOfGNSS == false
    notes = (figures.track?.sentences ?? []) + drive.notes + evaluation.remarks
    provenance = evaluation.provenance
  }
}

extension ReportScore {
  init(role: ReportTrack.Role, _ score: EstimatorScore) {
    self.init(role: role)
    p50 = score.horizontal?.p50
    p68 = score.horizontal?.p68
    p95 = score.horizontal?.p95
    p99 = score.horizontal?.p99
    max = score.horizontal?.max
    rms = score.horizontal?.rms
    speedError = score.speed?.p68
    courseErrorDegrees = score.courseDegrees?.p68
    headingErrorDegrees = score.headingDegrees?.p68
    coverage68 = score.coverage68
    coverage95 = score.coverage95
    availability = score.availability
  }
}

extension ReportOutage {
  init(_ score: OutageScore) {
    self.init(length: score.length, count: score.count)
    p50 = score.endError?.p50
    p95 = score.endError?.p95
    max = score.endError?.max
    percentP50 = score.percentOfDistance?.p50
    percentP95 = score.percentOfDistance?.p95
  }
}
