import LinearAlgebra
import Testing

private func close(_ a: Matrix3, _ b: Matrix3, _ tolerance: Double) -> Bool {
  let d = a - b
  return max(d.x.norm, d.y.norm, d.z.norm) < tolerance
}

@Test(arguments: [0, 1e-12, 1e-8, 1e-3, 0.0999999, 0.1000001, 1, 3, Double.pi])
func rotationVectorGoesThereAndBack(angle: Double) {
  for axis in [Vector3(1, 0, 0), Vector3(0.6, 0, -0.8), Vector3(-1, 2, 2) / 3] {
    let v = axis * angle
    let q = Quaternion(rotationVector: v)
    #expect(abs((q.lanes * q.lanes).sum() - 1) < 4e-16)
    let back = q.rotationVector
    #expect(min((back - v).norm, angle == .pi ? (back + v).norm : 1) < 4e-15 * max(1, angle))
  }
}

@Test func rotationMatrixFollowsRodriguesFormula() {
  let v = Vector3(0.3, -0.4, 1.2)
  let angle = v.norm
  let k = Matrix3(crossProductOf: v / angle)
  // R = I + sin a K + (1 − cos a) K²; sin and cos of 1.3 from tables.
  let (s, c) = (0.963558185417193, 0.267498828624587)
  #expect(close(Quaternion(rotationVector: v).matrix, .identity + k * s + k * k * (1 - c), 1e-14))
}

@Test func anglesComeBackFromTheQuaternion() {
  for roll in stride(from: -3.0, through: 3, by: 0.7) {
    for pitch in stride(from: -1.5, through: 1.5, by: 0.5) {
      for yaw in stride(from: -3.0, through: 3, by: 0.9) {
        let q = Quaternion(roll: roll, pitch: pitch, yaw: yaw)
        #expect(abs(q.roll - roll) < 1e-12 && abs(q.pitch - pitch) < 1e-12 && abs(q.yaw - yaw) < 1e-12)
        #expect(close(Quaternion(matrix: q.matrix).matrix, q.matrix, 1e-14))
      }
    }
  }
}

@Test func yawTurnsTheNoseFromNorthToEast() {
  let navFromBody = Quaternion(roll: 0, pitch: 0, yaw: .pi / 2)
  #expect((navFromBody * Vector3(1, 0, 0) - Vector3(0, 1, 0)).norm < 1e-15)
  let up = Quaternion(roll: 0, pitch: 0.1, yaw: 0) * Vector3(1, 0, 0)
  #expect(up.z < 0)
}

@Test func productsComposeAsMatricesDo() {
  let a = Quaternion(roll: 0.3, pitch: -0.8, yaw: 2)
  let b = Quaternion(rotationVector: Vector3(0.5, 1, -0.2))
  let v = Vector3(1, -2, 0.5)
  #expect(close((a * b).matrix, a.matrix * b.matrix, 1e-15))
  #expect((a * v - a.matrix * v).norm < 1e-15)
  #expect((a * (a.inverse * v) - v).norm < 1e-15)
}

@Test func choleskyAndInverseReproduceTheMatrix() throws {
  let l = Matrix3(columns: Vector3(2, 0.5, -1), Vector3(0, 1.5, 0.3), Vector3(0, 0, 0.7))
  let m = l * l.transpose
  #expect(close(try #require(m.cholesky), l, 1e-14))
  #expect(close(l * l.lowerInverse, .identity, 1e-15))
  #expect(close(m * (try #require(m.inverse)), .identity, 1e-13))
  #expect(Matrix3(diagonal: Vector3(1, 0, 1)).inverse == nil)
  #expect(Matrix3(diagonal: Vector3(1, -1, 1)).cholesky == nil)
}
