import Navigation
import SensorEvents

/// Opens the IMU, reads it until it is lost, and opens it again: what the threads of an ``IIOSource`` run.
final class IIOOpener: Sendable {
  /// How often silence is looked for, in seconds.
  static let watchInterval = 0.25

  /// Longest wait for the thread of a second device, in seconds.
  static let joinLimit = 3.0

  private let settings: IIOSettings
  private let voice: SourceVoice
  private let current = Guarded<IMUSession?>(nil)

  init(settings: IIOSettings, voice: SourceVoice) {
    self.settings = settings
    self.voice = voice
  }

  /// Asks the session that runs to end with its next samples.
  func ask() { current.withLock { $0 }?.ask() }

  /// Ends the session that runs.
  func cancel() { current.withLock { $0 }?.end() }

  /// Looks after the session that runs, until the source stops.
  func watch(until stop: StopSignal) {
    while stop.wait(atMost: Self.watchInterval) == .timedOut { current.withLock { $0 }?.checkSilence() }
  }

  /// Reads until the source stops.
  func run(until stop: StopSignal) {
    voice.say(.connecting, "opening \(settings.address)")
    var backoff = Backoff()
    while !stop.isSet {
      let (fault, hasStreamed) = attempt(stop)
      if stop.isSet { return }
      switch fault {
      case .hopeless:
        voice.say(.failed, fault.message)
        return
      case .improved: continue
      case .unusable: voice.say(.faulty, fault.message)
      case .library: voice.say(.lost, fault.message)
      }
      if hasStreamed { backoff.reset() }
      _ = stop.wait(atMost: backoff.next())
    }
  }

  /// One session, from opening to loss.
  private func attempt(_ stop: StopSignal) -> (fault: IIOFault, hasStreamed: Bool) {
    do throws(IIOFault) {
      let opened = try OpenedIMU(settings: settings, voice: voice)
      let session = opened.session
      current.withLock { $0 = session }
      defer { current.withLock { $0 = nil } }
      if stop.isSet { session.end() }
      voice.say(.connected, opened.summary)
      let other = try opened.startOther()
      opened.readers[0].run()
      if session.ended.isSet, session.failure == nil { other?.stop(within: IIOSource.courtesy) }
      session.end()
      other?.stop(within: Self.joinLimit)
      return (session.failure ?? .library(IIOError(code: 5, action: "reading the IMU")), session.hasStreamed)
    } catch {
      return (error, false)
    }
  }
}
