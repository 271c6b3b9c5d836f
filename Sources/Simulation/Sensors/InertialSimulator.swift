import CLibrary
import Navigation

/// The IMU: samples hold instantaneous angular rate and specific force at their time.
struct InertialSimulator {
  private let model: IMUModel
  private var track: TruthTrack
  private var vibration: VibrationSimulator
  private var gyroscope: TriadSimulator
  private var accelerometer: TriadSimulator

  init(_ model: IMUModel, track: TruthTrack, seed: UInt64) {
    self.model = model
    self.track = track
    vibration = VibrationSimulator(model.vibration, rate: model.rate, seed: seed)
    gyroscope = TriadSimulator(model.gyroscope, seed: seed, stream: "gyroscope")
    accelerometer = TriadSimulator(model.accelerometer, seed: seed, stream: "accelerometer")
  }

  mutating func run() -> [InertialSample] {
    let imuFromVehicle = model.vehicleFromIMU.inverse
    let step = 1 / model.rate
    return Simulator.times(rate: model.rate, duration: track.duration).map { time in
      let state = track.state(at: time)
      let shaking = vibration.next(state)
      let rate = imuFromVehicle * (state.angularRate + shaking.rate)
      let force = imuFromVehicle * (state.specificForce(at: model.position) + shaking.force)
      let warming = model.warming * (1 - exp(-time.seconds / model.warmingTime))
      let isShaken = model.vibration.strength > 0 && state.engineRuns
      return InertialSample(
        time: time,
        angularRate: gyroscope.read(
          rate, specificForce: force, warming: warming, noiseFactor: 1, step: step),
        specificForce: accelerometer.read(
          force, specificForce: .zero, warming: warming,
          noiseFactor: isShaken ? model.vibration.noiseFactor : 1, step: step))
    }
  }
}
