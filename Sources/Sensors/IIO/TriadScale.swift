import LinearAlgebra

/// From the raw values of three axes to a vector in SI units, in the axes of the device that holds the
/// sensor: M (raw + offset) · scale, by the kernel's ABI for IIO.
package struct TriadScale: Sendable, Equatable {
  /// What a step of each axis stands for: rad/s or m/s².
  package var scale: Vector3
  /// Steps to add before scaling.
  package var offset = Vector3.zero
  /// The mount matrix M, from the sensor's axes to the device's.
  package var deviceFromSensor = Matrix3.identity

  /// Axes with their own scales.
  package init(scale: Vector3) { self.scale = scale }

  /// The vector for three raw values.
  package func vector(_ raw: RawTriad) -> Vector3 {
    deviceFromSensor * (Vector3(Double(raw.x), Double(raw.y), Double(raw.z)) + offset).scaled(by: scale)
  }

  /// The finest step of the three axes, in SI units.
  package var resolution: Double { min(abs(scale.x), abs(scale.y), abs(scale.z)) }
}

/// A number of sysfs: refused where it is none, or infinite.
package func iioNumber(_ text: String, of name: String) throws(IIOFault) -> Double {
  let word = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
  guard let value = Double(word), value.isFinite else {
    throw .unusable(
      "\(name) is \"\(text.prefix(40))\", which is not a number: is the driver right for this chip?")
  }
  return value
}

/// A scale of sysfs: a number other than zero.
package func iioScale(_ text: String, of name: String) throws(IIOFault) -> Double {
  let value = try iioNumber(text, of: name)
  guard value != 0 else {
    throw .unusable("\(name) is zero, so every sample would be: is the driver right for this chip?")
  }
  return value
}

/// A mount matrix as the kernel writes it, "1, 0, 0; 0, 1, 0; 0, 0, 1", row by row: refused where its rows
/// are not perpendicular and of length 1 to within 1 %, which a rotation or a mirrored one is.
package func iioMountMatrix(_ text: String, of name: String) throws(IIOFault) -> Matrix3 {
  var rows: [Vector3] = []
  for row in text.split(separator: ";") {
    let numbers = row.split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
    if numbers.count == 3 { rows.append(Vector3(numbers[0], numbers[1], numbers[2])) }
  }
  guard rows.count == 3 else {
    throw .unusable("\(name) is \"\(text.prefix(80))\", which is not three rows of three numbers")
  }
  let matrix = Matrix3(rows: rows[0], rows[1], rows[2])
  let product = matrix * matrix.transpose
  for row in 0..<3 {
    for column in 0..<3 where !(abs(product[row, column] - (row == column ? 1 : 0)) < 0.01) {
      throw .unusable(
        "\(name) is \"\(text.prefix(80))\", which is not a rotation: see the device tree or udev's hwdb")
    }
  }
  return matrix
}
