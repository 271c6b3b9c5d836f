import CGeoid
import Navigation

/// The geoid, mean sea level continued under the land, by the Earth Gravitational Model of 1996 (Lemoine et
/// al. 1998, NASA TP-1998-206861), which KML and most receivers mean.
///
/// From a grid of 30′ rounded to 0.1 m, by cubic convolution. Against the grid of 15′ that it was made
/// of: root mean square 0.07 m, 95 % of the Earth within 0.14 m, at most 2.0 m (in the highest mountains).
/// The model itself is right to about 0.5 m.
package enum EGM96 {
  /// Rows from the south pole to the north, and columns from 180° west.
  private static let rows = 361, columns = 720
  /// Metres of one step.
  private static let quantum = 0.1

  /// Metres from the ellipsoid WGS 84 up to the geoid; not-a-number where there is no such place.
  package static func separation(_ position: GeodeticPosition) -> Double {
    guard position.latitude.isFinite, position.longitude.isFinite, abs(position.latitude) <= .pi / 2 + 1e-9
    else {
      return .nan
    }
    let y = min(max((position.latitudeDegrees + 90) * 2, 0), Double(rows - 1))
    let x = (Angle.degrees(radians: Angle.wrapped(position.longitude)) + 180) * 2
    let i = min(Int(y), rows - 2)
    let j = min(Int(x), columns - 1)
    let (wy, wx) = (weights(y - Double(i)), weights(x - Double(j)))
    var sum = 0.0
    for a in 0..<4 {
      for b in 0..<4 { sum += wy[a] * wx[b] * Double(node(row: i - 1 + a, column: j - 1 + b)) }
    }
    return sum * quantum
  }

  /// Cubic convolution (Keys 1981, IEEE Trans. ASSP 29) between the second and the third of four nodes.
  private static func weights(_ t: Double) -> [Double] {
    let (t2, t3) = (t * t, t * t * t)
    return [
      -0.5 * t + t2 - 0.5 * t3, 1 - 2.5 * t2 + 1.5 * t3, 0.5 * t + 2 * t2 - 1.5 * t3, -0.5 * t2 + 0.5 * t3,
    ]
  }

  /// The node, over the poles and round the Earth.
  private static func node(row: Int, column: Int) -> Int16 {
    var (row, column) = (row, column)
    if row < 0 || row >= rows {
      row = row < 0 ? -row : 2 * (rows - 1) - row
      column += columns / 2
    }
    return grid[row * columns + (column + 2 * columns) % columns]
  }

  private static let grid: [Int16] = {
    var count = 0
    let packed = reckon_egm96(&count)
    guard
      let unpacked = try? Gzip.unpack(Array(UnsafeBufferPointer(start: packed, count: count)), limit: 1 << 20)
    else {
      preconditionFailure("the grid of EGM96 in this program is damaged")
    }
    var grid: [Int16] = []
    grid.reserveCapacity(rows * columns)
    var (number, shift, across) = (0, 0, [Int](repeating: 0, count: columns))
    for byte in unpacked {
      number |= Int(byte & 127) << shift
      shift += 7
      guard byte < 128 else { continue }
      let column = grid.count % columns
      across[column] += number & 1 == 0 ? number >> 1 : -(number + 1) >> 1
      grid.append(Int16(truncatingIfNeeded: across[column] + (column > 0 ? Int(grid[grid.count - 1]) : 0)))
      (number, shift) = (0, 0)
    }
    precondition(grid.count == rows * columns, "the grid of EGM96 in this program is cut off")
    return grid
  }()
}

extension GeodeticPosition {
  /// Height above mean sea level in metres, by EGM96; not-a-number where the height is not known.
  package var heightAboveSeaLevel: Double { height - EGM96.separation(self) }
}
