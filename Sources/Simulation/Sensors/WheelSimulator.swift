import Navigation

/// Wheel speed, and yaw rate where the car reports it.
struct WheelSimulator {
  private let model: WheelModel
  private var track: TruthTrack
  private var random: RandomSource

  init(_ model: WheelModel, track: TruthTrack, seed: UInt64) {
    self.model = model
    self.track = track
    random = RandomSource(seed: seed, stream: "wheel")
  }

  mutating func run() -> [WheelSample] {
    let yawRateBias = model.yawRateBias * random.normal()
    return Simulator.times(rate: model.rate, duration: track.duration).map { time in
      let state = track.state(at: time)
      let speed = state.wheelsRoll ? abs(state.speed) : 0
      let forward = state.navFromVehicle.inverse * state.accelerationNED
      let slip = model.slipPerAcceleration * forward.x * (state.speed < 0 ? -1 : 1)
      let noise = model.noise * random.normal()
      let yawNoise = model.yawRateNoise * random.normal()
      var reported = max(0, speed * (1 + model.scaleError + slip) + noise)
      if speed < model.deadband { reported = 0 }
      if model.quantum > 0 { reported = (reported / model.quantum).rounded(.down) * model.quantum }
      if model.isSigned, state.speed < 0 { reported = -reported }
      return WheelSample(
        time: time, speed: reported,
        yawRate: model.hasYawRate ? state.angularRateNav.z + yawRateBias + yawNoise : nil)
    }
  }
}
