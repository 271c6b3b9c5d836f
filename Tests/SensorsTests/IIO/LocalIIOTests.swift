import Navigation
import SensorEvents
import Sensors
import TestParts
import Testing

/// Real libiio's local backend, and the real iiod, on a kernel's side made of files (``FakeSysfs``).
@Suite(.serialized) struct LocalIIOTests {
  /// What the probe prints for raw values of accelerometer and gyroscope, turned by the
  /// mount matrix of the devices.
  private func text(_ raw: [Int64]) -> String {
    var scales = [
      TriadScale(scale: Vector3(repeating: 0.0012)), TriadScale(scale: Vector3(repeating: 0.001065264)),
    ]
    for index in 0..<2 {
      scales[index].deviceFromSensor = Matrix3(rows: Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
    }
    let a = scales[0].vector(RawTriad(raw[0], raw[1], raw[2]))
    let w = scales[1].vector(RawTriad(raw[3], raw[4], raw[5]))
    return "\(w.x) \(w.y) \(w.z) \(a.x) \(a.y) \(a.z)"
  }

  /// Samples as the kernel lays them out, a whole number of refills of two, and the lines that the
  /// probe is to print for them.
  private func samples(_ count: Int, from start: Int64 = 5_000_000_000) -> (bytes: [UInt8], lines: [String]) {
    var dice = Dice(seed: 5)
    var bytes: [UInt8] = []
    var lines: [String] = []
    for index in 0..<count {
      let raw = (0..<6).map { _ in Int16(truncatingIfNeeded: dice.next() >> 49) - 16384 }
      let time = start + Int64(index) * 10_000_000
      for value in raw { bytes += withUnsafeBytes(of: value.littleEndian, Array.init) }
      bytes += [0, 0, 0, 0] + withUnsafeBytes(of: time.littleEndian, Array.init)
      lines.append("inertial \(time) host \(text(raw.map { Int64($0) }))")
    }
    return (bytes, lines)
  }

  private func lines(_ output: String, _ kind: String) -> [String] {
    output.split(separator: "\n").map(String.init).filter { $0.hasPrefix(kind) }
  }

  /// Whether the parts are here; prints why not.
  private func isPossible(needing program: String? = nil) -> Bool {
    var obstacle = FakeSysfs.obstacle
    if let program, (try? FakeSysfs.run("command -v \(program)", limit: 10)) == nil {
      obstacle = obstacle ?? "\(program) is not installed"
    }
    if let obstacle { print("skipped: \(obstacle)") }
    return obstacle == nil
  }

  @Test func samplesOfTheLocalBackendArriveExactly() throws {
    guard isPossible() else { return }
    let (bytes, expected) = samples(200)
    let output = try FakeSysfs.run(
      FakeSysfs.devices + """
        plug
        cat $SCRATCH/data >/dev/iio:device0 &
        \(FakeSysfs.probe) local: 2.5
        cd /sys/bus/iio/devices/iio:device0
        for file in current_timestamp_clock sampling_frequency trigger/current_trigger buffer/length buffer/watermark; do
          echo "set $file $(tr -d '\\000' <$file)"
        done
        """, data: bytes)
    #expect(lines(output, "inertial") == expected)
    #expect(lines(output, "lost").isEmpty)
    #expect(lines(output, "stopped") == ["stopped true"])
    #expect(
      lines(output, "set") == [
        "set current_timestamp_clock boottime", "set sampling_frequency 100",
        "set trigger/current_trigger bmi160-dev0", "set buffer/length 100", "set buffer/watermark 2",
      ])
    #expect(lines(output, "status")[0] == "status connecting opening local:")
    #expect(lines(output, "status")[1] == "status connected bmi160 (iio:device0) at 100 Hz")
    #expect(
      lines(output, "status").last?.hasPrefix("status faulty no samples come") == true, "the FIFO ran dry")
  }

  @Test func samplesByTheRealIIODArriveExactlyAndAgainAfterItIsKilled() throws {
    guard isPossible(needing: "iiod") else { return }
    let port = try Listener.freePort()
    let (bytes, expected) = samples(150)
    let output = try FakeSysfs.run(
      FakeSysfs.devices + """
        plug
        iiod -p \(port) & server=$!
        sleep 0.3
        \(FakeSysfs.probe) ip:127.0.0.1:\(port) 9 & probe=$!
        cat $SCRATCH/data >/dev/iio:device0
        sleep 1.5
        kill -KILL $server
        sleep 1
        iiod -p \(port) &
        cat $SCRATCH/data >/dev/iio:device0
        wait $probe
        """, data: bytes)
    let readings = lines(output, "inertial")
    #expect(Array(readings.prefix(150)) == expected)
    #expect(Array(readings.dropFirst(150)) == expected, "all of it once more")
    #expect(output.contains("status lost"))
    #expect(lines(output, "stopped") == ["stopped true"])
  }

  @Test func deviceThatIsUnpluggedIsTakenUpAgain() throws {
    guard isPossible() else { return }
    let (bytes, expected) = samples(50)
    let output = try FakeSysfs.run(
      FakeSysfs.devices + """
        plug
        \(FakeSysfs.probe) local: 12 & probe=$!
        cat $SCRATCH/data >/dev/iio:device0
        sleep 1
        unplug
        sleep 4
        plug
        cat $SCRATCH/data >/dev/iio:device0
        wait $probe
        """, data: bytes)
    #expect(lines(output, "inertial") == expected + expected)
    let states = lines(output, "status").map { $0.split(separator: " ")[1] }
    let faulty = try #require(states.firstIndex(of: "faulty"))
    let lost = try #require(states.firstIndex(of: "lost"))
    #expect(faulty < lost && states[lost...].contains("streaming"))
  }

  @Test func timerIsMadeWhereThereIsNoTrigger() throws {
    guard isPossible() else { return }
    let (bytes, expected) = samples(50)
    let output = try FakeSysfs.run(
      FakeSysfs.devices + """
        plug
        rm -r /sys/bus/iio/devices/trigger0
        mount -t tmpfs none /sys/kernel
        timers=/sys/kernel/config/iio/triggers/hrtimer
        mkdir -p $timers
        # What the kernel does when a folder is made there.
        (
          until [ -d $timers/reckon-0 ]; do sleep 0.01; done
          mkdir /sys/bus/iio/devices/trigger1
          echo 10 >/sys/bus/iio/devices/trigger1/sampling_frequency
          echo reckon-0 >/sys/bus/iio/devices/trigger1/name
        ) &
        cat $SCRATCH/data >/dev/iio:device0 &
        \(FakeSysfs.probe) local: 2.5
        echo "set $(tr -d '\\000' </sys/bus/iio/devices/iio:device0/trigger/current_trigger)"
        echo "set $(tr -d '\\000' </sys/bus/iio/devices/trigger1/sampling_frequency)"
        """, data: bytes)
    #expect(lines(output, "inertial") == expected)
    #expect(lines(output, "set") == ["set reckon-0", "set 100"])
  }

  @Test func deviceWithNoTriggerAtAllIsPolled() throws {
    guard isPossible() else { return }
    let output = try FakeSysfs.run(
      FakeSysfs.devices + """
        plug
        rm -r /sys/bus/iio/devices/trigger0
        \(FakeSysfs.probe) local: 1.5
        """)
    let readings = lines(output, "inertial")
    #expect(readings.count > 20)
    let expected = text([0, 10, 20, 30, 40, 50])
    #expect(readings.allSatisfy { $0.hasSuffix(" host \(expected)") })
    #expect(output.contains("status streaming samples of bmi160 (iio:device0) are asked for one by one"))
  }

  @Test func machineWithoutIIOIsSaidToHaveNone() throws {
    guard isPossible() else { return }
    let output = try FakeSysfs.run("mount -t tmpfs none /sys/bus; \(FakeSysfs.probe) local: 1")
    #expect(output.contains("status lost opening local:: No such file or directory; no IIO device is there"))
    #expect(lines(output, "stopped") == ["stopped true"])
  }
}
