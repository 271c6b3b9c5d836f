/// √(a² + b²): the standard deviation of the sum of two independent errors.
///
/// In place of the C library's `hypot`, whose last bit is another on each architecture: the engine has the
/// same bits on arm64 as on x86-64 with FMA (`scripts/same-bits`).
@inline(__always) package func rootSumOfSquares(_ a: Double, _ b: Double) -> Double {
  (a * a + b * b).squareRoot()
}
