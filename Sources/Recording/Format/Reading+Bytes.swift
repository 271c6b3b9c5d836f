import Navigation
import SensorEvents

extension FixReading {
  func encode(to bytes: inout ByteEncoder) {
    bytes.append(
      Presence([
        fix.received != nil, fix.positionSigma != nil, fix.velocityNED != nil, fix.speedSigma != nil,
        fix.courseSigma != nil, heightAboveSeaLevel != nil, isCorrected,
      ]).bits)
    bytes.append(dimensions.rawValue)
    bytes.append(fix.time)
    bytes.append(fix.position.latitude)
    bytes.append(fix.position.longitude)
    bytes.append(fix.position.height)
    if let received = fix.received { bytes.append(received) }
    if let sigma = fix.positionSigma { bytes.append(sigma) }
    if let velocity = fix.velocityNED { bytes.append(velocity) }
    if let sigma = fix.speedSigma { bytes.append(sigma) }
    if let sigma = fix.courseSigma { bytes.append(sigma) }
    if let height = heightAboveSeaLevel { bytes.append(height) }
  }

  init?(from bytes: inout ByteDecoder) {
    let present = Presence(bits: bytes.integer())
    guard let dimensions = Dimensions(rawValue: bytes.integer()) else { return nil }
    let time = bytes.time()
    let position = GeodeticPosition(
      latitude: bytes.double(), longitude: bytes.double(), height: bytes.double())
    var fix = GNSSFix(
      time: time, received: present[0] ? bytes.time() : nil, position: position,
      positionSigma: present[1] ? bytes.vector() : nil, velocityNED: present[2] ? bytes.vector() : nil)
    if present[3] { fix.speedSigma = bytes.double() }
    if present[4] { fix.courseSigma = bytes.double() }
    self.init(fix: fix, dimensions: dimensions)
    if present[5] { heightAboveSeaLevel = bytes.double() }
    isCorrected = present[6]
  }
}

extension SkyReading {
  func encode(to bytes: inout ByteEncoder) {
    bytes.append(Presence([hdop != nil]).bits)
    bytes.append(Int32(clamping: visible))
    bytes.append(Int32(clamping: used))
    if let hdop { bytes.append(hdop) }
    bytes.append(UInt16(clamping: satellites.count))
    for satellite in satellites.prefix(Int(UInt16.max)) {
      bytes.append(
        Presence([
          satellite.elevationDegrees != nil, satellite.azimuthDegrees != nil, satellite.strength != nil,
          satellite.isUsed,
        ]).bits)
      bytes.append(satellite.constellation)
      bytes.append(satellite.number)
      for value in [satellite.elevationDegrees, satellite.azimuthDegrees, satellite.strength] {
        if let value { bytes.append(value) }
      }
    }
  }

  init?(from bytes: inout ByteDecoder) {
    let present = Presence(bits: bytes.integer())
    let visible = Int(bytes.integer(Int32.self))
    let used = Int(bytes.integer(Int32.self))
    self.init(visible: visible, used: used, hdop: present[0] ? bytes.double() : nil)
    for _ in 0..<bytes.integer(UInt16.self) {
      let present = Presence(bits: bytes.integer())
      let constellation: UInt8 = bytes.integer()
      let number: Int16 = bytes.integer()
      satellites.append(
        Satellite(
          constellation: constellation, number: number,
          elevationDegrees: present[0] ? bytes.double() : nil,
          azimuthDegrees: present[1] ? bytes.double() : nil, strength: present[2] ? bytes.double() : nil,
          isUsed: present[3]))
      guard bytes.isWhole else { return nil }
    }
  }
}
