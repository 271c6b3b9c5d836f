import LinearAlgebra
import Navigation
import SensorEvents
import Sensors
import Testing

/// Gyroscope and accelerometer on two devices, at 100 Hz each.
@Suite struct IMUAssemblyTests {
  private func sensor(_ quantity: IIOQuantity, step: Double) -> DeviceSetup.Sensor {
    DeviceSetup.Sensor(
      quantity: quantity,
      channels: (0..<3).map { IIOChannelDescription(id: "axis", quantity: quantity, axis: $0) },
      scale: TriadScale(scale: Vector3(repeating: step)))
  }

  /// Rates of the old time waited for forces that never came, and held up 400 of the new one; and an axis
  /// seemed not to have moved for as long as the clock was set ahead.
  @Test(arguments: [-3600.0, -0.5, 3600]) func aClockThatIsSetHoldsNothingUp(step: Double) throws {
    var assembly = IMUAssembly(
      gyroscope: sensor(.angularRate, step: 0.001), accelerometer: sensor(.acceleration, step: 0.005),
      clock: .realtime, isOneDevice: false)
    var taken: [Double] = []
    for index in 0..<1000 {
      let time = Double(index) * 0.01 + 10_000 + (index < 500 ? 0 : step)
      let noise = Int64(index * 7 % 5)
      assembly.take(rate: RawTriad(noise, -noise, noise + 1), at: Timestamp(seconds: time))
      assembly.take(force: RawTriad(noise, noise, 2000 - noise), at: Timestamp(seconds: time + 0.003))
      taken += assembly.drain().readings.map(\.time.seconds)
      #expect(assembly.fault == nil, "sample \(index)")
    }
    // The first rate of each time has no force before it.
    #expect((990...1000).contains(taken.count), "\(taken.count) of 1000 readings")
    #expect(taken.count { abs($0 - 10_000 - step) > 5 || step == -0.5 } >= 495)
  }

  /// What was at the end of its range before the clock was set is still counted.
  @Test func saturationsAreCountedOverAClockThatIsSet() {
    var assembly = IMUAssembly(
      gyroscope: sensor(.angularRate, step: 0.001), accelerometer: sensor(.acceleration, step: 0.005),
      clock: .realtime, isOneDevice: true)
    for (time, value) in [(1.0, 32_767), (2.0, 5), (5000, 32_767)] as [(Double, Int64)] {
      _ = assembly.take(
        rate: RawTriad(value, 1, 1), force: RawTriad(1, 2, 3), at: Timestamp(seconds: time))
    }
    #expect(assembly.saturations == 2)
  }
}
