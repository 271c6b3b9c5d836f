import Navigation

/// Which of gpsd's receivers is listened to: the one that was named, or the first that has a fix,
/// for as long as it speaks.
package struct DeviceChoice: Equatable {
  /// A receiver that was not named is given up for another one after so many seconds of silence: it may have
  /// come back under another path.
  package static let patience = 10.0

  /// The one that was named.
  package let named: String?
  /// The one that is listened to.
  package private(set) var current: String?
  private var lastHeard: Timestamp?

  package init(named: String?) {
    self.named = named
    current = named
  }

  /// Whether a report of `device` at `arrival` counts. An empty path is any receiver.
  package mutating func takes(_ device: String, hasFix: Bool = false, at arrival: Timestamp) -> Bool {
    if device.isEmpty { return true }
    if current != device {
      let isFree = current == nil || lastHeard.map { arrival.seconds(since: $0) > Self.patience } ?? true
      guard named == nil, isFree else { return false }
      guard hasFix else { return current == nil }
      current = device
    }
    lastHeard = arrival
    return true
  }

  /// `device` is gone.
  package mutating func forget(_ device: String) {
    if named == nil, current == device { current = nil }
  }
}
