#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Sine and cosine of an angle in radians.
func sincos(_ angle: Double) -> (sine: Double, cosine: Double) { (sin(angle), cos(angle)) }
