/// The columns of a covariance of `n` blocks where they lie in memory: what loops over rows goes through
/// here, because to index arrays within arrays costs a check, and sometimes a copy, each time.
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
      let start = 32 &* n &* (3 &* j &+ k)
      let first = base + start + 24 &* i
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

  /// Rows of the last group, where not all four are rows of P.
  @inlinable @inline(__always) static var rest: Int { 3 &* n & 3 }

  /// P ← P − V Vᵀ with the first `rank` columns of V, the others being 0.
  ///
  /// Four columns at a time from the diagonal down; what is below it is then put above it as well. It is the
  /// factors that are negated: a sum takes P from where it lies, a difference has to load it first.
  @inlinable @inline(__always) func subtractSquare(of v: UnsafePointer<FourRows>, rank: Int) {
    for h in 0..<Self.wholeGroups {
      let columns = group(0, 4 &* h)
      let factors = -v[h]
      for g in h..<Self.wholeGroups {
        for k in 0..<4 { columns[k &* n &+ g] += v[g].sum(by: factors, k, rank: rank) }
      }
      if Self.wholeGroups < Self.groups {
        let g = Self.wholeGroups
        for k in 0..<4 {
          let column = columns[k &* n &+ g] + v[g].sum(by: factors, k, rank: rank)
          setRest(columns + k &* n, column)
          for l in 0..<(3 &* n & 3) { entry(4 &* h &+ k, 4 &* g &+ l).pointee = column[l] }
        }
      }
      for g in (h &+ 1)..<Self.wholeGroups { transpose(g, h) }
    }
    if Self.wholeGroups < Self.groups {
      let g = Self.wholeGroups
      let columns = group(0, 4 &* g)
      let factors = -v[g]
      for k in 0..<(3 &* n & 3) {
        setRest(columns + k &* n, columns[k &* n &+ g] + v[g].sum(by: factors, k, rank: rank))
      }
    }
  }

  /// Sets what the last group, of whose rows not all are rows of P, has in this column: zeros stay.
  @inlinable @inline(__always)
  func setRest(_ column: UnsafeMutablePointer<SIMD4<Double>>, _ rows: SIMD4<Double>) {
    let last = UnsafeMutableRawPointer(column + Self.wholeGroups)
    if 3 &* n & 3 < 3 {
      last.storeBytes(of: rows.lowHalf, as: SIMD2<Double>.self)
    } else {
      last.storeBytes(of: rows, as: SIMD4<Double>.self)
    }
  }

  /// Copies group `g` of the four columns of group `h` to where its transpose belongs.
  @inlinable @inline(__always) func transpose(_ g: Int, _ h: Int) {
    let c = 4 &* h
    let (c0, c1) = (group(g, c).pointee, group(g, c &+ 1).pointee)
    let (c2, c3) = (group(g, c &+ 2).pointee, group(g, c &+ 3).pointee)
    for l in 0..<4 { group(h, 4 &* g &+ l).pointee = SIMD4(c0[l], c1[l], c2[l], c3[l]) }
  }

  /// Row `r` of column `c`.
  @inlinable @inline(__always) func entry(_ r: Int, _ c: Int) -> UnsafeMutablePointer<Double> {
    (UnsafeMutableRawPointer(base + c &* n) + 8 &* r).assumingMemoryBound(to: Double.self)
  }
}
