import JSON

/// What a client asks for (VISS version 2, Transport, "Secure WebSockets").
struct VISSRequest: Sendable {
  /// What is asked.
  enum Body: Sendable {
    /// The values there are.
    case get(VISSPaths)
    /// Values from now on, as often as the trigger says.
    case subscribe(VISSPaths, VISSTrigger)
    /// No more of them.
    case unsubscribe(String)
  }

  /// Bytes of a message, and of its `requestId` and `subscriptionId`, at most.
  package static let longest = 16_384, longestID = 128

  /// What it calls itself, to be said in the answer; nil where that is none.
  var action: String?
  var requestID: String?
  var body: Result<Body, VISSError>

  /// The request that `bytes` are; also one that cannot be fulfilled.
  init(_ bytes: ArraySlice<UInt8>) {
    let json = (try? JSONParser.read(bytes, limits: .init(depth: 8, bytes: Self.longest))) ?? .null
    let action = json["action"]?.string ?? ""
    self.action = ["get", "set", "subscribe", "unsubscribe"].contains(action) ? action : nil
    requestID = json["requestId"]?.string.flatMap { $0.utf8.count <= Self.longestID ? $0 : nil }
    let isNamed = requestID != nil
    body = Result { () throws(VISSError) in
      guard isNamed else { throw .badRequest }
      return try Self.body(action, json)
    }
  }

  private static func body(_ action: String, _ json: JSON) throws(VISSError) -> Body {
    if action == "unsubscribe" {
      guard let id = json["subscriptionId"]?.string, id.utf8.count <= longestID else { throw .badRequest }
      return .unsubscribe(id)
    }
    guard let path = json["path"]?.string else { throw .badRequest }
    let filters = try filters(json["filter"])
    let paths: VISSPaths
    if let filter = filters.first(where: { $0.type == "paths" }) {
      paths = try VISSPaths(path, relative: try strings(filter.parameter))
    } else {
      paths = try VISSPaths(path)
    }
    let trigger = filters.first { $0.type != "paths" }
    switch action {
    case "get":
      // Of the past nothing is kept, and metadata are in the specification of the signals.
      if trigger?.type == "history" { throw .unavailableData }
      guard trigger == nil else { throw .badRequest }
      return .get(paths)
    case "subscribe": return .subscribe(paths, try VISSTrigger(trigger?.type, trigger?.parameter, of: paths))
    case "set": throw .readOnly
    default: throw .badRequest
    }
  }

  private typealias Filter = (type: String, parameter: JSON)

  /// At most one of paths and one of another type. Early editions call the type a variant.
  private static func filters(_ json: JSON?) throws(VISSError) -> [Filter] {
    guard let json else { return [] }
    var filters: [Filter] = []
    for item in json.array ?? [json] {
      guard let type = (item["type"] ?? item["variant"])?.string, let parameter = item["parameter"]
      else { throw .badRequest }
      guard !filters.contains(where: { ($0.type == "paths") == (type == "paths") }) else { throw .badRequest }
      filters.append((type, parameter))
    }
    return filters
  }

  private static func strings(_ json: JSON) throws(VISSError) -> [String] {
    if let one = json.string { return [one] }
    guard let items = json.array, items.count <= VISSPaths.most else { throw .badRequest }
    let strings = items.compactMap(\.string)
    guard strings.count == items.count else { throw .badRequest }
    return strings
  }
}
