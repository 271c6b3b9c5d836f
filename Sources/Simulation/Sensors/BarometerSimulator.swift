import CLibrary
import Navigation

/// Air pressure where the IMU is.
struct BarometerSimulator {
  private let model: BarometerModel
  private let place: Vector3
  private var track: TruthTrack
  private var random: RandomSource

  init(_ model: BarometerModel, at place: Vector3, track: TruthTrack, seed: UInt64) {
    self.model = model
    self.place = place
    self.track = track
    random = RandomSource(seed: seed, stream: "barometer")
  }

  mutating func run() -> [PressureSample] {
    let offset = model.offset * random.normal() + model.weather * random.normal()
    let trend = model.trend * random.normal() / 3600
    let air = StandardAtmosphere.temperature + max(-60, min(60, model.temperature * random.normal()))
    let coefficient = model.pressureCoefficient * random.normal()
    var wandering = GaussMarkov(&random)
    var gust = GaussMarkov(&random)
    var (piston, window) = (0.0, 0.0)
    let step = 1 / model.rate
    let ground = track.state(at: Timestamp(seconds: 0)).position(at: place).height
    return Simulator.times(rate: model.rate, duration: track.duration).map { time in
      let state = track.state(at: time)
      wandering.advance(by: step, correlation: model.wanderingTime, &random)
      gust.advance(by: step, correlation: model.gustTime, &random)
      // Where the car is pulled or carried the air goes by all the same.
      let dynamic = StandardAtmosphere.density / 2 * state.velocityNED.squaredNorm
      func follow(_ value: inout Double, _ target: Double, _ seconds: Double) {
        value += (target - value) * (1 - exp(-step / seconds))
      }
      follow(&piston, state.environment == .tunnel ? model.piston : 0, model.pistonTime)
      let isOpen = time.seconds >= model.windowFrom && time.seconds < model.windowTo
      follow(&window, isOpen ? model.windowCoefficient : 0, 1)
      // Warmer air is thinner: the pressure falls less with the height.
      let climbed = state.position(at: place).height - ground
      let altitude = ground + climbed * StandardAtmosphere.temperature / air
      var pressure = StandardAtmosphere.pressure(altitude: altitude) + offset + trend * time.seconds
      pressure += model.wandering * wandering.value
      pressure += dynamic * (coefficient + piston + window + model.gusts * gust.value)
      pressure += model.noise * random.normal()
      if model.quantum > 0 { pressure = (pressure / model.quantum).rounded() * model.quantum }
      return PressureSample(time: time, pressure: pressure)
    }
  }
}
