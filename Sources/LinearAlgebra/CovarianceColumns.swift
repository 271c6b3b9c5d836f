/// The columns of a covariance of `n` blocks where they lie in memory: what loops over rows goes through here, because to
/// index arrays within arrays costs a check, and sometimes a copy, each time.
@usableFromInline struct CovarianceColumns<let n: Int> {
  @usableFromInline let base: UnsafeMutablePointer<SIMD4<Double>>

  @inlinable @inline(__always) init(_ base: UnsafeMutablePointer<SIMD4<Double>>) { self.base = base }

  /// Groups of four rows, and those of which all four are rows of P.
  @inlinable @inline(__always) static var groups: Int { (3 &* n &+ 3) >> 2 }
  @inlinable @inline(__always) static var wholeGroups: Int { (3 &* n) >> 2 }

  /// Group `g` of column `c`.
  @inlinable @inline(__always) func group(_ g: Int, _ c: Int) -> UnsafeMutablePointer<SIMD4<Double>> {
    base + (c &* n &+ g)
  }

  /// Group `g` of column block `j`.
  @inlinable @inline(__always) func rows(_ g: Int, _ j: Int) -> FourRows {
    FourRows(group(g, 3 &* j).pointee, group(g, 3 &* j &+ 1).pointee, group(g, 3 &* j &+ 2).pointee)
  }

  @inlinable @inline(__always) func set(_ g: Int, _ j: Int, _ rows: FourRows) {
    group(g, 3 &* j).pointee = rows.x
    group(g, 3 &* j &+ 1).pointee = rows.y
    group(g, 3 &* j &+ 2).pointee = rows.z
  }

  /// Rows 3i to 3i + 2 of column `c`.
  @inlinable @inline(__always) func put(_ i: Int, _ c: Int, _ x: Double, _ y: Double, _ z: Double) {
    let first = UnsafeMutableRawPointer(base + c &* n) + 24 &* i
    first.storeBytes(of: SIMD2(x, y), as: SIMD2<Double>.self)
    first.storeBytes(of: z, toByteOffset: 16, as: Double.self)
  }

  /// Block `i`, `j`.
  @inlinable @inline(__always) func block(_ i: Int, _ j: Int) -> Matrix3 {
    Self.block(i, j, of: UnsafeRawPointer(base))
  }

  /// Block `i`, `j` of the columns at `base`.
  @inlinable @inline(__always) static func block(_ i: Int, _ j: Int, of base: UnsafeRawPointer) -> Matrix3 {
    @inline(__always) func column(_ k: Int) -> Vector3 {
      let first = base + 32 &* n &* (3 &* j &+ k) + 24 &* i
      return Vector3(
        first.load(as: Double.self), first.load(fromByteOffset: 8, as: Double.self),
        first.load(fromByteOffset: 16, as: Double.self))
    }
    return Matrix3(columns: column(0), column(1), column(2))
  }

  @inlinable @inline(__always) func setOwn(_ i: Int, _ own: Matrix3) {
    put(i, 3 &* i, own.x.x, own.x.y, own.x.z)
    put(i, 3 &* i &+ 1, own.y.x, own.y.y, own.y.z)
    put(i, 3 &* i &+ 2, own.z.x, own.z.y, own.z.z)
  }

  /// Makes row block `i` the transpose of column block `i`, but for the diagonal.
  @inlinable @inline(__always) func mirror(_ i: Int) {
    for g in 0..<Self.wholeGroups {
      let rows = rows(g, i)
      for l in 0..<4 { put(i, 4 &* g &+ l, rows.x[l], rows.y[l], rows.z[l]) }
    }
    if Self.wholeGroups < Self.groups {
      let rows = rows(Self.wholeGroups, i)
      for l in 0..<(3 &* n & 3) { put(i, 4 &* Self.wholeGroups &+ l, rows.x[l], rows.y[l], rows.z[l]) }
    }
  }

  /// P ← P − V Vᵀ, of which the third column is 0 where V `isFlat`.
  @inlinable @inline(__always) func subtractSquare(of v: UnsafePointer<FourRows>, isFlat: Bool) {
    // At and below the diagonal, column by column: a column's three factors stay in registers.
    for c in 0..<(3 &* n) {
      let (x, y, z) = (v.entry(c, 0), v.entry(c, 1), v.entry(c, 2))
      for g in (c >> 2)..<Self.groups {
        let sum = v[g].x * x + v[g].y * y
        group(g, c).pointee -= isFlat ? sum : sum + v[g].z * z
      }
    }
    // Above it.
    for h in 0..<Self.wholeGroups {
      for g in (h &+ 1)..<Self.wholeGroups { transpose(g, h, count: 4) }
      if Self.wholeGroups < Self.groups { transpose(Self.wholeGroups, h, count: 3 &* n & 3) }
    }
  }

  /// Copies `count` rows of group `g` of the four columns of group `h` to where their transpose belongs.
  @inlinable @inline(__always) func transpose(_ g: Int, _ h: Int, count: Int) {
    let c = 4 &* h
    let (c0, c1) = (group(g, c).pointee, group(g, c &+ 1).pointee)
    let (c2, c3) = (group(g, c &+ 2).pointee, group(g, c &+ 3).pointee)
    for l in 0..<count { group(h, 4 &* g &+ l).pointee = SIMD4(c0[l], c1[l], c2[l], c3[l]) }
  }
}
