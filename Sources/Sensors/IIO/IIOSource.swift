import Navigation
import SensorEvents

/// An IMU of Linux's Industrial I/O, read through libiio.
///
/// One thread reads (two where gyroscope and accelerometer are devices of their own), one watches that it
/// does. Every change of state is said as a `.status` within a second. A device that is lost is tried again
/// after 0.1 s, then after twice as long each time up to 5 s, for as long as the source runs.
public final class IIOSource: Sendable {
  /// A device that streams may end in order for so long, in seconds, before it is cut off.
  static let courtesy = 0.25

  private let voice: SourceVoice
  private let opener: IIOOpener
  private let reader: ReaderThread
  private let watch: ReaderThread

  /// A source that reads as `settings` says and hands over to `sink`, once it is started.
  public init(id: SourceID, settings: IIOSettings = IIOSettings(), sink: @escaping EventSink)
    throws(SourceError)
  {
    voice = SourceVoice(id: id, sink: sink)
    var settings = settings
    settings.rate = IIOSettings.bounded(settings.rate)
    opener = IIOOpener(settings: settings, voice: voice)
    reader = try ReaderThread(name: "iio")
    watch = try ReaderThread(name: "iio-watch")
  }

  deinit {
    stop(within: 0)
    opener.cancel()
  }

  /// Starts reading; a second call changes nothing. If the system has no thread to give, the status says so.
  public func start() {
    do throws(SourceError) {
      try reader.start { [opener] stop in opener.run(until: stop) }
      try watch.start { [opener] stop in opener.watch(until: stop) }
    } catch {
      voice.say(.failed, error.description)
    }
  }

  /// Stops reading and waits for the threads, no longer than so many seconds; whether they have ended. With 0
  /// s the device is asked to end with its next sample, else it is cut off where it does not. A thread that
  /// the kernel does not give back is left behind, and says nothing more.
  @discardableResult
  public func stop(within seconds: Double = 1) -> Bool {
    voice.close()
    let deadline = HostClock.now().advanced(bySeconds: seconds)
    _ = reader.stop(within: 0)
    opener.ask()
    var hasReaderEnded = reader.stop(within: min(Self.courtesy, seconds / 2))
    if !hasReaderEnded, seconds > 0 {
      opener.cancel()
      hasReaderEnded = reader.stop(within: max(0, deadline.seconds(since: HostClock.now())))
    }
    return watch.stop(within: max(0, deadline.seconds(since: HostClock.now()))) && hasReaderEnded
  }
}
