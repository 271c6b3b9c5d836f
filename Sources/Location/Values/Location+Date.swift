import Essentials
import Navigation

extension Location {
  /// ``utc`` as a date; nil as long as nobody has told the time.
  public var date: Date? { utc.map { Date(timeIntervalSince1970: $0.seconds) } }
}

extension Visit {
  /// ``arrival`` as a date; `distantPast` where that is not known.
  public var arrivalDate: Date { arrival.map { Date(timeIntervalSince1970: $0.seconds) } ?? .distantPast }
  /// ``departure`` as a date; `distantFuture` while the car is there.
  public var departureDate: Date {
    departure.map { Date(timeIntervalSince1970: $0.seconds) } ?? .distantFuture
  }
}

extension RegionEvent {
  /// ``utc`` as a date; nil where that was not known.
  public var date: Date? { utc.map { Date(timeIntervalSince1970: $0.seconds) } }
}
