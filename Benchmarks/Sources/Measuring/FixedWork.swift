import Fusion

// One function a step, under a name of its own, so that callgrind tells their costs apart;
// each with a result of its own, or the compiler makes one function of them.

@inline(never) @_silgen_name("step_inertial")
private func stepInertial(_ engine: inout FusionEngine, _ sample: SensorSample) -> Int {
  engine.process(sample)
  return 1
}
@inline(never) @_silgen_name("step_nonHolonomic")
private func stepNonHolonomic(_ engine: inout FusionEngine, _ sample: SensorSample) -> Int {
  engine.process(sample)
  return 2
}
@inline(never) @_silgen_name("step_stillness")
private func stepStillness(_ engine: inout FusionEngine, _ sample: SensorSample) -> Int {
  engine.process(sample)
  return 3
}
@inline(never) @_silgen_name("step_vibration")
private func stepVibration(_ engine: inout FusionEngine, _ sample: SensorSample) -> Int {
  engine.process(sample)
  return 4
}
@inline(never) @_silgen_name("step_fix")
private func stepFix(_ engine: inout FusionEngine, _ sample: SensorSample) -> Int {
  engine.process(sample)
  return 5
}
@inline(never) @_silgen_name("step_lateFix")
private func stepLateFix(_ engine: inout FusionEngine, _ sample: SensorSample) -> Int {
  engine.process(sample)
  return 6
}
@inline(never) @_silgen_name("step_wheel")
private func stepWheel(_ engine: inout FusionEngine, _ sample: SensorSample) -> Int {
  engine.process(sample)
  return 7
}
@inline(never) @_silgen_name("step_coarse")
private func stepCoarse(_ engine: inout FusionEngine, _ sample: SensorSample) -> Int {
  engine.process(sample)
  return 8
}
@inline(never) @_silgen_name("step_output")
private func stepOutput(_ engine: FusionEngine, _ time: Timestamp) -> Double {
  engine.solution(at: time)?.position.height ?? 0
}

/// The same work every time, to count instructions of.
package enum FixedWork {
  /// Does it, and returns a number that depends on all of it.
  package static func run() -> Double {
    StepDrive.all.reduce(0) { $0 + run($1) }
  }

  private static func run(_ drive: StepDrive) -> Double {
    let (warmUp, measured) = drive.samples(seconds: 60)
    var warm = FusionEngine(configuration: drive.configuration)
    for sample in warmUp {
      warm.process(sample)
      while warm.nextVerdict() != nil {}
    }
    // What a step will turn out to be is known only after it: the engine does all of it
    // twice, with the same bits.
    var scout = warm
    var verdicts = [MeasurementVerdict.Kind]()
    let steps = measured.map { sample in
      scout.take(sample, verdicts: &verdicts)
      return drive.step(sample, verdicts: verdicts)
    }
    // The last to hold it: a copy would be made at the first step, and counted as its work.
    var engine = consume warm
    var sum = 0.0
    for (sample, step) in zip(measured, steps) {
      if drive.steps.contains(step) {
        sum += Double(run(step, sample, &engine))
      } else {
        engine.process(sample)
      }
      while engine.nextVerdict() != nil {}
      if drive.steps.contains(.output) { sum += stepOutput(engine, sample.arrival) }
    }
    return sum + (engine.solution(at: measured[measured.count - 1].arrival)?.position.height ?? 0)
  }

  private static func run(_ step: Step, _ sample: SensorSample, _ engine: inout FusionEngine) -> Int {
    switch step {
    case .inertial: stepInertial(&engine, sample)
    case .nonHolonomic: stepNonHolonomic(&engine, sample)
    case .stillness: stepStillness(&engine, sample)
    case .vibration: stepVibration(&engine, sample)
    case .coarse: stepCoarse(&engine, sample)
    case .fix: stepFix(&engine, sample)
    case .lateFix: stepLateFix(&engine, sample)
    case .wheel: stepWheel(&engine, sample)
    case .output: 0
    }
  }
}
