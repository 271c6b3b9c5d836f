/// How well a client wishes to know the place. It is a request: what was reached stands in every location.
public enum DesiredAccuracy: String, Sendable, CaseIterable, Comparable {
  /// To three kilometres.
  case threeKilometers
  /// To a kilometre.
  case kilometer
  /// To a hundred metres.
  case hundredMeters
  /// To ten metres.
  case nearestTenMeters
  /// The best that a display of the place needs: fused as the next, at half its pace.
  case best
  /// The best there is: fixes, inertial sensors and wheels fused. The default, as for any car's navigation.
  case bestForNavigation

  /// Metres at which the wish is met.
  public var meters: Double {
    switch self {
    case .threeKilometers: 3000
    case .kilometer: 1000
    case .hundredMeters: 100
    case .nearestTenMeters: 10
    case .best: 5
    case .bestForNavigation: 3
    }
  }

  /// Seconds from one update to the next at least, so that who asks for little is not woken for more.
  public var interval: Double {
    switch self {
    case .bestForNavigation: 0.1
    case .best: 0.2
    case .nearestTenMeters, .hundredMeters: 1
    case .kilometer, .threeKilometers: 5
    }
  }

  /// Whether `a` asks for less than `b`.
  public static func < (a: DesiredAccuracy, b: DesiredAccuracy) -> Bool { a.meters > b.meters }
}
