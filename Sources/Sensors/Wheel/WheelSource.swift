import Glibc
import Navigation
import SensorEvents

/// Speed and gear of the car by ``WheelProtocol``, over a Unix socket or the standard input.
///
/// The socket takes up to four programs at a time, from this user and root only. A program that leaves may come again.
public final class WheelSource: Sendable {
  private let address: WheelAddress
  private let voice: SourceVoice
  private let thread: ReaderThread

  /// A source at `address` that hands over to `sink`, once it is started.
  public init(id: SourceID, address: WheelAddress, sink: @escaping EventSink) throws(SourceError) {
    self.address = address
    voice = SourceVoice(id: id, sink: sink)
    thread = try ReaderThread(name: "wheel")
  }

  /// Starts reading; a second call changes nothing. If the system has no thread to give, the status says so.
  public func start() {
    do throws(SourceError) {
      try thread.start { [address, voice] stop in
        switch address {
        case .socket(let path): WheelListener(path: path, voice: voice).run(until: stop)
        case .standardInput: WheelInput(voice: voice).run(until: stop)
        }
      }
    } catch {
      voice.say(.failed, error.description)
    }
  }

  /// Stops reading and waits for the thread, no longer than so many seconds; whether it has ended.
  @discardableResult
  public func stop(within seconds: Double = 1) -> Bool {
    voice.close()
    return thread.stop(within: seconds)
  }
}
