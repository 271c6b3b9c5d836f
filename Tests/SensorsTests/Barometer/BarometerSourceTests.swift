import SensorEvents
import Sensors
import Testing

/// Real libiio's local backend on a kernel's side made of files (``FakeSysfs``), as the drivers bmp280 and
/// st_pressure show themselves.
@Suite(.serialized) struct BarometerSourceTests {
  /// Makes a BMP280, which gives kilopascal, and an LPS22HB, which gives steps of 1/4096 hPa.
  private static let barometers = """
    mount -t tmpfs none /sys/bus
    mkdir -p /sys/bus/iio/devices
    bmp280() {
      b=/sys/bus/iio/devices/iio:device1
      mkdir -p $b
      echo bmp280 >$b/name
      echo 98.765432 >$b/in_pressure_input
      echo 2 >$b/in_pressure_oversampling_ratio
      echo 23450 >$b/in_temp_input
    }
    lps22hb() {
      l=/sys/bus/iio/devices/iio:device2
      mkdir -p $l/scan_elements $l/buffer
      echo lps22hb >$l/name
      echo 4145152 >$l/in_pressure_raw
      echo 0.000024414 >$l/in_pressure_scale
      echo 10 >$l/sampling_frequency
      echo 0 >$l/scan_elements/in_pressure_en
      echo 0 >$l/scan_elements/in_pressure_index
      echo 'le:u24/32>>0' >$l/scan_elements/in_pressure_type
    }

    """

  private func lines(_ output: String, _ kind: String) -> [String] {
    output.split(separator: "\n").map(String.init).filter { $0.hasPrefix(kind) }
  }

  private func isPossible() -> Bool {
    if let obstacle = FakeSysfs.obstacle { print("skipped: \(obstacle)") }
    return FakeSysfs.obstacle == nil
  }

  private func pascal(_ line: String) -> Double { Double(line.dropFirst("pressure ".count)) ?? .nan }

  @Test func kilopascalOfABMP280AndStepsOfAnLPS22HBAreReadAsPascal() throws {
    guard isPossible() else { return }
    let output = try FakeSysfs.run(
      Self.barometers + """
        bmp280
        lps22hb
        \(FakeSysfs.probe) barometer 1 local:
        \(FakeSysfs.probe) barometer 1 local:,lps22hb
        """)
    let values = lines(output, "pressure").map(pascal)
    // Ten a second; the first device with a pressure channel, then the one that is named.
    #expect((16...24).contains(values.count), "\(values.count)")
    #expect(abs(values.first.map { $0 - 98_765.432 } ?? 1) < 1e-6)
    #expect(abs(values.last.map { $0 - 101_199.74 } ?? 1) < 0.01)
    #expect(
      lines(output, "status") == [
        "status connecting opening local:", "status connected bmp280 (iio:device1) at 10 Hz",
        "status streaming ",
        "status connecting opening local:", "status connected lps22hb (iio:device2) at 10 Hz",
        "status streaming ",
      ])
    #expect(lines(output, "stopped") == ["stopped true", "stopped true"])
  }

  @Test func aDeviceThatIsPulledOutComesBack() throws {
    guard isPossible() else { return }
    let output = try FakeSysfs.run(
      Self.barometers + """
        bmp280
        \(FakeSysfs.probe) barometer 3.5 local: & probe=$!
        sleep 1
        rm -rf /sys/bus/iio/devices/iio:device1
        sleep 0.6
        bmp280
        wait $probe
        """)
    let states = lines(output, "status")
    #expect(states.contains { $0.hasPrefix("status lost reading iio:device1/pressure/input") })
    #expect(
      states.contains { $0.hasPrefix("status lost no barometer was found; there is no IIO device at all") })
    #expect(states.last == "status streaming " && lines(output, "stopped") == ["stopped true"])
  }

  @Test func whatIsWrongIsSaidWithWhatToDo() throws {
    guard isPossible() else { return }
    let output = try FakeSysfs.run(
      Self.barometers + """
        bmp280
        echo 987.65 >$b/in_pressure_input
        \(FakeSysfs.probe) barometer 0.5 local:
        echo 'no pressure' >$b/in_pressure_input
        \(FakeSysfs.probe) barometer 0.5 local:
        rm $b/in_pressure_input
        \(FakeSysfs.probe) barometer 0.5 local:
        \(FakeSysfs.probe) barometer 0.5 local:,dps310
        """)
    let states = lines(output, "status").filter { !$0.hasPrefix("status con") }
    let expected = [
      "status faulty bmp280 (iio:device1) says 9876 hPa, and a car is at 300 to 1200 hPa: is its driver's scale right",
      "status faulty bmp280 (iio:device1) pressure input is \"no pressure\", which is not a number",
    ]
    for (state, beginning) in zip(states, expected) { #expect(state.hasPrefix(beginning), "\(state)") }
    #expect(states.contains { $0.contains("is named dps310; the devices are bmp280 (iio:device1)") })
  }

  @Test func settingsAreAContextAndADevice() throws {
    let settings = try #require(BarometerSettings("ip:192.168.2.1,bmp280"))
    #expect(settings.address.uri == "ip:192.168.2.1" && settings.device == "bmp280")
    #expect(BarometerSettings("local:")?.device == nil && BarometerSettings("local:") != nil)
    #expect(
      BarometerSettings("bmp280") == nil && BarometerSettings("") == nil && BarometerSettings("xml:a") == nil)
    let set = try SensorSettings(gpsd: "none", imu: "none", barometer: "local:")
    #expect(set.descriptions.map(\.role) == [.pressure])
    #expect(throws: SensorSettings.Flaw.self) { try SensorSettings(barometer: "/dev/i2c-1") }
  }
}
