import Drives
import Evaluation
import Foundation
import Fusion
import Live
import Locks
import Recording
import SensorEvents
import Simulation
import TestParts
import Testing

/// A live loop that is recorded, and what comes of the recording.
struct RecordingReplayTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch("recording") }

  /// About 40 s of a simulated drive as readers hand it over: IMU by the system's clock,
  /// fixes by UTC and 80 ms late.
  static let events: [SensorEvent] = {
    var scenario = Scenario.town
    scenario.road = [
      RoadElement(.stop(seconds: 2), speed: 14), RoadElement(.straight(length: 120), speed: 14),
      RoadElement(.turn(angle: .pi / 2, radius: 15), speed: 8),
      RoadElement(.straight(length: 150), speed: 14),
    ]
    let samples = Simulator(scenario: scenario, seed: 2002).run().samples
    var events: [SensorEvent] = []
    var second = -1
    for sample in samples {
      let host = host(sample.time)
      if Int(sample.time.seconds) > second {
        second = Int(sample.time.seconds)
        events.append(
          SensorEvent(
            source: .loop, arrival: host,
            content: .clocks(
              ClockComparison(
                clock: .realtime, time: utc(sample.time), reference: .host, referenceTime: host,
                uncertainty: 500))))
        let satellite = SkyReading.Satellite(
          constellation: 0, number: 5, elevationDegrees: 30, azimuthDegrees: 120, strength: 41, isUsed: true)
        events.append(
          SensorEvent(
            source: SourceID(0), arrival: host,
            content: .sky(SkyReading(visible: 1, used: 1, satellites: [satellite]))))
      }
      switch sample {
      case .inertial(let sample):
        let reading = InertialReading(
          time: utc(sample.time), clock: .realtime, angularRate: sample.angularRate,
          specificForce: sample.specificForce)
        events.append(
          SensorEvent(
            source: SourceID(1), arrival: host.advanced(bySeconds: 0.003), content: .inertial(reading)))
      case .wheel(let sample):
        let reading = WheelReading(speed: sample.speed, yawRate: sample.yawRate)
        events.append(SensorEvent(source: SourceID(2), arrival: host, content: .wheel(reading)))
      case .pressure(let sample):
        let reading = PressureReading(pressure: sample.pressure)
        events.append(SensorEvent(source: SourceID(3), arrival: host, content: .pressure(reading)))
      case .gnss(var fix):
        fix.time = utc(fix.time)
        fix.received = nil
        events.append(
          SensorEvent(
            source: SourceID(0), arrival: host.advanced(bySeconds: 0.08),
            content: .fix(FixReading(fix: fix, dimensions: .three))))
      }
    }
    return events.enumerated().sorted { ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset) }
      .map(\.element)
  }()

  private static func host(_ time: Timestamp) -> Timestamp { time.advanced(bySeconds: 5000) }
  private static func utc(_ time: Timestamp) -> Timestamp { time.advanced(bySeconds: 1_772_000_000) }

  private struct Live {
    var outputs: [LiveOutput]
    var engine: LiveEngine
    var progress: RecordingProgress
  }

  /// These events come faster than any sensor's: lets the writer keep up with them, so that segments are
  /// full one after another on a machine that has other work too.
  private static func keepUp(_ i: Int, _ writer: RecordingWriter) {
    guard i % 32 == 31 else { return }
    // The loop has taken all but the last eight.
    for _ in 0..<10_000 where writer.progress.written < i - 8 { usleep(500) }
  }

  /// Runs a recorded loop on the events, its clock driven by them.
  private func record(
    _ events: [SensorEvent], segmentBytes: Int, savedState: SavedState? = nil, capacity: Int = 1 << 16,
    disk: Disk = Disk(), before: (Int, RecordingWriter) -> Void = keepUp
  ) throws -> Live {
    var settings = RecordingSettings()
    settings.segmentBytes = segmentBytes
    settings.pollSeconds = 0.005
    settings.snapshotSeconds = 5
    settings.queueCapacity = capacity
    let configuration = LiveConfiguration(sources: [
      SourceDescription(id: SourceID(0), name: "receiver on the roof", role: .fix),
      SourceDescription(id: SourceID(1), name: "imu", role: .inertial),
    ])
    let writer = try RecordingWriter(
      folder: folder, configuration: LiveRecording.text(configuration), settings: settings, disk: disk)
    let now = Now()
    let clock = LoopClock(
      now: { now.time },
      read: { kind in kind == .realtime ? Timestamp(nanoseconds: now.time.nanoseconds + Now.utc) : now.time })
    let thread = LiveRecording.loop(
      engine: LiveEngine(configuration: configuration, savedState: savedState), writer: writer, clock: clock)
    let outputs = Mutex<[LiveOutput]>([])
    _ = thread.subscribe { output in outputs.withLock { $0.append(output) } }
    now.time = events[0].arrival
    #expect(thread.start())
    for (i, event) in events.enumerated() {
      before(i, writer)
      now.time = event.arrival
      thread.mailbox.post(event)
      // The loop keeps up, so that nothing overflows and outputs come every few events.
      if i % 8 == 7 {
        for _ in 0..<10_000 where thread.newest?.newestArrival != event.arrival { usleep(500) }
      }
    }
    let engine = try #require(thread.stop(within: 60))
    #expect(writer.stop())
    return Live(outputs: outputs.withLock { $0 }, engine: engine, progress: writer.progress)
  }

  @Test func replayGivesTheBitsOfLive() throws {
    let live = try record(Self.events, segmentBytes: 60_000)
    #expect(live.progress.lost == 0 && live.progress.segment > 3)
    #expect(live.outputs.count > 100 && live.outputs.contains { $0.solution?.isAligned == true })
    var outputs: [LiveOutput] = []
    let summary = try RecordingReplay().run(path: folder) { outputs.append($0) }
    #expect(outputs == live.outputs)
    #expect(summary.report.isWhole && summary.remarks.isEmpty && summary.restored == 0)
    let end = try #require(summary.status)
    #expect(end.solution == live.engine.solution(at: end.time))
    #expect(end.measurements == live.engine.measurements)
    #expect(end.sources.map(\.name).prefix(2) == ["receiver on the roof", "imu"])
    // Fewer points on demand, and each still one of live's.
    var some: [LiveOutput] = []
    _ = try RecordingReplay(rate: 2).run(path: folder) { some.append($0) }
    #expect(some.count > 20 && some.count < 100 && some.allSatisfy { live.outputs.contains($0) })
  }

  /// Each segment but the first begins with the state of the engine, so what was removed or damaged
  /// is not missed behind it.
  @Test func replayGoesOnFromAnySnapshot() throws {
    let live = try record(Self.events, segmentBytes: 80_000)
    let segments = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".rkl") }.sorted()
    try #require(segments.count >= 3)
    for removed in 1..<segments.count {
      try FileManager.default.removeItem(atPath: folder + "/" + segments[removed - 1])
      var outputs: [LiveOutput] = []
      let summary = try RecordingReplay().run(path: folder) { outputs.append($0) }
      #expect(summary.lacksStart && summary.restored == 1 && !summary.isApart)
      // The last segment may have just begun when the recording ended.
      if removed > 1, removed == segments.count - 1, summary.events == 0 { continue }
      #expect(!outputs.isEmpty && outputs == Array(live.outputs.suffix(outputs.count)))
      let end = try #require(summary.status)
      #expect(end.solution == live.engine.solution(at: end.time))
      #expect(end.savedState == live.engine.status(at: end.time).savedState)
    }
  }

  /// A disk that stalls twice costs what found no room meanwhile; behind either gap the
  /// engine goes on as live did.
  @Test func replayGoesOnBehindAnOverflowOfTheQueue() throws {
    let isStalled = Atomic(false)
    var disk = Disk()
    let write = disk.write
    disk.write = { descriptor, bytes, count in
      while isStalled.load(ordering: .acquiring) { usleep(1000) }
      return write(descriptor, bytes, count)
    }
    let stalls = [800..<1200, 1900..<2300]
    try #require(Self.events.count > 3000)
    let live = try record(Self.events, segmentBytes: 1 << 24, capacity: 256, disk: disk) { i, writer in
      let isStalling = stalls.contains { $0.contains(i) }
      isStalled.store(isStalling, ordering: .releasing)
      guard !isStalling, i % 32 == 31 else { return }
      // These events come faster than any sensor's: let the writer keep up with them.
      let written = writer.progress.written
      for _ in 0..<2000 where writer.progress.written == written { usleep(1000) }
    }
    #expect(live.progress.lost > 100)
    var outputs: [LiveOutput] = []
    let summary = try RecordingReplay().run(path: folder) { outputs.append($0) }
    #expect(summary.restored >= 2 && !summary.isApart && summary.report.lost == live.progress.lost)
    let end = try #require(summary.status)
    #expect(end.solution == live.engine.solution(at: end.time))
    // To the bit from a little behind the last gap on.
    let behind = Self.events[2700].arrival
    let (ours, theirs) = (outputs.filter { $0.time > behind }, live.outputs.filter { $0.time > behind })
    #expect(!theirs.isEmpty && ours == theirs)
  }

  /// An engine that began with what an earlier one knew is replayed from there.
  @Test func aWarmStartIsReplayedToo() throws {
    let first = try record(Self.events, segmentBytes: 1 << 24)
    let end = try #require(first.engine.newestArrival)
    let saved = try #require(first.engine.status(at: end).savedState)
    try FileManager.default.removeItem(atPath: folder)
    let live = try record(Array(Self.events.prefix(800)), segmentBytes: 1 << 24, savedState: saved)
    #expect(live.engine.fusion.warmStart != nil)
    var outputs: [LiveOutput] = []
    let summary = try RecordingReplay().run(path: folder) { outputs.append($0) }
    #expect(outputs == live.outputs && summary.remarks.isEmpty)
    #expect(summary.status?.warmStart == live.engine.fusion.warmStart)
  }

  /// A state and what it was made of go on alike: nothing of it is left out of the image.
  @Test func anImageOfTheEngineIsTheEngine() throws {
    var engine = LiveEngine(
      configuration: LiveConfiguration(sources: [.init(id: SourceID(0), name: "r", role: .fix)]))
    for (i, event) in Self.events.enumerated() {
      // At rest, in the search for the heading, and on the way.
      if [3, 400, 1100, 2500].contains(i) {
        let began = ContinuousClock.now
        let image = try #require(ValueImage.encode(engine))
        print("an image of the engine: \(image.bytes.count) bytes in \(ContinuousClock.now - began)")
        var other: LiveEngine = try #require(ValueImage.decode(image))
        #expect(ValueImage.encode(other) != nil)
        var one = engine
        for event in Self.events[i..<min(i + 400, Self.events.count)] {
          one.process(event)
          other.process(event)
          let time = event.arrival
          if one.solution(at: time) != other.solution(at: time) {
            Issue.record("they part at \(time.seconds) s")
            break
          }
        }
        #expect(one.measurements == other.measurements)
        var foreign = image
        foreign.fingerprint ^= 1
        #expect(ValueImage.decode(foreign, as: LiveEngine.self) == nil)
        foreign = image
        foreign.bytes.removeLast()
        #expect(ValueImage.decode(foreign, as: LiveEngine.self) == nil)
      }
      engine.process(event)
    }
  }

  @Test func aRecordingBecomesADriveThatGoesTheSameWay() throws {
    let live = try record(Self.events, segmentBytes: 1 << 20)
    var drive = try RecordingImport.read(folder, name: "mine")
    #expect(
      drive.inertial.count == Self.events.count { if case .inertial = $0.content { true } else { false } })
    #expect(drive.fixes.count > 20 && drive.isUTC)
    // By the receiver, whose shortest delay counts as none: 80 ms in this drive.
    let start = try #require(drive.inertial.first).time.seconds(since: Timestamp(seconds: 1_772_000_000))
    #expect(abs(start) < 0.2)
    let path = folder + "-drive"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try drive.write(to: path)
    let replay = try DriveReplay().run(path: path)
    #expect(replay.samples[.inertial] == drive.inertial.count && replay.samples[.gnss] == drive.fixes.count)
    let (a, b) = (try #require(replay.last), try #require(live.outputs.last?.solution))
    // The drive holds times to the microsecond and seven decimals of the rates.
    #expect(LocalFrame(origin: a.position).ned(b.position).norm < 2)
  }

  @Test func aCutRecordingIsPlayedAsFarAsItGoes() throws {
    let live = try record(Array(Self.events.prefix(1500)), segmentBytes: 1 << 20)
    let file = folder + "/segment-00000001.rkl"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    // One of two cuts side by side is not between two records.
    var torn = 0
    for cut in [bytes.count * 2 / 3 + 1, bytes.count * 2 / 3] {
      try bytes.prefix(cut).write(to: URL(fileURLWithPath: file))
      var outputs: [LiveOutput] = []
      let summary = try RecordingReplay().run(path: folder) { outputs.append($0) }
      #expect(outputs == Array(live.outputs.prefix(outputs.count)) && outputs.count < live.outputs.count)
      #expect(summary.remarks.allSatisfy { $0.contains("power cut") }, "\(summary.remarks)")
      torn += summary.remarks.count
    }
    #expect((1...2).contains(torn))
  }

  @Test func sessionsAreApartAndTheLastIsPlayed() throws {
    let first = try record(Array(Self.events.prefix(600)), segmentBytes: 1 << 20)
    let second = try record(Array(Self.events.prefix(900)), segmentBytes: 1 << 20)
    for (session, live) in [(nil, second), (1, first), (2, second)] as [(Int?, Live)] {
      var outputs: [LiveOutput] = []
      let summary = try RecordingReplay(session: session).run(path: folder) { outputs.append($0) }
      #expect(outputs == live.outputs)
      #expect(summary.sessions == 2 && summary.remarks.count == 1)
    }
    #expect(throws: EvaluationError.noSuchSession(path: folder, number: 3, count: 2)) {
      _ = try RecordingReplay(session: 3).run(path: folder)
    }
  }
}
