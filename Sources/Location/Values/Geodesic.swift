// Conventions: φ geodetic latitude, β reduced latitude, λ difference of longitude, α azimuth, σ arc on
// the auxiliary sphere, ω longitude on it. Sources: T. Vincenty, Survey Review XXIII (1975) 176, the inverse
// formula; for places nearly opposite, where that does not converge, C. F. F. Karney, J. Geodesy 87 (2013),
// sections 2 and 4: with φ1 ≤ 0 and |φ2| ≤ |φ1| the longitude reached grows with the azimuth α1, so
// that one bisection finds it.
import CLibrary
import Navigation

/// Distances along geodesics of the WGS-84 ellipsoid.
enum Geodesic {
  private static let a = WGS84.semiMajorAxis
  private static let b = WGS84.semiMinorAxis
  private static let f = WGS84.flattening

  /// Metres between two places.
  static func distance(_ p: Coordinate, _ q: Coordinate) -> Double {
    let β1 = reducedLatitude(p)
    let β2 = reducedLatitude(q)
    let λ = abs(Angle.wrapped(Angle.radians(degrees: q.longitudeDegrees - p.longitudeDegrees)))
    guard λ.isFinite, β1.isFinite, β2.isFinite else { return .nan }
    return vincenty(β1, β2, λ) ?? byAzimuth(β1, β2, λ)
  }

  private static func reducedLatitude(_ c: Coordinate) -> Double {
    let φ = Angle.radians(degrees: c.latitudeDegrees)
    return atan2((1 - f) * sin(φ), cos(φ))
  }

  /// Nil where the iteration does not settle.
  static func vincenty(_ β1: Double, _ β2: Double, _ L: Double) -> Double? {
    let (s1, c1) = (sin(β1), cos(β1))
    let (s2, c2) = (sin(β2), cos(β2))
    var λ = L
    for _ in 0..<40 {
      let x = c2 * sin(λ)
      let y = c1 * s2 - s1 * c2 * cos(λ)
      let sinσ = (x * x + y * y).squareRoot()
      if sinσ == 0 { return L == 0 || λ == 0 ? 0 : nil }
      let cosσ = s1 * s2 + c1 * c2 * cos(λ)
      let σ = atan2(sinσ, cosσ)
      let sinα = c1 * c2 * sin(λ) / sinσ
      let cos²α = 1 - sinα * sinα
      // Along the equator there is no cos²α to divide by, and no term to divide.
      let cos2σm = cos²α > 1e-15 ? cosσ - 2 * s1 * s2 / cos²α : 0
      let C = f / 16 * cos²α * (4 + f * (4 - 3 * cos²α))
      let next =
        L + (1 - C) * f * sinα * (σ + C * sinσ * (cos2σm + C * cosσ * (2 * cos2σm * cos2σm - 1)))
      if next > .pi { return nil }
      if abs(next - λ) < 1e-13 { return length(cos²α, σ, sinσ, cosσ, cos2σm) }
      λ = next
    }
    return nil
  }

  private static func length(
    _ cos²α: Double, _ σ: Double, _ sinσ: Double, _ cosσ: Double, _ cos2σm: Double
  ) -> Double {
    let u² = cos²α * (a * a - b * b) / (b * b)
    let A = 1 + u² / 16384 * (4096 + u² * (-768 + u² * (320 - 175 * u²)))
    let B = u² / 1024 * (256 + u² * (-128 + u² * (74 - 47 * u²)))
    let c² = 2 * cos2σm * cos2σm - 1
    let Δσ =
      B * sinσ
      * (cos2σm + B / 4 * (cosσ * c² - B / 6 * cos2σm * (4 * sinσ * sinσ - 3) * (2 * c² - 1)))
    return b * A * (σ - Δσ)
  }

  /// For places nearly opposite: the azimuth by bisection, lengths by quadrature.
  static func byAzimuth(_ β1: Double, _ β2: Double, _ L: Double) -> Double {
    // The geodesic's length does not change when the places are swapped or mirrored at the equator.
    let (far, near) = abs(β1) >= abs(β2) ? (β1, β2) : (β2, β1)
    let start = min(-abs(far), -1e-150)
    let end = far <= 0 ? near : -near
    var (low, high) = (0.0, Double.pi)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if Arc(start, end, azimuth: middle).longitude < L { low = middle } else { high = middle }
    }
    return Arc(start, end, azimuth: (low + high) / 2).length
  }

  /// The geodesic from β1 at azimuth α1 to where it reaches β2 going north.
  private struct Arc {
    let sinα0: Double
    let k²: Double
    let σ1: Double
    let σ12: Double
    let ω12: Double

    init(_ β1: Double, _ β2: Double, azimuth α1: Double) {
      sinα0 = sin(α1) * cos(β1)
      let cosα1 = cos(α1)
      let cosα0 = (cosα1 * cosα1 + (sin(α1) * sin(β1)) * (sin(α1) * sin(β1))).squareRoot()
      let spare = (cos(β2) - cos(β1)) * (cos(β2) + cos(β1))
      let cosα2 =
        max(0, cosα1 * cosα1 * cos(β1) * cos(β1) + spare).squareRoot() / max(cos(β2), 1e-300)
      σ1 = atan2(sin(β1), cosα1 * cos(β1))
      let σ2 = atan2(sin(β2), cosα2 * cos(β2))
      σ12 = σ2 < σ1 ? σ2 - σ1 + 2 * .pi : σ2 - σ1
      let ω1 = atan2(sinα0 * sin(β1), cosα1 * cos(β1))
      let ω2 = atan2(sinα0 * sin(β2), cosα2 * cos(β2))
      ω12 = ω2 < ω1 ? ω2 - ω1 + 2 * .pi : ω2 - ω1
      let e² = (a * a - b * b) / (b * b)
      k² = e² * cosα0 * cosα0
    }

    /// Karney's equation 8: λ = ω − f sin α0 ∫ (2 − f) / (1 + (1 − f) √(1 + k² sin²σ)) dσ.
    var longitude: Double {
      ω12 - f * sinα0 * integral { (2 - f) / (1 + (1 - f) * $0) }
    }

    /// Karney's equation 7: s = b ∫ √(1 + k² sin²σ) dσ.
    var length: Double { b * integral { $0 } }

    /// ∫ g(√(1 + k² sin²σ)) dσ by Simpson's rule; the integrand is nearly constant, so
    /// that 64 steps give 1e-12.
    private func integral(_ g: (Double) -> Double) -> Double {
      let steps = 64
      var sum = 0.0
      for i in 0...steps {
        let s = sin(σ1 + σ12 * Double(i) / Double(steps))
        let weight = i == 0 || i == steps ? 1.0 : i % 2 == 1 ? 4 : 2
        sum += weight * g((1 + k² * s * s).squareRoot())
      }
      return sum * σ12 / Double(3 * steps)
    }
  }
}
