import CLibrary
import LinearAlgebra
import Navigation

/// Which of the navigators explains the fixes.
extension HeadingFilterBank {
  /// Sets the best to 0. None is lost for good: a direction that looked wrong in a bad minute may come back.
  mutating func settle() {
    var best = -Double.infinity
    for i in 0..<navigators.count {
      navigators.standings[i].logLikelihood += navigators.standings[i].gain
      navigators.standings[i].gain = 0
      best = max(best, navigators.standings[i].logLikelihood)
    }
    evidence += best
    for i in 0..<navigators.count {
      navigators.standings[i].logLikelihood = max(navigators.standings[i].logLikelihood - best, -30)
    }
  }

  /// Whether the fixes contradict even the likeliest: the first of them was far off.
  var isDoubtful: Bool { navigators.standings[likeliest].agreement < 0.1 }

  /// The likeliest navigator, once it has taken what waits.
  var winner: Navigator<Recorder> {
    let i = likeliest
    var winner = navigators[i]
    for step in navigators.standings[i].taken..<navigators.steps.count {
      if case .orient = navigators.steps[step], let orientation = navigators.notes.orientation {
        orientation.orient(&winner, as: i)
      }
      winner.take(navigators.steps[step])
    }
    return winner
  }

  var likeliest: Int {
    var best = 0
    for i in 0..<navigators.count
    where navigators.standings[i].logLikelihood > navigators.standings[best].logLikelihood {
      best = i
    }
    return best
  }

  /// Standard deviation of the mixture's yaw at the newest measurement, π where nothing is known.
  var yawSigma: Double {
    guard isOriented else { return .pi }
    var (s, c, sum) = (0.0, 0.0, 0.0)
    for i in 0..<navigators.count {
      let yaw = navigators.standings[i].yaw
      let w = exp(navigators.standings[i].logLikelihood)
      s += w * sin(yaw)
      c += w * cos(yaw)
      sum += w
    }
    let mean = atan2(s, c)
    var variance = 0.0
    for i in 0..<navigators.count {
      let off = Angle.wrapped(navigators.standings[i].yaw - mean)
      variance +=
        exp(navigators.standings[i].logLikelihood) / sum * (off * off + navigators.standings[i].yawVariance)
    }
    return min(.pi, variance.squareRoot())
  }
}
