import Drives
import Live
import Navigation
import Recording
import SensorEvents

/// A session of a recording as a drive: the samples as the live engine had them, on one clock.
public enum RecordingImport {
  /// Reads a session of the recording at `path`, from 1; the last if nil.
  public static func read(_ path: String, name: String?, session: Int? = nil) throws -> DriveImport {
    let (session, _, _) = try RecordingReplay.choose(session, path)
    var reader = try RecordingReader(path: path, session: session)
    var engine = LiveEngine()
    let folder = path.split(separator: "/").last.map(String.init) ?? "recording"
    var drive = DriveImport(name: name ?? folder)
    var isFirst = true
    var refused = 0
    while let entry = try reader.next() {
      if case .item(.configuration(let text)) = entry, isFirst,
        let configuration = LiveRecording.configuration(text)
      {
        engine = LiveEngine(configuration: configuration)
        describe(configuration, &drive)
      }
      guard case .item(.event(let event)) = entry else { continue }
      isFirst = false
      if case .sky(let reading) = event.content { drive.add(reading, at: event.arrival) }
      engine.process(event)
      switch engine.fused {
      case .inertial(let sample): drive.inertial.append(sample)
      case .gnss(let fix): drive.fixes.append(fix)
      case .wheel(let sample): drive.wheel.append(sample)
      case .pressure(let sample): drive.pressure.append(sample)
      case nil: if event.isSample { refused += 1 }
      }
    }
    drive.description.source = "recorded by reckon"
    drive.notes += reader.report.remarks
    if refused > 0 {
      drive.notes.append("\(refused) samples were not used by the live engine either and are left out")
    }
    toUTC(&drive, engine)
    return drive
  }

  private static func describe(_ configuration: LiveConfiguration, _ drive: inout DriveImport) {
    for source in configuration.sources {
      switch source.role {
      case .inertial: drive.description.imu = .init(model: source.name, frame: "FRD")
      case .fix: drive.description.gnss = source.name
      case .wheel: drive.description.wheel = source.name
      case .pressure: drive.description.barometer = source.name
      }
    }
  }

  /// Counts times from 1970 where the receiver or the computer told UTC, by its offset at the end.
  private static func toUTC(_ drive: inout DriveImport, _ engine: LiveEngine) {
    guard let end = engine.newestArrival, let utc = engine.utc(at: end) else { return }
    let offset = utc.time.nanoseconds &- end.nanoseconds
    func move(_ time: inout Timestamp) { time.nanoseconds &+= offset }
    for i in drive.inertial.indices { move(&drive.inertial[i].time) }
    for i in drive.wheel.indices { move(&drive.wheel[i].time) }
    for i in drive.pressure.indices { move(&drive.pressure[i].time) }
    for i in drive.sky.indices { move(&drive.sky[i].time) }
    for i in drive.fixes.indices {
      move(&drive.fixes[i].time)
      if var received = drive.fixes[i].received {
        move(&received)
        drive.fixes[i].received = received
      }
    }
    drive.isUTC = true
  }
}

extension DriveImport {
  /// The satellites of a reading, at its arrival.
  fileprivate mutating func add(_ reading: SkyReading, at time: Timestamp) {
    sky += reading.satellites.map { seen in
      var sample = SatelliteSample(time: time, constellation: seen.constellation, number: seen.number)
      sample.elevationDegrees = seen.elevationDegrees
      sample.azimuthDegrees = seen.azimuthDegrees
      sample.strength = seen.strength
      sample.isUsed = seen.isUsed
      return sample
    }
  }
}

extension SensorEvent {
  fileprivate var isSample: Bool {
    switch content {
    case .inertial, .wheel, .pressure: true
    case .fix(let reading): reading.dimensions != .none
    case .sky, .temperature, .clocks, .lost, .status: false
    }
  }
}
