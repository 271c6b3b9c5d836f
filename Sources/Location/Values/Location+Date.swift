#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import Navigation

extension Location {
  /// ``utc`` as a date; nil as long as nobody has told the time.
  public var date: Date? { utc.map { Date(timeIntervalSince1970: $0.seconds) } }
}

extension RegionEvent {
  /// ``utc`` as a date; nil where that was not known.
  public var date: Date? { utc.map { Date(timeIntervalSince1970: $0.seconds) } }
}
