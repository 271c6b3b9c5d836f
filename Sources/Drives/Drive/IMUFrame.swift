import LinearAlgebra

/// How the axes of an IMU lie in the car, as a signed permutation to forward, right, down.
///
/// Written either as the directions of the IMU's x, y and z (`frd`, `flu`, `rfu`; `enu` and `ned` read north
/// as forward) or as what forward, right and down are in the IMU's axes (`x,-y,-z`, the same as `flu`).
public struct IMUFrame: Sendable, Hashable, LosslessStringConvertible {
  /// Rotation from the IMU's axes to forward, right, down.
  public let frdFromIMU: Matrix3
  /// The frame as it was written, in lower case.
  public let description: String

  /// Axes forward, right, down: nothing to do.
  public static let frd = IMUFrame(frdFromIMU: .identity, description: "frd")

  /// Reads a frame; nil where the text names no right-handed set of three axes.
  public init?(_ text: String) {
    let text = text.lowercased()
    guard let matrix = Self.matrix(letters: text) ?? Self.matrix(terms: text), matrix.determinant == 1 else {
      return nil
    }
    self.init(frdFromIMU: matrix, description: text)
  }

  private init(frdFromIMU: Matrix3, description: String) {
    self.frdFromIMU = frdFromIMU
    self.description = description
  }

  /// `flu`: each letter is where one axis of the IMU points, so each gives a column.
  private static func matrix(letters text: String) -> Matrix3? {
    let columns = text.compactMap { letter -> Vector3? in
      switch letter {
      case "f", "n": Vector3(1, 0, 0)
      case "b", "s": Vector3(-1, 0, 0)
      case "r", "e": Vector3(0, 1, 0)
      case "l", "w": Vector3(0, -1, 0)
      case "d": Vector3(0, 0, 1)
      case "u": Vector3(0, 0, -1)
      default: nil
      }
    }
    guard text.count == 3, columns.count == 3 else { return nil }
    return Matrix3(columns: columns[0], columns[1], columns[2])
  }

  /// `x,-y,-z`: each term is forward, right or down in the IMU's axes, so each gives a row.
  private static func matrix(terms text: String) -> Matrix3? {
    let terms = text.split(separator: ",", omittingEmptySubsequences: false)
    let rows = terms.compactMap { term -> Vector3? in
      let axis = term.first == "-" || term.first == "+" ? term.dropFirst() : term
      let sign = term.first == "-" ? -1.0 : 1.0
      switch axis {
      case "x": return Vector3(sign, 0, 0)
      case "y": return Vector3(0, sign, 0)
      case "z": return Vector3(0, 0, sign)
      default: return nil
      }
    }
    guard terms.count == 3, rows.count == 3 else { return nil }
    return Matrix3(rows: rows[0], rows[1], rows[2])
  }
}
