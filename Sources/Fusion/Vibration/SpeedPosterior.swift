import CLibrary

/// A window's word on the speed, as a measurement that would turn the prior into the same mean and variance
/// as the likelihood does. One with several peaks leaves the variance large, and so says little.
package struct SpeedPosterior {
  /// Measured less predicted, m/s.
  package var innovation: Double
  /// Variance of the measurement, (m/s)².
  package var variance: Double

  /// - Parameters:
  ///   - step: m/s from one hypothesis to the next.
  ///   - mean, prior: mean and variance of the speed against the middle hypothesis.
  /// - Returns: nil where nothing was learned, or the hypotheses do not span the prior.
  package init?(
    _ logLikelihoods: LineStrength.LogLikelihoods, curve: LineCurve, step: Double, mean: Double, prior: Double
  ) {
    let edge = step * Double(LineScan.middle)
    guard prior > 0, edge - abs(mean) > 2 * prior.squareRoot() else { return nil }
    let bell = HypothesisWeights.bell(
      middle: Double(LineScan.middle) + mean / step, sigma: prior.squareRoot() / step)
    let (weights, logLikelihood) = (bell.span, logLikelihoods.span)
    var ratios = logLikelihoods
    var (priorSum, evidence) = (0.0, 0.0)
    for j in 0..<LineScan.hypotheses {
      ratios[j] = curve.ratio(logLikelihood[j])
      priorSum += weights[j]
      evidence += weights[j] * ratios[j]
    }
    var (first, second, plainSecond) = (0.0, 0.0, 0.0)
    for j in 0..<LineScan.hypotheses {
      let off = step * Double(j - LineScan.middle) - mean
      let plain = weights[j] / priorSum
      let likelihood = ratios[j] * priorSum / evidence
      let weight = plain * ((1 - LineCurve.chance) * likelihood + LineCurve.chance)
      first += weight * off
      second += weight * off * off
      plainSecond += plain * off * off
    }
    // The prior on the grid is somewhat narrower than the true one; what counts is the ratio.
    let shrink = (second - first * first) / plainSecond
    guard shrink > 0, shrink < 0.95 else { return nil }
    // Kalman: posterior variance = prior · R / (prior + R), shift = innovation · prior / (prior + R).
    variance = prior * shrink / (1 - shrink)
    innovation = first * (prior + variance) / prior
  }
}
