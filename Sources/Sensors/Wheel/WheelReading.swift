import SensorEvents

extension SensorReader {
  /// Speed and gear of the car by ``WheelProtocol``, over a Unix socket or the standard input.
  ///
  /// The socket takes up to four programs at a time, from this user and root only. A program
  /// that leaves may come again.
  public convenience init(id: SourceID, wheel address: WheelAddress, sink: @escaping EventSink)
    throws(SourceError)
  {
    try self.init(id: id, name: "wheel", sink: sink) { voice, stop in
      switch address {
      case .socket(let path): WheelListener(path: path, voice: voice).run(until: stop)
      case .standardInput: WheelInput(voice: voice).run(until: stop)
      }
    }
  }
}
