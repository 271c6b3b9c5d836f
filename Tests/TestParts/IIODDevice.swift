import Navigation

/// A device or trigger that an ``IIODServer`` shows.
package struct IIODDevice: Sendable {
  /// A channel of it.
  package struct Channel: Sendable {
    /// libiio's name, as in `anglvel_x`.
    package var id: String
    /// Form in the buffer, as in `le:S16/16>>0`; nil where no buffer holds it. Its place is its
    /// place among the channels.
    package var format: String?
    /// Attributes with their texts.
    package var attributes: [String: String]

    /// A channel.
    package init(_ id: String, format: String? = nil, attributes: [String: String] = [:]) {
      self.id = id
      self.format = format
      self.attributes = attributes
    }
  }

  /// As in `iio:device0` or `trigger0`.
  package var id: String
  /// As in `bmi160`.
  package var name: String
  /// Attributes with their texts.
  package var attributes: [String: String]
  /// Its channels.
  package var channels: [Channel]
  /// Name of its trigger; empty: none is set; nil: it needs none.
  package var trigger: String?

  /// A device.
  package init(
    id: String, name: String, attributes: [String: String] = [:], channels: [Channel] = [],
    trigger: String? = nil
  ) {
    self.id = id
    self.name = name
    self.attributes = attributes
    self.channels = channels
    self.trigger = trigger
  }

  /// A triad of 16-bit channels, as in `accel` with x, y, z.
  package static func triad(_ kind: String, scale: String, format: String = "le:S16/16>>0") -> [Channel] {
    ["x", "y", "z"].map {
      Channel("\(kind)_\($0)", format: format, attributes: ["raw": "0", "scale": scale])
    }
  }

  /// An IMU of the usual kind: accelerometer and gyroscope of `bits` bits, timestamps, a clock to
  /// choose, rates to choose.
  package static func imu(
    id: String = "iio:device0", rate: Int = 100, accelScale: String = "0.0012",
    gyroScale: String = "0.001065264", bits: Int = 16
  ) -> IIODDevice {
    let format = "le:S\(bits)/\(bits)>>0"
    return IIODDevice(
      id: id, name: "bmi160",
      attributes: [
        "current_timestamp_clock": "realtime", "sampling_frequency": String(rate),
        "sampling_frequency_available": "25 50 100 200 400",
      ],
      channels: triad("accel", scale: accelScale, format: format)
        + triad("anglvel", scale: gyroScale, format: format)
        + [Channel("timestamp", format: "le:S64/64>>0")])
  }

  /// The raw values of a sample of ``imu(id:rate:accelScale:gyroScale:bits:)`` for a force (m/s²), a rate
  /// (rad/s) and a time by the clock of its timestamps: each to the nearest step.
  package func raw(force: Vector3, rate: Vector3, time: Timestamp) -> [Int64] {
    let values = (0..<3).map { force[$0] } + (0..<3).map { rate[$0] }
    return zip(channels, values).map { channel, value in
      let step = channel.attributes["scale"].flatMap(Double.init) ?? 1
      return Int64((value / step).rounded())
    } + [time.nanoseconds]
  }

  /// Bytes in a sample with all its channels: each aligned to its own size, the whole to the largest.
  package var sampleSize: Int { layout(enabled: channels.map { $0.format != nil }).size }

  /// Where each enabled channel is in a sample, with its width in bytes, and the sample's size.
  func layout(enabled: [Bool]) -> (places: [(offset: Int, width: Int)?], size: Int) {
    var offset = 0
    var largest = 1
    let places = zip(channels, enabled).map { channel, isEnabled -> (offset: Int, width: Int)? in
      guard isEnabled, let width = channel.width else { return nil }
      offset = (offset + width - 1) / width * width
      largest = max(largest, width)
      defer { offset += width }
      return (offset, width)
    }
    return (places, (offset + largest - 1) / largest * largest)
  }

  /// The bytes of a sample: raw values of the enabled channels out of those of all with
  /// a format, in their order.
  func bytes(of values: [Int64], enabled: [Bool]) -> [UInt8] {
    let (places, size) = layout(enabled: enabled)
    var bytes = [UInt8](repeating: 0, count: size)
    var value = values.makeIterator()
    for (channel, place) in zip(channels, places) where channel.format != nil {
      guard let raw = value.next(), let place else { continue }
      for index in 0..<place.width {
        let shift = 8 * (channel.isBigEndian ? place.width - 1 - index : index)
        bytes[place.offset + index] = UInt8(truncatingIfNeeded: (raw << Int64(channel.shift)) >> Int64(shift))
      }
    }
    return bytes
  }
}

extension IIODDevice.Channel {
  /// Bytes that it takes in a buffer: the number between the slash and what follows it.
  var width: Int? {
    guard let format, let slash = format.firstIndex(of: "/") else { return nil }
    return Int(format[format.index(after: slash)...].prefix { $0.isNumber }).map { $0 / 8 }
  }

  var isBigEndian: Bool { format?.hasPrefix("be") ?? false }

  /// How far its bits are shifted up in a buffer.
  var shift: Int { format?.split(separator: ">").last.flatMap { Int($0) } ?? 0 }
}
