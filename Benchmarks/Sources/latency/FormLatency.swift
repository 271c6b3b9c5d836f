import LinearAlgebra
import Measuring

/// Other forms of the same filter: what each would gain, and what it would lose.
struct FormLatency {
  private(set) var rows: [FormRow] = []

  init(repeats: Int, stopwatch: Stopwatch) {
    let inputs = PeerInputs()
    let merged = [2, 5].map { ($0, Self.merged(inputs.transitions, by: $0)) }

    let blocks = BlockFilter(inputs.covariance)
    add(
      "Double, blocks, every sample", repeats, stopwatch, start: { blocks },
      predict: { for t in inputs.transitions { $0.predict(t) } }, covariance: \.covariance,
      update: { for fix in inputs.fixes { _ = $0.update(fix) } },
      cycle: { filter, fix in
        for t in inputs.transitions { filter.predict(t) }
        _ = filter.update(fix)
      })
    let singles = FloatFilter(inputs.covariance)
    add(
      "Float, blocks, every sample", repeats, stopwatch, start: { singles },
      predict: { for t in inputs.transitions { $0.predict(t) } }, covariance: \.covariance,
      update: { for fix in inputs.fixes { $0.update(fix) } },
      cycle: { filter, fix in
        for t in inputs.transitions { filter.predict(t) }
        filter.update(fix)
      })
    add(
      "Double, factors U D Uᵀ, every sample", repeats, stopwatch, start: { FactorFilter(inputs.covariance) },
      predict: { for t in inputs.transitions { $0.predict(t) } }, covariance: \.covariance,
      update: { for fix in inputs.fixes { $0.update(fix) } },
      cycle: { filter, fix in
        for t in inputs.transitions { filter.predict(t) }
        filter.update(fix)
      })
    for (every, transitions) in merged {
      add(
        "Double, blocks, steps of \(every) samples", repeats, stopwatch, start: { blocks },
        predict: { filter in
          // Summing up is part of the cost: it is done anew for every batch.
          for t in Self.merged(inputs.transitions, by: every) { filter.predict(t) }
        }, covariance: \.covariance, update: nil,
        cycle: { filter, fix in
          for t in transitions { filter.predict(t) }
          _ = filter.update(fix)
        })
    }
  }

  /// Steps summed up `every` at a time, the last ones as they are left.
  private static func merged(_ transitions: [PeerInputs.Transition], by every: Int)
    -> [PeerInputs.Transition]
  {
    var result: [PeerInputs.Transition] = []
    result.reserveCapacity(transitions.count / every + 1)
    for (index, t) in transitions.enumerated() {
      if index % every == 0 { result.append(t) } else { result[result.count - 1].add(t) }
    }
    return result
  }

  private mutating func add<Filter>(
    _ name: String, _ repeats: Int, _ stopwatch: Stopwatch, start: () -> Filter,
    predict: (inout Filter) -> Void, covariance: (Filter) -> [Double], update: ((inout Filter) -> Void)?,
    cycle: (inout Filter, PeerInputs.Fix) -> Void
  ) {
    func time(_ work: (inout Filter) -> Void) -> LatencyRow {
      var readings = Readings()
      for number in 0...repeats {
        if number < 2 { readings = Readings() }
        readings.beginRepeat()
        for _ in 0..<300 {
          var filter = start()
          let began = Stopwatch.now
          work(&filter)
          readings.add(stopwatch.elapsed(since: began))
          precondition(covariance(filter)[0] > 0, "a variance is positive")
        }
      }
      return LatencyRow(name: name, readings: readings, callsPerReading: PeerInputs.count)
    }
    // A minute of driving: 64 fixes, with 64 steps before each.
    let inputs = PeerInputs()
    var exact = BlockFilter(inputs.covariance)
    var filter = start()
    var error = 0.0
    for fix in inputs.fixes {
      for t in inputs.transitions { exact.predict(t) }
      _ = exact.update(fix)
      cycle(&filter, fix)
      error = max(error, CovarianceDifference(covariance(filter), exact.covariance).sigma)
    }
    rows.append(FormRow(name: name, predict: time(predict), update: update.map(time), sigmaError: error))
  }
}

extension PeerInputs.Transition {
  /// Adds the next step, to first order.
  mutating func add(_ next: PeerInputs.Transition) {
    dt += next.dt
    gravityGradient += next.gravityGradient
    coriolis += next.coriolis
    forceCross += next.forceCross
    forceFromBias += next.forceFromBias
    forceFromScale += next.forceFromScale
    frameRate += next.frameRate
    rateFromBias += next.rateFromBias
    rateFromScale += next.rateFromScale
    for block in 0..<6 { noise[block] += next.noise[block] }
  }
}
