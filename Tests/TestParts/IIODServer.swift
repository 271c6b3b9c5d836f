import CLibrary
import Sensors

/// A server of iiod's protocol (libiio 0.24's network clients) whose devices, samples
/// and faults a test decides.
///
/// A sample that is pushed while no client has its device open is dropped, as a kernel's
/// would be that takes none.
package final class IIODServer: Sendable {
  /// What it does wrong.
  package enum Fault: Sendable, Equatable {
    /// Nothing.
    case none
    /// It never answers a request for samples.
    case silentReads
    /// It never answers anything.
    case deaf
    /// It answers with random bytes.
    case garbage
    /// It hangs up in the middle of the next sample.
    case hangUpInSample
    /// It answers requests for samples with this error (negative), as for a device that is gone.
    case readError(Int)
  }

  struct State {
    var devices: [IIODDevice]
    var fault = Fault.none
    /// Samples that an open device still has to give, by device.
    var queues: [String: [[Int64]]] = [:]
    var generation = 0
    var refusesBuffers = false
  }

  /// The port that it listens at, on the loopback.
  package let port: UInt16
  /// What a client opens.
  package var uri: String { "ip:127.0.0.1:\(port)" }

  let state: Guarded<State>
  private let socket: Int32
  private let thread: ReaderThread

  /// Serves `devices` at `port`, or at a port of the kernel's choice.
  package init(_ devices: [IIODDevice], port: UInt16 = 0) throws {
    state = Guarded(State(devices: devices))
    (socket, self.port) = try LoopbackPort.listen(port)
    thread = try ReaderThread(name: "iiod")
    try thread.start { [self] stop in accept(until: stop) }
  }

  /// Ends it and all its connections, as a crash would.
  package func stop() {
    thread.stop(within: 5)
    close(socket)
  }

  /// What it tells of `devices`: libiio's XML.
  package static func description(of devices: [IIODDevice]) -> String { IIODContext.xml(devices) }

  /// Sets what it does wrong from now on.
  package func set(_ fault: Fault) { state.withLock { $0.fault = fault } }

  /// Whether it refuses to start buffers.
  package func set(refusesBuffers: Bool) { state.withLock { $0.refusesBuffers = refusesBuffers } }

  /// Changes the devices; clients see it when they connect again.
  package func set(devices: [IIODDevice]) { state.withLock { $0.devices = devices } }

  /// The devices as clients have left them.
  package var devices: [IIODDevice] { state.withLock { $0.devices } }

  /// Whether a client has the device's buffer open.
  package func isOpen(_ device: String) -> Bool { state.withLock { $0.queues[device] != nil } }

  /// Gives a sample: the raw values of the channels that a buffer holds, in their order.
  /// Whether a client will get it.
  @discardableResult package func push(_ values: [Int64], device: String = "iio:device0") -> Bool {
    state.withLock { $0.queues[device]?.append(values) != nil }
  }

  private func accept(until stop: StopSignal) {
    var connections: [ReaderThread] = []
    while stop.wait(for: socket, atMost: 1) != .stopped {
      var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 0) == 1 else { continue }
      let peer = CLibrary.accept(socket, nil, nil)
      guard peer >= 0 else { continue }
      guard let thread = try? ReaderThread(name: "iiod-client") else {
        close(peer)
        continue
      }
      try? thread.start { [self] stop in
        IIODConnection(peer, server: self, stop: stop).serve()
      }
      connections.append(thread)
    }
    for connection in connections { connection.stop(within: 5) }
  }
}

/// Why a part of a test could not be made.
package struct IIODFailure: Error, CustomStringConvertible {
  /// What went wrong.
  package let text: String
  /// For this reason.
  package init(text: String) { self.text = text }
  /// The reason.
  package var description: String { text }
}
