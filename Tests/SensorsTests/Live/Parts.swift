import Foundation
import Navigation
import SensorEvents
import Sensors
import TestParts

/// A receiver for a real gpsd, IMUs for a real libiio, and the `reckon record` that listen to them.
final class Parts {
  let receiver: Listener
  private(set) var runs: [LiveRun] = []
  private let gpsd: RealGPSD
  private let iiod: IIODServer
  private let device: IIODDevice
  private var pipes: [SamplePipe] = []
  private let idle: [InertialSample]
  private var idled = 0
  private var idleUntil: Int64?

  /// Waits until all listen. Meanwhile the IMUs say `idle`, again and again: one that says nothing
  /// for seconds is given up.
  init(idle: [InertialSample]) throws {
    signal(SIGPIPE, SIG_IGN)
    self.idle = idle
    receiver = try Listener()
    gpsd = try RealGPSD(sources: ["tcp://127.0.0.1:\(receiver.port)"])
    device = .imu(accelScale: Stretch.forceStep, gyroScale: Stretch.rateStep, bits: 32)
    iiod = try IIODServer([device])
    let gpsdAddress = "127.0.0.1:\(gpsd.port)"
    runs.append(try LiveRun("ip:", gpsd: gpsdAddress, imu: iiod.uri, prelude: ""))
    if let obstacle = FakeSysfs.obstacle {
      print("not played to local: and a real iiod: \(obstacle)")
    } else {
      runs.append(try LiveRun("local:", gpsd: gpsdAddress, imu: "local:", prelude: Self.devices))
      if FileManager.default.isExecutableFile(atPath: "/usr/sbin/iiod") {
        let port = try Listener.freePort()
        let daemon = Self.devices + "iiod -p \(port) & sleep 1\n"
        runs.append(try LiveRun("iiod", gpsd: gpsdAddress, imu: "ip:127.0.0.1:\(port)", prelude: daemon))
      }
    }
    pipes = runs.dropFirst().map { SamplePipe($0.folder.appendingPathComponent("fifo").path) }
    let end = HostClock.now().advanced(bySeconds: 40)
    var hasReceiver = false
    while !hasReceiver || !iiod.isOpen("iio:device0") || !pipes.allSatisfy(\.isOpen) {
      guard HostClock.now() < end else {
        throw IIODFailure(text: "a part does not listen: \(runs.map { "\($0.name) \($0.words)" })")
      }
      hasReceiver = hasReceiver || receiver.accept(within: 0)
      pushIdle(until: HostClock.now().advanced(bySeconds: 0.05))
    }
    // gpsd tells clients one after the other of its receiver; none is to miss the first fix.
    pushIdle(until: HostClock.now().advanced(bySeconds: 1.5))
  }

  /// Lets the IMUs say what they say before the drive, at each hundredth of a second of UTC, until
  /// `end` on the host clock.
  func pushIdle(until end: Timestamp) {
    let step: Int64 = 10_000_000
    let ahead = HostClock.read(.realtime).nanoseconds - HostClock.now().nanoseconds
    // Without a gap since the last time.
    var next = idleUntil ?? ((HostClock.now().nanoseconds + ahead) / step + 1) * step - ahead
    defer { idleUntil = next }
    while next < end.nanoseconds {
      let left = next - HostClock.now().nanoseconds
      if left > 0 { usleep(UInt32(left / 1000) + 1) }
      push(idle[idled % idle.count], at: Timestamp(nanoseconds: next))
      idled += 1
      next += step
    }
  }

  /// Gives all IMUs a sample that holds at `time` on the host clock.
  func push(_ sample: InertialSample, at time: Timestamp) {
    let raw = device.raw(force: sample.specificForce, rate: sample.angularRate, time: time)
    iiod.push(raw)
    var bytes: [UInt8] = []
    for value in raw.prefix(6) { bytes += withUnsafeBytes(of: Int32(value).littleEndian, Array.init) }
    bytes += withUnsafeBytes(of: time.nanoseconds.littleEndian, Array.init)
    for pipe in pipes { pipe.write(bytes) }
  }

  /// Ends all.
  func end() {
    for run in runs { try? run.end() }
    iiod.stop()
    gpsd.kill()
    for run in runs { try? FileManager.default.removeItem(at: run.folder) }
  }

  /// The devices of ``FakeSysfs`` with 32 bits and the steps of the drive, their samples by the file
  /// `fifo` of the run's folder.
  private static let devices =
    FakeSysfs.devices + """
      plug
      for file in $d/scan_elements/in_a*_type; do echo 'le:s32/32>>0' >$file; done
      echo \(Stretch.forceStep) >$d/in_accel_scale
      echo \(Stretch.rateStep) >$d/in_anglvel_scale
      echo '1, 0, 0; 0, 1, 0; 0, 0, 1' >$d/in_mount_matrix
      rm /dev/iio:device0
      mkfifo $SCRATCH/fifo
      ln -s $SCRATCH/fifo /dev/iio:device0

      """
}

/// A `reckon record`.
final class LiveRun: Sendable {
  let name: String
  let folder: URL
  private let output: Guarded<Result<String, any Error>?> = Guarded(nil)
  private let done = Guarded(false)

  /// `prelude` is run by sh before it, in namespaces of its own; without one it needs none.
  init(_ name: String, gpsd: String, imu: String, prelude: String) throws {
    self.name = name
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let reckon = FakeSysfs.program("reckon")
    let script =
      prelude + """
        \(reckon) record $SCRATCH/recording --gpsd \(gpsd) --imu \(imu) --plain >$SCRATCH/words 2>&1 & run=$!
        until [ -e $SCRATCH/end ]; do sleep 0.1; done
        kill -TERM $run
        wait $run || true
        """
    let folder = folder
    let (output, done) = (output, done)
    Thread.detachNewThread {
      let result = Result {
        try FakeSysfs.run(script, limit: 150, scratch: folder, isApart: !prelude.isEmpty)
      }
      output.withLock { $0 = result }
      done.withLock { $0 = true }
    }
  }

  var recording: String { folder.appendingPathComponent("recording").path }

  /// What it said.
  var words: String {
    let file = folder.appendingPathComponent("words")
    let said = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return "\(output.withLock { $0 }.map { "\($0) " } ?? "")\(said.suffix(600))"
  }

  /// Asks it to end, and waits until it has.
  func end() throws {
    try Data().write(to: folder.appendingPathComponent("end"))
    guard becomesTrue(within: 20, { done.withLock { $0 } }) else {
      throw IIODFailure(text: "\(name): reckon does not end: \(words)")
    }
    _ = try output.withLock { $0 }?.get()
  }
}

/// The writing end of a FIFO that stands for a device.
final class SamplePipe {
  private let path: String
  private var descriptor: Int32 = -1

  init(_ path: String) { self.path = path }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether somebody reads it.
  var isOpen: Bool { descriptor >= 0 }

  /// A sample; dropped where nobody reads it, or the pipe is full, as by a kernel's buffer.
  func write(_ bytes: [UInt8]) {
    if descriptor < 0 { descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0, Foundation.write(descriptor, bytes, bytes.count) < 0, errno == EPIPE else {
      return
    }
    close(descriptor)
    descriptor = -1
  }
}
