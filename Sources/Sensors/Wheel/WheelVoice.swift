import Navigation
import SensorEvents

/// Says what comes in of wheel speeds, and how that goes.
struct WheelVoice {
  /// Seconds without a speed after which it is said that none come: buses tell it 10 to 100 times a second.
  static let silence = 0.8
  /// Least time between two statuses about lines that cannot be read, in seconds.
  static let refusalInterval = 1.0

  private let voice: SourceVoice
  private var lastReading: Timestamp?
  private var refused = 0
  private var saidRefusal: Timestamp?

  init(voice: SourceVoice) { self.voice = voice }

  /// Says what came at `arrival`.
  mutating func say(_ progress: WheelConnection.Progress, arrival: Timestamp) {
    refused += progress.refused
    let isCalm = saidRefusal.map { arrival.seconds(since: $0) >= Self.refusalInterval } ?? true
    if let refusal = progress.refusal, isCalm {
      voice.say(.faulty, "\(refused) lines cannot be read; \(refusal)")
      saidRefusal = arrival
    } else if !progress.readings.isEmpty, isCalm {
      voice.say(.streaming)
    }
    for reading in progress.readings { voice.say(.wheel(reading), arrival: arrival) }
    if !progress.readings.isEmpty { lastReading = arrival }
  }

  /// Says that nothing comes, if that is so at `now`.
  mutating func checkSilence(at now: Timestamp) {
    guard let last = lastReading, now.seconds(since: last) > Self.silence else { return }
    voice.say(.faulty, "no speed has come for \(Self.silence) s")
    lastReading = nil
  }

  /// The program that told the speeds has left: `message`.
  mutating func say(lost message: String) {
    voice.say(.lost, message)
    lastReading = nil
    saidRefusal = nil
  }
}
