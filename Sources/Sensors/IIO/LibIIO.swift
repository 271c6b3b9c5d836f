// Every call of libiio is in this file: version 1.0 renames most of them.
import CLibiio
import CLibrary

/// A call of libiio that did not succeed.
package struct IIOError: Error, Equatable, CustomStringConvertible {
  /// The system's error number, positive.
  package var code: Int32
  /// What was tried, as in "opening ip:imu.local".
  package var action: String

  package var description: String { "\(action): \(SystemError.text(code))" }

  /// Whether nothing came within the time limit.
  package var isTimeout: Bool { code == ETIMEDOUT || code == EAGAIN }
}

/// An open context. One thread uses it at a time.
package final class IIOContext {
  private let context: OpaquePointer

  /// Opens `uri`; a network that does not answer takes libiio 5 s.
  package init(uri: String) throws(IIOError) {
    errno = 0
    guard let context = iio_create_context_from_uri(uri) else {
      throw IIOError(code: errno == 0 ? EIO : errno, action: "opening \(uri)")
    }
    self.context = context
  }

  deinit { iio_context_destroy(context) }

  /// Limits every call from now on, in seconds.
  package func limitCalls(toSeconds seconds: Double) throws(IIOError) {
    try check(iio_context_set_timeout(context, UInt32(max(1, seconds * 1e3))), "setting a time limit")
  }

  /// All devices and triggers.
  package var devices: [IIODeviceDescription] {
    (0..<iio_context_get_devices_count(context)).compactMap { index in
      guard let device = iio_context_get_device(context, index) else { return nil }
      var description = IIODeviceDescription(id: text(iio_device_get_id(device)) ?? "")
      description.name = text(iio_device_get_name(device))
      description.label = text(iio_device_get_label(device))
      description.isTrigger = iio_device_is_trigger(device)
      description.attributes = Set(
        (0..<iio_device_get_attrs_count(device)).compactMap { text(iio_device_get_attr(device, $0)) })
      description.channels = (0..<iio_device_get_channels_count(device)).compactMap {
        iio_device_get_channel(device, $0).flatMap(describe)
      }
      return description
    }
  }

  /// The text of an attribute of a device, or of a channel of it.
  package func read(_ attribute: String, device: String, channel: String? = nil) throws(IIOError) -> String {
    let action = "reading \(path(attribute, device, channel))"
    let handle = try find(device, action)
    var bytes = [CChar](repeating: 0, count: 1024)
    let length: Int
    if let channel {
      guard let channel = iio_device_find_channel(handle, channel, false) else {
        throw IIOError(code: ENOENT, action: action)
      }
      length = iio_channel_attr_read(channel, attribute, &bytes, bytes.count)
    } else {
      length = iio_device_attr_read(handle, attribute, &bytes, bytes.count)
    }
    try check(Int32(clamping: length), action)
    let text = bytes.prefix(min(length, bytes.count)).prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let trimmed = text.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
    return String(decoding: trimmed, as: UTF8.self)
  }

  /// Writes an attribute of a device, or of a channel of it.
  package func write(_ value: String, to attribute: String, device: String, channel: String? = nil)
    throws(IIOError)
  {
    let action = "writing \(value) to \(path(attribute, device, channel))"
    let handle = try find(device, action)
    if let channel {
      guard let channel = iio_device_find_channel(handle, channel, false) else {
        throw IIOError(code: ENOENT, action: action)
      }
      try check(Int32(clamping: iio_channel_attr_write(channel, attribute, value)), action)
    } else {
      try check(Int32(clamping: iio_device_attr_write(handle, attribute, value)), action)
    }
  }

  /// The trigger of a device; nil where none is set, ENOENT where it needs none.
  package func trigger(ofDevice device: String) throws(IIOError) -> String? {
    let action = "reading the trigger of \(device)"
    var trigger: OpaquePointer?
    let code = iio_device_get_trigger(try find(device, action), &trigger)
    // A remote libiio says ENODEV where there is none.
    if code == -ENODEV { return nil }
    try check(code, action)
    return trigger.flatMap { text(iio_device_get_id($0)) }
  }

  /// Lets a trigger start the samples of a device.
  package func setTrigger(_ trigger: String, ofDevice device: String) throws(IIOError) {
    let action = "setting trigger \(trigger) of \(device)"
    try check(iio_device_set_trigger(try find(device, action), try find(trigger, action)), action)
  }

  /// Starts buffered capture: `samples` to a refill, `depth` refills held by the kernel.
  package func openBuffer(device: String, channels: [String], samples: Int, depth: Int)
    throws(IIOError) -> IIOBuffer
  {
    let action = "starting the buffer of \(device)"
    let handle = try find(device, action)
    for index in 0..<iio_device_get_channels_count(handle) {
      if let channel = iio_device_get_channel(handle, index) { iio_channel_disable(channel) }
    }
    var enabled: [OpaquePointer] = []
    for id in channels {
      guard let channel = iio_device_find_channel(handle, id, false) else {
        throw IIOError(code: ENOENT, action: "\(action), channel \(id)")
      }
      // Whatever a server claims, a value never takes more than the eight bytes that it is converted into.
      guard describe(channel)?.format.isReadable == true else {
        throw IIOError(code: EPROTO, action: "\(action), channel \(id)")
      }
      iio_channel_enable(channel)
      enabled.append(channel)
    }
    // Refused by some servers, which then keep their four.
    _ = iio_device_set_kernel_buffers_count(handle, UInt32(depth))
    errno = 0
    guard let buffer = iio_device_create_buffer(handle, samples, false) else {
      throw IIOError(code: errno == 0 ? EIO : errno, action: action)
    }
    return IIOBuffer(buffer, context: self, channels: enabled, device: device)
  }

  private func find(_ device: String, _ action: String) throws(IIOError) -> OpaquePointer {
    guard let handle = iio_context_find_device(context, device) else {
      throw IIOError(code: ENODEV, action: action)
    }
    return handle
  }
}

