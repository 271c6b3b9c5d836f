/// Which signals a request addresses.
struct VISSPaths: Equatable, Sendable {
  /// In the order of the tree, each once.
  var signals: [VehicleSignal]
  /// Whether they are told as an array: by a branch or a filter, however many they are.
  var isSeveral: Bool

  /// Bytes of a path, and paths in a filter, at most.
  static let longest = 256, most = 32

  /// What `path` addresses: a leaf, or a branch with all leaves below it.
  init(_ path: String) throws(VISSError) {
    signals = try Self.below(Self.names(path), allowsWildcards: false)
    isSeveral = signals.first?.names != Self.names(path)
  }

  /// What `relative` paths below `path` address, with `*` for any one name. Each must address something.
  init(_ path: String, relative: [String]) throws(VISSError) {
    guard !relative.isEmpty, relative.count <= Self.most else { throw .badRequest }
    var found: Set<VehicleSignal> = []
    for more in relative {
      found.formUnion(try Self.below(Self.names(path) + Self.names(more), allowsWildcards: true))
    }
    signals = VehicleSignal.allCases.filter(found.contains)
    isSeveral = true
  }

  /// Names with dots between them, or the slashes of the specification's first editions.
  private static func names(_ path: String) -> [Substring] {
    path.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "/" }
  }

  private static func below(_ names: [Substring], allowsWildcards: Bool) throws(VISSError) -> [VehicleSignal]
  {
    guard names.reduce(0, { $0 + $1.utf8.count + 1 }) <= longest else { throw .badRequest }
    let found = VehicleSignal.allCases.filter { signal in
      let own = signal.names
      return names.count <= own.count
        && zip(names, own).allSatisfy { $0 == $1 || (allowsWildcards && $0 == "*") }
    }
    if found.isEmpty { throw .invalidPath }
    return found
  }
}
