import Fusion
import Live
import SensorEvents
import Testing

struct LiveEngineTests {
  /// Horizontal distance between two tracks of the same drive, from `from` seconds on, ten times a second.
  static func distances(
    _ a: [SensorEvent], to b: [SensorEvent], from: Double = 20, until end: Double = 45
  ) -> [Double] {
    zip(track(a), track(b)).compactMap { x, y in
      guard let x, let y, x.time == y.time else { return nil }
      let t = x.time.seconds - MadeEvents.boot
      return t >= from && t <= end ? x.position.ned(from: y.position).horizontalNorm : nil
    }
  }

  static func track(_ events: [SensorEvent]) -> [NavigationSolution?] {
    var engine = LiveEngine()
    var next = 0
    var track: [NavigationSolution?] = []
    for event in events {
      while MadeEvents.host(Double(next) / 10) < event.arrival {
        track.append(engine.solution(at: MadeEvents.host(Double(next) / 10)))
        next += 1
      }
      engine.process(event)
    }
    return track
  }

  /// The drive with every sample at its true time, as a replay has it.
  static let replayed: [NavigationSolution?] = {
    var engine = FusionEngine()
    var track: [NavigationSolution?] = []
    var next = 0
    for sample in MadeEvents.samples {
      let arrival = sample.arrival.advanced(bySeconds: 0.05)
      while Timestamp(seconds: Double(next) / 10) < arrival {
        track.append(engine.solution(at: Timestamp(seconds: Double(next) / 10)))
        next += 1
      }
      engine.process(sample)
    }
    return track
  }()

  @Test func trackThroughClocksAndDelaysIsThatOfReplay() throws {
    let live = Self.track(MadeEvents().events())
    var worst = 0.0
    var count = 0
    for (a, b) in zip(live, Self.replayed) {
      guard let a, let b, b.time.seconds > 20, b.time.seconds < 45 else { continue }
      #expect(a.mode == b.mode || a.isAligned == b.isAligned)
      worst = max(worst, a.position.ned(from: b.position).horizontalNorm)
      count += 1
    }
    #expect(count > 200)
    print("live against replay: worst \(worst) m of \(count)")
    // At 14 m/s a fix that is timed 20 ms wrong is off by 0.28 m, and weighs in by its part.
    #expect(worst < 0.4)
  }

  @Test func sameEventsGiveSameBits() {
    let events = MadeEvents().events()
    #expect(Self.track(events) == Self.track(events))
  }

  @Test(arguments: [86_400.0, -86_400, 0.5, -0.5])
  func stepOfTheSystemClockDoesNotDisturbTheTrack(seconds: Double) {
    var made = MadeEvents()
    let steady = made.events()
    made.step = (at: 30.013, by: seconds)
    let stepped = made.events()
    let distances = Self.distances(stepped, to: steady)
    let worst = distances.max() ?? .infinity
    print("step of \(seconds) s: worst \(worst) m")
    #expect(distances.count > 200)
    // A sample or two may be lost: 20 ms of the IMU are bridged by a straight line.
    #expect(worst < 0.02)
  }
}
