import CLibrary
import NIOCore

/// A report, encoded once for all clients.
struct Frame {
  var json: ByteBuffer
  var nmea: ByteBuffer
}

/// Newest report, clients and terminal. Lives on the event loop.
final class OutputHub {
  let stallLimit: TimeAmount
  let idleLimit: TimeAmount
  /// What requests are answered from.
  private(set) var stored: GPSDSession.State
  private(set) var frame: Frame?
  private(set) var skyLine: ByteBuffer?
  var terminal: PseudoTerminal?

  private let maximumClients: Int
  private var clients: [ObjectIdentifier: ClientHandler] = [:]
  private var isFinishing = false
  private var whenEmpty: EventLoopPromise<Void>?
  private var lastReport: NIODeadline?
  private var lastSky: NIODeadline?

  /// Seconds for which the satellites stand for the fixes: receivers tell of them every few seconds.
  private static let skyLifetime = TimeAmount.seconds(10)

  init(_ settings: CompatibleOutputsSettings) {
    stallLimit = .nanoseconds(Int64(settings.stallLimitSeconds * 1e9))
    idleLimit = .nanoseconds(Int64(settings.idleLimitSeconds * 1e9))
    maximumClients = settings.maximumClients
    let now = SystemClock.nanoseconds(CLOCK_REALTIME)
    stored = GPSDSession.State(
      reports: GPSDReports(device: settings.deviceName), release: settings.release, activated: now, now: now)
  }

  /// ``stored`` as of now.
  var state: GPSDSession.State {
    var state = stored
    state.now = SystemClock.nanoseconds(CLOCK_REALTIME)
    return state
  }

  func publish(_ report: PositionReport) {
    let now = NIODeadline.now()
    var report = report
    if report.sky == nil, let lastSky, now - lastSky < Self.skyLifetime {
      report.sky = stored.sky?.reading
    }
    if let lastReport { stored.interval = Double((now - lastReport).nanoseconds) / 1e9 }
    lastReport = now
    stored.report = report

    let nmea = NMEASentences.sentences(report)
    terminal?.write(nmea)
    guard !clients.isEmpty else {
      frame = nil
      return
    }
    var json = ByteBuffer(bytes: stored.reports.tpv(report))
    json.writeString("\r\n")
    if let att = stored.reports.att(report) {
      json.writeBytes(att)
      json.writeString("\r\n")
    }
    let frame = Frame(json: json, nmea: ByteBuffer(bytes: nmea))
    self.frame = frame
    for client in clients.values { client.deliver(frame) }
  }

  func publish(_ sky: SkyReport) {
    lastSky = .now()
    stored.sky = sky
    var line = ByteBuffer(bytes: stored.reports.sky(sky.reading, utcNanoseconds: sky.utcNanoseconds))
    line.writeString("\r\n")
    skyLine = line
    for client in clients.values { client.deliver(sky: line) }
  }

  /// Whether there is room for one more of its kind. Who only connects keeps nobody out: the one that has
  /// asked for nothing for longest ends for it.
  func admit(_ client: ClientHandler) -> Bool {
    guard !isFinishing else { return false }
    let ofItsKind = clients.values.filter { $0.speaksGPSD == client.speaksGPSD }
    if ofItsKind.count >= maximumClients {
      let idle = ofItsKind.filter(\.isIdle).min { $0.lastRequest < $1.lastRequest }
      guard let idle else { return false }
      clients[ObjectIdentifier(idle)] = nil
      idle.close()
    }
    clients[ObjectIdentifier(client)] = client
    return true
  }

  func remove(_ client: ClientHandler) {
    clients[ObjectIdentifier(client)] = nil
    guard clients.isEmpty else { return }
    whenEmpty?.succeed()
    whenEmpty = nil
  }

  /// Once a second, or oftener where limits are short.
  func check() {
    let now = NIODeadline.now()
    for client in clients.values { client.check(at: now) }
    terminal?.discardInput()
  }

  /// Lets the clients take in what they were sent, until `deadline`; succeeds when all have gone.
  func finish(by deadline: NIODeadline, _ promise: EventLoopPromise<Void>) {
    isFinishing = true
    terminal?.shutDown()
    terminal = nil
    guard !clients.isEmpty else {
      promise.succeed()
      return
    }
    whenEmpty = promise
    for client in clients.values { client.finish(by: deadline) }
  }

  /// Closes every client at once.
  func closeAll() {
    for client in clients.values { client.close() }
  }
}
