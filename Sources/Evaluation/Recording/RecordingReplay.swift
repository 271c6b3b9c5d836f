import Fusion
import Live
import Recording
import SensorEvents

/// Plays a recording through the engine that ran live: the same events in the same order, so the same bits.
public struct RecordingReplay: Sendable {
  /// What a replay came to.
  public struct Summary: Sendable {
    /// Which session was played, from 1, and how many there are.
    public var session = 0, sessions = 0
    /// The program that recorded; nil where the recording names none.
    public var program: String?
    /// Events played, and of them samples of each kind.
    public var events = 0, inertialSamples = 0, fixes = 0, wheelSamples = 0, pressureSamples = 0
    /// Seconds from the first event to the last, on the host clock.
    public var duration = 0.0
    /// How everything stood at the end; nil where there was no event.
    public var status: LiveStatus?
    /// What the files held besides good records.
    public var report = RecordingReport()
    /// Whether the first segments have been removed, so that the engine could not begin where live did.
    public var lacksStart = false
    /// How often the engine went on from a state that was recorded, behind something that is missing.
    public var restored = 0
    /// Whether something was missing and no state was there to go on from that this build understands.
    public var isApart = false
  }

  /// Points a second at most; nil for all that live said.
  public var rate: Double?
  /// What the engine starts from; live recordings start from nothing.
  public var savedState: SavedState?
  /// Which session, from 1; the last if nil.
  public var session: Int?

  /// A replay with at most `rate` points a second.
  public init(rate: Double? = nil, savedState: SavedState? = nil, session: Int? = nil) {
    (self.rate, self.savedState, self.session) = (rate, savedState, session)
  }

  /// Plays a session of the recording at `path`: `output` gets what live said, at the
  /// moments when live said it.
  public func run(
    path: String, output: (LiveOutput) throws -> Void = { _ in }
  ) throws -> Summary {
    let (session, number, count) = try Self.choose(self.session, path)
    var summary = Summary(session: number, sessions: count)
    summary.lacksStart = session.lacksStart
    var reader = try RecordingReader(path: path, session: session)
    var engine = LiveEngine(savedState: savedState)
    var (first, last): (Timestamp?, Timestamp?)
    var lastPoint: Timestamp?
    summary.isApart = session.lacksStart
    var faults = 0
    while let entry = try reader.next() {
      guard case .item(let item) = entry else { continue }
      if reader.report.faults > faults {
        faults = reader.report.faults
        summary.isApart = true
      }
      switch item {
      case .configuration(let text):
        summary.program = summary.program ?? LiveRecording.program(text)
        guard summary.events == 0, let configuration = LiveRecording.configuration(text) else { continue }
        engine = LiveEngine(configuration: configuration, savedState: savedState)
      case .event(let event):
        engine.process(event)
        summary.count(event)
        first = first ?? event.arrival
        last = event.arrival
      case .tick(let time):
        guard isDue(time, after: lastPoint) else { continue }
        lastPoint = time
        try output(
          LiveOutput(
            time: time, utc: engine.utc(at: time), solution: engine.solution(at: time),
            newestArrival: engine.newestArrival))
      case .snapshot(let image):
        let isStart = summary.events == 0 && !session.lacksStart && savedState == nil
        if let state = summary.state(image, isStart: isStart) { engine = state }
      case .lost: continue
      }
    }
    // Of several sessions the others may hold what this one does not.
    guard reader.report.records > 0 || count > 1 else { throw EvaluationError.emptyRecording(path) }
    if let first, let last {
      summary.duration = last.seconds(since: first)
      summary.status = engine.status(at: last)
    }
    summary.report = reader.report
    return summary
  }

  /// Whether a point is wanted at a tick; a little early is in time: ticks come at whole
  /// hundredths, more or less.
  private func isDue(_ time: Timestamp, after last: Timestamp?) -> Bool {
    guard let rate, let last else { return true }
    return time.seconds(since: last) >= 1 / rate - 0.002
  }

  /// The session of that number, or the last.
  static func choose(
    _ number: Int?, _ path: String
  ) throws -> (session: RecordingSession, number: Int, count: Int) {
    let sessions = try RecordingSession.all(of: path)
    let number = number ?? sessions.count
    guard sessions.indices.contains(number - 1) else {
      throw EvaluationError.noSuchSession(path: path, number: number, count: sessions.count)
    }
    return (sessions[number - 1], number, sessions.count)
  }
}

extension RecordingReplay.Summary {
  /// The engine that a snapshot has, where it is to be gone on from; where nothing is missing the engine is
  /// in that state already, but for one that began warm.
  fileprivate mutating func state(_ image: EngineImage, isStart: Bool) -> LiveEngine? {
    guard isApart || isStart else { return nil }
    let state = ValueImage.decode(image, as: LiveEngine.self)
    isApart = state == nil
    if state != nil, !isStart { restored += 1 }
    return state
  }

  mutating func count(_ event: SensorEvent) {
    events += 1
    switch event.content {
    case .inertial: inertialSamples += 1
    case .fix: fixes += 1
    case .wheel: wheelSamples += 1
    case .pressure: pressureSamples += 1
    case .sky, .temperature, .clocks, .lost, .status: break
    }
  }

  /// Things worth knowing, a line each.
  public var remarks: [String] {
    var lines = report.remarks
    if restored > 0 {
      lines.append("the engine went on \(restored) times from a recorded state, as live was")
    }
    if isApart {
      lines.append(
        "something is missing, and no recorded state of this build is there behind it: the bits are not those of live"
      )
    }
    if sessions > 1 {
      lines.append("session \(session) of \(sessions) was played; --session N plays another")
    }
    return lines
  }

  /// The summary for people, several lines.
  public var text: String {
    var text = "\(events) events in \(Int(duration.rounded())) s: "
    text += "\(inertialSamples) inertial samples, \(fixes) fixes, \(wheelSamples) wheel speeds"
    text += pressureSamples > 0 ? ", \(pressureSamples) pressures\n" : "\n"
    if let program { text += "recorded by \(program)\n" }
    guard let status else { return text }
    text += LiveView(status).lines.dropFirst().joined(separator: "\n") + "\n"
    return text
  }
}
