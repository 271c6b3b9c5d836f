import CLibrary
import Navigation
import SensorEvents

/// Wheel speeds by the standard input, until it ends.
struct WheelInput {
  let voice: SourceVoice

  func run(until stop: StopSignal) {
    voice.say(.connected, "reading the standard input")
    var connection = WheelConnection(descriptor: STDIN_FILENO, answers: false)
    var speaker = WheelVoice(voice: voice)
    while true {
      let waited = stop.wait(for: STDIN_FILENO, atMost: 0.2)
      let now = HostClock.now()
      switch waited {
      case .stopped: return
      case .timedOut: break
      case .ready:
        let progress = connection.receive()
        speaker.say(progress, arrival: now)
        if progress.hasEnded {
          voice.say(.failed, "the standard input has ended")
          return
        }
      }
      speaker.checkSilence(at: now)
    }
  }
}
