/// What a context of libiio holds, as plain values: what devices are chosen by, and what people are shown.
public struct IIODeviceDescription: Sendable, Equatable {
  /// The kernel's name, as in `iio:device0`.
  public var id: String
  /// The chip's name, as in `bmi160`.
  public var name: String?
  /// Where it is, as in `accel-base`, if the machine says so.
  public var label: String?
  /// Whether it is a trigger rather than a device.
  public var isTrigger = false
  /// Attributes of the whole device.
  public var attributes: Set<String> = []
  /// Its input channels.
  public var channels: [IIOChannelDescription] = []

  /// A device or trigger.
  public init(id: String, name: String? = nil, label: String? = nil) {
    self.id = id
    self.name = name
    self.label = label
  }

  /// Chip and kernel name, for people.
  public var title: String { name.map { "\($0) (\(id))" } ?? id }

  /// Whether `text` names it: by kernel name, chip or label.
  public func isNamed(_ text: String) -> Bool { id == text || name == text || label == text }

  /// The three axes of a quantity in the order x, y, z, or nil where one is missing.
  public func axes(of quantity: IIOQuantity) -> [IIOChannelDescription]? {
    let axes = (0..<3).compactMap { axis in
      channels.first { $0.quantity == quantity && $0.axis == axis }
    }
    return axes.count == 3 ? axes : nil
  }

  /// The kernel's timestamp, where samples carry one.
  public var timestamp: IIOChannelDescription? {
    channels.first { $0.quantity == .timestamp && $0.isScanElement && $0.format.isReadable }
  }

  /// The chip's temperature, where it tells it.
  public var temperature: IIOChannelDescription? { channels.first { $0.quantity == .temperature } }
}

/// What a channel measures, as far as it matters here.
public enum IIOQuantity: Sendable, Equatable {
  /// Angular rate.
  case angularRate
  /// Specific force.
  case acceleration
  /// The chip's temperature.
  case temperature
  /// Absolute pressure.
  case pressure
  /// When a sample was taken.
  case timestamp
  /// Anything else.
  case other
}

/// A channel of a device.
public struct IIOChannelDescription: Sendable, Equatable {
  /// libiio's name, as in `anglvel_x`.
  public var id: String
  /// What it measures.
  public var quantity: IIOQuantity
  /// 0 for x, 1 for y, 2 for z; nil where it is no axis.
  public var axis: Int?
  /// Whether a buffer can hold it.
  public var isScanElement: Bool
  /// How a buffer holds it.
  public var format: IIOSampleFormat
  /// Its attributes, those shared with its like included.
  public var attributes: Set<String>

  /// A channel.
  public init(
    id: String, quantity: IIOQuantity, axis: Int?, isScanElement: Bool = true,
    format: IIOSampleFormat = IIOSampleFormat(), attributes: Set<String> = []
  ) {
    self.id = id
    self.quantity = quantity
    self.axis = axis
    self.isScanElement = isScanElement
    self.format = format
    self.attributes = attributes
  }
}

/// How a buffer holds a channel's samples.
public struct IIOSampleFormat: Sendable, Equatable {
  /// Bits that a sample takes.
  public var storageBits = 16
  /// Bits of it that tell something.
  public var bits = 16
  /// Whether it is in two's complement.
  public var isSigned = true
  /// How many values a sample has; only 1 is understood.
  public var count = 1

  /// 16 bits, signed, unless it is said otherwise.
  public init(storageBits: Int = 16, bits: Int = 16, isSigned: Bool = true, count: Int = 1) {
    self.storageBits = storageBits
    self.bits = bits
    self.isSigned = isSigned
    self.count = count
  }

  /// Whether samples of this form can be read.
  public var isReadable: Bool {
    count <= 1 && [8, 16, 32, 64].contains(storageBits) && (1...storageBits).contains(bits)
  }

  /// The smallest and the largest value: what a saturated sample shows.
  public var limits: ClosedRange<Int64> {
    guard (1...64).contains(bits) else { return .min ... .max }
    guard isSigned else { return 0...(bits >= 63 ? Int64.max : (1 << Int64(bits)) - 1) }
    return bits == 64 ? .min ... .max : -(1 << Int64(bits - 1))...(1 << Int64(bits - 1)) - 1
  }
}