/// A running capture. One thread refills and closes it; any may cancel it.
package final class IIOBuffer {
  private let context: IIOContext
  private let buffer: OpaquePointer
  private let channels: [Channel]
  private let action: String
  /// What other threads may do to it.
  package let canceller: Canceller

  fileprivate init(_ buffer: OpaquePointer, context: IIOContext, channels: [OpaquePointer], device: String) {
    self.buffer = buffer
    self.context = context
    self.channels = channels.map(Channel.init)
    self.action = "reading \(device)"
    self.canceller = Canceller(buffer)
  }

  deinit {
    canceller.retire()
    iio_buffer_destroy(buffer)
  }

  /// Waits for samples and appends their raw values to `values`, as many a sample as there are channels, in
  /// the order in which those were named; says how many samples there were.
  package func refill(into values: inout [Int64]) throws(IIOError) -> Int {
    let length = iio_buffer_refill(buffer)
    guard length >= 0 else { throw IIOError(code: Int32(clamping: -length), action: action) }
    let step = iio_buffer_step(buffer)
    guard step > 0, let start = iio_buffer_start(buffer), let end = iio_buffer_end(buffer) else { return 0 }
    // After half a sample all that follows would be shifted.
    guard (end - start) % step == 0 else { throw IIOError(code: EPROTO, action: action) }
    let count = (end - start) / step
    var firsts: [UnsafeMutableRawPointer] = []
    for channel in channels {
      guard let first = iio_buffer_first(buffer, channel.handle) else { return 0 }
      firsts.append(first)
    }
    for sample in 0..<count {
      for (channel, first) in zip(channels, firsts) {
        values.append(channel.value(at: first + sample * step))
      }
    }
    return count
  }

  /// A channel that is captured.
  private struct Channel {
    let handle: OpaquePointer
    /// Bits above those of a value, and whether the highest of these is a sign.
    let unused: Int64
    let isSigned: Bool

    init(_ handle: OpaquePointer) {
      self.handle = handle
      let format = iio_channel_get_data_format(handle)?.pointee
      unused = max(0, 64 - Int64(format?.length ?? 64))
      isSigned = format?.is_signed ?? true
    }

    /// libiio writes as many bytes as the channel is stored in, extended by its sign no further than that.
    func value(at address: UnsafeMutableRawPointer) -> Int64 {
      var bits: UInt64 = 0
      iio_channel_convert(handle, &bits, address)
      let high = UInt64(littleEndian: bits) << UInt64(unused)
      return isSigned ? Int64(bitPattern: high) >> unused : Int64(bitPattern: high >> UInt64(unused))
    }
  }

  /// Ends a refill that waits, from any thread.
  package final class Canceller: Sendable {
    private struct Target: @unchecked Sendable {
      // Only iio_buffer_cancel is called on it, which libiio allows of any thread,
      // and never after `retire()`.
      var buffer: OpaquePointer?
    }
    private let target: Guarded<Target>

    fileprivate init(_ buffer: OpaquePointer) { target = Guarded(Target(buffer: buffer)) }

    /// Makes the refill that runs, and all after it, fail at once.
    package func cancel() {
      target.withLock { target in
        if let buffer = target.buffer { iio_buffer_cancel(buffer) }
      }
    }

    fileprivate func retire() { target.withLock { $0.buffer = nil } }
  }
}

private func check(_ code: Int32, _ action: String) throws(IIOError) {
  if code < 0 { throw IIOError(code: code == .min ? EIO : -code, action: action) }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

private func path(_ attribute: String, _ device: String, _ channel: String?) -> String {
  [device, channel, attribute].compactMap { $0 }.joined(separator: "/")
}

private func describe(_ channel: OpaquePointer) -> IIOChannelDescription? {
  guard !iio_channel_is_output(channel), let id = text(iio_channel_get_id(channel)) else { return nil }
  let quantity: IIOQuantity =
    switch iio_channel_get_type(channel) {
    case IIO_ANGL_VEL: .angularRate
    case IIO_ACCEL: .acceleration
    case IIO_TEMP: .temperature
    case IIO_PRESSURE: .pressure
    case IIO_TIMESTAMP: .timestamp
    default: .other
    }
  let axis: Int? =
    switch iio_channel_get_modifier(channel) {
    case IIO_MOD_X: 0
    case IIO_MOD_Y: 1
    case IIO_MOD_Z: 2
    default: nil
    }
  var format = IIOSampleFormat()
  if let known = iio_channel_get_data_format(channel)?.pointee {
    format = IIOSampleFormat(
      storageBits: Int(known.length), bits: Int(known.bits), isSigned: known.is_signed,
      count: Int(known.repeat))
  }
  return IIOChannelDescription(
    id: id, quantity: quantity, axis: axis, isScanElement: iio_channel_is_scan_element(channel),
    format: format,
    attributes: Set(
      (0..<iio_channel_get_attrs_count(channel)).compactMap { text(iio_channel_get_attr(channel, $0)) })
  )
}
