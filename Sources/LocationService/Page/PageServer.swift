import JSON
import Location
import Navigation

/// What the live page shows, and who looks at it. Lives on the host's event loop.
///
/// It is one client of the hub, of the service's own user, and while anybody looks it is connected as
/// every other: so it is told what it may know, needs the sensors, and is in the audit. Of what
/// others need it keeps the last ten minutes, as long as it may know the exact place; the moment it
/// may not, it forgets all of it.
final class PageServer {
  /// By which name it is authorized.
  static let name = "reckon-live-page"
  /// Pages at once.
  static let mostStreams = 8
  /// Seconds for which a page may take nothing.
  static let patience = 10.0
  /// Times round the loop from one event to the next: five a second.
  private static let beats = 2
  /// Points in one event.
  private static let batch = 300
  /// Seconds between points of the track.
  private static let spacing = 0.5

  /// How far one stream has been told.
  struct Told {
    fileprivate var point = 0, fix = 0, details = 0, epoch = 0
  }

  private struct Point {
    var coordinate: Coordinate
    var radius: Double
    var speed: Double?
    var mode: NavigationMode?
  }

  let token = PageToken()
  /// What is drawn under the track.
  let streets: PageStreets
  /// Tiles that are being read.
  var tilesAsked = 0
  private var client: HubClient
  private var waiting = WaitingRoom()
  private var streams: [PageHandler] = []
  private var track = Recent<Point>(most: 1300)
  private var fixes = Recent<EngineDetails.Fix>(most: 6000)
  private var details = (number: 0, json: JSON.null)
  /// Counts how often all was forgotten.
  private var epoch = 1
  private var beat = 0

  /// The page of a service that runs as `user`.
  init(user: UInt32, streets: PageStreets) {
    self.streets = streets
    client = HubClient(name: Self.name, user: user, purpose: "shows where the car is in a browser")
  }

  // MARK: Who looks

  /// A connection that has not asked yet.
  func wait(_ handler: PageHandler) {
    waiting.enter(handler)?.close()
  }

  /// One that has shown the token asks for events; false where too many do.
  func open(_ handler: PageHandler, _ hub: inout Hub) -> Bool {
    guard streams.count < Self.mostStreams else { return false }
    waiting.leave(handler)
    streams.append(handler)
    client.connect(&hub)
    refresh(&hub)
    if let id = client.id, client.isExact { hub.noteTold(id, track.count) }
    return true
  }

  func close(_ handler: PageHandler, _ hub: inout Hub) {
    waiting.leave(handler)
    streams.removeAll { $0 === handler }
    if streams.isEmpty { client.disconnect(&hub) }
  }

  // MARK: What there is

  /// Looks whether it still may know what it knows.
  func refresh(_ hub: inout Hub) {
    guard client.refresh(hub) else { return }
    epoch += 1
    track.removeAll()
    fixes.removeAll()
    details = (details.number + 1, .null)
  }

  /// The engine's newest location, whoever needed it.
  func note(_ location: Location, _ hub: inout Hub) {
    refresh(&hub)
    guard client.isExact, location.isValid else { return }
    if let last = track.newestTime, location.timestamp.seconds(since: last) < Self.spacing { return }
    track.append(
      Point(
        coordinate: location.coordinate, radius: location.horizontalAccuracy,
        speed: location.speedAccuracy >= 0 ? location.speed : nil, mode: location.mode),
      at: location.timestamp)
  }

  /// What the engine says beside that.
  func note(_ new: EngineDetails, _ hub: inout Hub) {
    refresh(&hub)
    guard client.isExact else { return }
    for fix in new.fixes { fixes.append(fix, at: fix.time) }
    details = (details.number + 1, new.json)
  }

  /// Takes what the hub has for its client.
  func take(_ hub: inout Hub) {
    refresh(&hub)
    client.take(&hub)
  }

  // MARK: What is told

  /// To be called ten times a second, after ``refresh(_:)``.
  func tick(at now: Timestamp) {
    beat = (beat + 1) % Self.beats
    if beat == 0 { tell(at: now) }
  }

  /// Tells every page what it has not been told; who takes nothing for long is hung up on. To be called after
  /// ``refresh(_:)``, and without a hold on the hub: a connection may end by being written to.
  func tell(at now: Timestamp) {
    guard !streams.isEmpty else { return }
    let common = common(at: now)
    for stream in streams {
      if stream.isWritable { stream.stalledSince = now }
      if now.seconds(since: stream.stalledSince) > Self.patience {
        stream.abort()
        continue
      }
      var isFirst = true
      while stream.isWritable, isFirst || hasMore(stream.told) {
        isFirst = false
        stream.send("data: \(JSON.object(common + news(&stream.told)).text)\n\n")
      }
    }
  }

  private func hasMore(_ told: Told) -> Bool { told.point < track.end || told.fix < fixes.end }

  private func common(at now: Timestamp) -> [JSON.Member] {
    let access = client.grant?.denial?.rawValue ?? (client.isExact ? "full" : "reduced")
    var members = [
      JSON.Member(key: "now", value: .rounded(Double(now.nanoseconds) * 1e-9, 2)),
      JSON.Member(key: "access", value: .string(access)),
    ]
    guard client.grant?.denial == nil else { return members }
    if let location = client.location { members.append(.init(key: "location", value: location.json)) }
    if let status = client.status { members.append(.init(key: "status", value: status.json)) }
    return members
  }

  private func news(_ told: inout Told) -> [JSON.Member] {
    var members: [JSON.Member] = []
    if told.epoch != epoch {
      told = Told()
      told.epoch = epoch
      members.append(.init(key: "isNew", value: .bool(true)))
    }
    if told.details != details.number {
      told.details = details.number
      members.append(.init(key: "engine", value: details.json))
    }
    let points = track.since(told.point, most: Self.batch)
    told.point = max(told.point, track.first) + points.count
    if !points.isEmpty {
      members.append(.init(key: "points", value: .array(points.map { Self.json($0.time, $0.element) })))
    }
    let new = fixes.since(told.fix, most: Self.batch)
    told.fix = max(told.fix, fixes.first) + new.count
    if !new.isEmpty { members.append(.init(key: "fixes", value: .array(new.map { Self.json($0.element) }))) }
    return members
  }

  private static func json(_ time: Timestamp, _ coordinate: Coordinate) -> [JSON] {
    [
      .rounded(Double(time.nanoseconds) * 1e-9, 2), .rounded(coordinate.latitudeDegrees, 7),
      .rounded(coordinate.longitudeDegrees, 7),
    ]
  }

  private static func json(_ time: Timestamp, _ point: Point) -> JSON {
    .array(
      json(time, point.coordinate) + [
        .rounded(point.radius, 2), point.speed.map { .rounded($0, 2) } ?? .null,
        point.mode.map { .string($0.word) } ?? .null,
      ])
  }

  private static func json(_ fix: EngineDetails.Fix) -> JSON {
    .array(json(fix.time, fix.coordinate) + [fix.radius.map { .rounded($0, 2) } ?? .null])
  }
}
