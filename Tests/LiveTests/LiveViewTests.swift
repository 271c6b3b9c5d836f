import Fusion
import Live
import SensorEvents
import Testing

struct LiveViewTests {
  /// The status after so many seconds of the drive.
  private func status(_ seconds: Double, _ made: MadeEvents = MadeEvents()) -> LiveStatus {
    var engine = LiveEngine(
      configuration: LiveConfiguration(sources: [
        SourceDescription(id: MadeEvents.imu, name: "IMU local:", role: .inertial),
        SourceDescription(
          id: MadeEvents.receiver, name: "gpsd a.rather.long.name.of.a.host:2947:/dev/ttyACM0", role: .fix),
      ]))
    for event in made.events() where event.arrival <= MadeEvents.host(seconds) { engine.process(event) }
    return engine.status(at: MadeEvents.host(seconds))
  }

  @Test(arguments: [0, 2, 10, 45] as [Double], [40, 80, 132])
  func everyLineFits(seconds: Double, columns: Int) {
    let view = LiveView(status(seconds), utc: "2026-03-01T12:00:00.125Z", columns: columns)
    #expect(view.lines.count >= 8)
    for line in view.lines { #expect(line.count <= columns, "\(line)") }
    #expect(!view.line.contains("\n"))
  }

  @Test func whatIsNeededShrinksAsItIsLearned() {
    let before = LiveEngine().status(at: MadeEvents.host(0))
    #expect(before.needs == [.motionSensor, .receiver])
    #expect(status(2).needs == [.drive])
    let after = status(45)
    #expect(!after.needs.contains(.drive) && !after.needs.contains(.straight))
    #expect(after.solution?.isAligned == true)
  }

  /// A stream of samples whose times cannot be is of no use, however fast it comes.
  @Test func anIMUWhoseTimesCannotBeIsNotShownAsStreaming() {
    var engine = LiveEngine(
      configuration: LiveConfiguration(sources: [
        SourceDescription(id: MadeEvents.imu, name: "IMU local:", role: .inertial)
      ]))
    for event in MadeEvents().events() where event.arrival <= MadeEvents.host(10) {
      var event = event
      if case .inertial(var reading) = event.content {
        // The system clock's count, said to be the boot clock's.
        (reading.time, reading.clock) = (Timestamp(seconds: MadeEvents.unix), .host)
        event.content = .inertial(reading)
      }
      engine.process(event)
    }
    let status = engine.status(at: MadeEvents.host(10))
    #expect(status.needs == [.timedIMU], "\(status.needs)")
    let view = LiveView(status)
    #expect(view.line.contains("IMU local: 999 of 999 samples refused for their times"), "\(view.line)")
    #expect(view.lines.contains { $0.contains("IMU local:") && $0.contains("unusable") })
    #expect(view.line.contains("reckon doctor"))
  }

  @Test func whatIsLearnedIsSaidWithHowWell() throws {
    let calibration = try #require(status(45).calibration)
    let list = LearnedQuantity.list(calibration)
    #expect(list.first?.name == "Gyroscope bias" && Set(list.map(\.name)).count == list.count)
    for quantity in list {
      #expect(!quantity.value.isEmpty || !quantity.uncertainty.isEmpty, "\(quantity)")
      #expect(!(quantity.value + quantity.uncertainty).contains("–"), "\(quantity)")
    }
    // The drive has no wheels: their scale stays where it began, and is not shown.
    #expect(!list.contains { $0.name.contains("wheels' speed") })
    #expect(list.contains { $0.name.contains("Mounting") } == (calibration.vehicleFromBody != nil))
    #expect(status(45).needs == Need.lacking(in: calibration))
  }

  @Test func aViewOfADriveSaysModePositionAndSources() {
    let text = LiveView(status(45)).lines.joined(separator: "\n")
    for words in [
      "fused with fixes", "° N", "m (68 %)", "heading", "streaming", "100.0 Hz", "gyroscope bias",
    ] {
      #expect(text.contains(words), "\(words) in\n\(text)")
    }
  }

  @Test func fixesThatLieElsewhereAreSaid() {
    var engine = LiveEngine()
    func line(_ seconds: Double) -> String { LiveView(engine.status(at: MadeEvents.host(seconds))).line }
    var lines: [String] = []
    for var event in MadeEvents().events() {
      if event.arrival > MadeEvents.host(36), lines.isEmpty { lines.append(line(36)) }
      guard event.arrival <= MadeEvents.host(42) else { break }
      if case .fix(var reading) = event.content, event.arrival > MadeEvents.host(36) {
        reading.fix.position.latitude += 500 / 6.4e6
        event.content = .fix(reading)
      }
      engine.process(event)
    }
    lines.append(line(42))
    #expect(!lines[0].contains("elsewhere") && lines[0].contains("height"))
    #expect(lines[1].contains("fixes in a row lie elsewhere"))
  }

  @Test func satellitesOfASilentReceiverAreShownNoMore() {
    var engine = LiveEngine()
    for event in MadeEvents().events() where event.arrival <= MadeEvents.host(5) { engine.process(event) }
    let sky = SensorEvent.Content.sky(SkyReading(visible: 9, used: 8))
    engine.process(SensorEvent(source: MadeEvents.receiver, arrival: MadeEvents.host(5), content: sky))
    #expect(LiveView(engine.status(at: MadeEvents.host(6))).line.contains("8/9 satellites"))
    #expect(!LiveView(engine.status(at: MadeEvents.host(20))).line.contains("satellites"))
  }

  @Test func silenceIsSaidWithinASecond() {
    var made = MadeEvents()
    made.isSilent = { source, t in t > 30 && source != MadeEvents.receiver }
    let status = status(31, made)
    #expect(status.sources.first { $0.id == MadeEvents.imu }?.state == .faulty)
    #expect(status.sources.first { $0.id == MadeEvents.receiver }?.state == .streaming)
    made.isSilent = { _, t in t > 30 }
    let quiet = self.status(34, made)
    #expect(quiet.sources.allSatisfy { $0.state == .faulty })
    #expect(LiveView(quiet).lines.contains { $0.contains("no sensor speaks") })
  }
}
