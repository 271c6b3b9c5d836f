import CLibrary

/// Sine and cosine of an angle in radians.
func sincos(_ angle: Double) -> (sine: Double, cosine: Double) { (sin(angle), cos(angle)) }
