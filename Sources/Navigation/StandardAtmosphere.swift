// Source: ISO 2533:1975, "Standard atmosphere", up to 11 km: T = 288.15 K − 6.5 K/km · H, p =
// 1013.25 hPa (T / T₀)^5.25588.
import CLibrary

/// The air of the standard atmosphere, by which a pressure is told as a height.
public enum StandardAtmosphere {
  /// Pressure at sea level, Pa.
  public static let pressure = 101_325.0
  /// Temperature at sea level, K.
  public static let temperature = 288.15
  /// Density of air at sea level, kg/m³.
  public static let density = 1.225
  private static let lapse = 0.0065
  private static let exponent = 5.255_88

  /// Height in metres at which the standard atmosphere has `pressure` Pa. Against the true height it is off
  /// by the weather, ±250 m, and in differences of height by as much as the air is warmer, 0.36 % a kelvin.
  public static func altitude(pressure p: Double) -> Double {
    temperature / lapse * (1 - pow(p / pressure, 1 / exponent))
  }

  /// Pressure in Pa at `altitude` metres.
  public static func pressure(altitude: Double) -> Double {
    pressure * pow(1 - lapse * altitude / temperature, exponent)
  }
}
