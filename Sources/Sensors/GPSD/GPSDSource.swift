import Locks
import Navigation
import SensorEvents

/// A GNSS receiver by gpsd: connects, watches, decodes by libgps, and connects again whenever it has to.
///
/// It posts `.fix`, `.sky`, `.clocks` (TOFF and PPS, if gpsd runs on this computer) and `.status`. Nothing in
/// it waits for more than a few seconds, but for the name service, if the host is given by name.
public final class GPSDSource: Sendable {
  private let reader: GPSDReader
  private let thread: ReaderThread

  /// The receiver that `address` names. `accuracy` says what gpsd's error estimates mean; the default finds
  /// out. `adjustsReceiver`: gpsd is asked to set the receiver to what ``want(_:)`` says, which other
  /// clients of gpsd would notice.
  public init(
    id: SourceID, address: GPSDAddress, accuracy: StatedAccuracy = .automatic, adjustsReceiver: Bool = false,
    sink: @escaping EventSink
  ) throws(SourceError) {
    reader = GPSDReader(
      id: id, address: address, accuracy: accuracy, adjustsReceiver: adjustsReceiver, sink: sink)
    thread = try ReaderThread(name: "gpsd")
  }

  /// Starts reading; a second call does nothing. If the system has no thread to give, the status says so.
  public func start() {
    do throws(SourceError) {
      try thread.start { [reader] stop in reader.run(until: stop) }
    } catch {
      reader.fail(error)
    }
  }

  /// Ends reading and waits for that, for at most `seconds`; returns whether it has ended. It
  /// cannot be started again.
  @discardableResult public func stop(within seconds: Double = 1) -> Bool { thread.stop(within: seconds) }

  /// From now on so many fixes a second are enough, the others are passed over; nil: every one
  /// counts, as at the start.
  public func want(_ rate: Double?) { reader.want(rate) }

  /// What has come so far.
  public var counts: GPSDCounts { reader.counts }
}
