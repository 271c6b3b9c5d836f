// Sums of demodulated shaking. With a(t) the shaking and φ(t) = 2π f s(t) the phase of a line of f cycles a
// metre over the distance s, a block is A_b = Σ a(t) exp(−i k φ(t)) over some metres. If the line turns j
// steps α_b faster than φ, its blocks line up in S_j = Σ_b A_b exp(−i k j α_b), and |S_j|² grows with
// the square of their number; noise only with their number. p_j = |S_j|² / Σ_b |A_b|² has mean 1 for noise
// that is white over the block's bandwidth, whatever its level.
import CLibrary
import LinearAlgebra

/// Shaking along three axes, demodulated at the harmonics of the wheels' turns.
struct ShakingBlock: Sendable {
  /// Real and imaginary parts, axis by axis within a harmonic.
  var sums = InlineArray<12, SIMD2<Float>>(repeating: .zero)

  /// Adds a sample at `phase` of the first harmonic, rad.
  mutating func add(_ shaking: Vector3, phase: Double) {
    let turn = Float(phase)
    let first = SIMD2(cos(turn), -sin(turn))
    let axes = SIMD3(Float(shaking.x), Float(shaking.y), Float(shaking.z))
    var rotor = first
    for k in 0..<LineScan.harmonics {
      for axis in 0..<LineScan.axes { sums[k * LineScan.axes + axis] += rotor * axes[axis] }
      rotor = LineScan.product(rotor, first)
    }
  }
}

/// How well the blocks of a window line up for each of many hypotheses of the lines' spacing.
struct LineScan: Sendable {
  static let axes = 3
  static let harmonics = 4
  /// An axis at a harmonic is a cell.
  static let cells = 12
  /// Hypotheses lie evenly about the middle one, which takes the phase at its word. [chosen]
  static let hypotheses = 61
  static let middle = 30

  /// Real and imaginary parts of S, axis by axis within a hypothesis; the harmonics of an axis are one
  /// vector. Zeros fill the last four hypotheses.
  private var real = InlineArray<192, SIMD4<Float>>(repeating: .zero)
  private var imaginary = InlineArray<192, SIMD4<Float>>(repeating: .zero)
  /// Σ_b |A_b|².
  private var floor = InlineArray<12, Float>(repeating: 0)
  /// The block that is being added, by axis, with all harmonics at once, one a lane; its turn by the next
  /// hypothesis and from each to the one after it.
  private var x = ComplexFloats(), y = ComplexFloats(), z = ComplexFloats()
  private var rotor = ComplexFloats(), turn = ComplexFloats()
  /// The hypothesis that it is to be added to next.
  private var next = Self.hypotheses

  /// Begins to add a block whose phase differs by `angle` (rad, at the first harmonic) from
  /// one hypothesis to the next.
  mutating func begin(_ block: ShakingBlock, angle: Double) {
    finish()
    rotor = Self.rotors(angle, times: Double(Self.middle))
    turn = Self.rotors(angle, times: -1)
    (x, y, z) = (block.axis(0), block.axis(1), block.axis(2))
    next = 0
    for cell in 0..<Self.cells { floor[cell] += (block.sums[cell] * block.sums[cell]).sum() }
  }

  /// Adds the block to some more hypotheses: its work is spread over some samples.
  mutating func goOn() { add(to: min(next + Self.atOnce, Self.hypotheses)) }

  /// Adds the rest of the block.
  mutating func finish() { add(to: Self.hypotheses) }

  /// So many hypotheses are a third of a sample's other work. [chosen]
  private static let atOnce = 12

  @inline(__always) private mutating func add(to end: Int) {
    guard next < end else { return }
    let (x, y, z, turn) = (x, y, z, turn)
    var rotor = rotor
    for hypothesis in next..<end {
      let i = hypothesis &* Self.axes
      accumulate(x * rotor, i)
      accumulate(y * rotor, i &+ 1)
      accumulate(z * rotor, i &+ 2)
      rotor = rotor * turn
    }
    self.rotor = rotor
    next = end
  }

  /// exp(i k n `angle`) of the harmonics k, with n `times`.
  private static func rotors(_ angle: Double, times: Double) -> ComplexFloats {
    var rotors = ComplexFloats()
    for k in 0..<harmonics {
      let turn = (Double(k + 1) * angle * times).remainder(dividingBy: 2 * .pi)
      rotors.real[k] = Float(cos(turn))
      rotors.imaginary[k] = Float(sin(turn))
    }
    return rotors
  }

  /// Hands on p in a cell where it lies, four hypotheses at a time, with the index of the first: after the
  /// last hypothesis come zeros, as where nothing has shaken.
  ///
  /// Nothing changes; but what is not `mutating` is copied before it is indexed.
  @inline(__always)
  mutating func forEachFour(axis: Int, harmonic: Int, _ body: (Int, SIMD4<Float>) -> Void) {
    let square = floor[harmonic * Self.axes + axis]
    let unit = square > 0 ? 1 / square : 0
    let stride = Self.axes * MemoryLayout<SIMD4<Float>>.stride
    withUnsafeBytes(of: &real) { real in
      withUnsafeBytes(of: &imaginary) { imaginary in
        @inline(__always) func four(_ bytes: UnsafeRawBufferPointer, _ j: Int) -> SIMD4<Float> {
          let first = (j * Self.axes + axis) * MemoryLayout<SIMD4<Float>>.stride + harmonic * 4
          return SIMD4(
            bytes.loadUnaligned(fromByteOffset: first, as: Float.self),
            bytes.loadUnaligned(fromByteOffset: first + stride, as: Float.self),
            bytes.loadUnaligned(fromByteOffset: first + 2 * stride, as: Float.self),
            bytes.loadUnaligned(fromByteOffset: first + 3 * stride, as: Float.self))
        }
        for j in Swift.stride(from: 0, to: Self.hypotheses, by: 4) {
          let (x, y) = (four(real, j), four(imaginary, j))
          body(j, (x * x + y * y) * unit)
        }
      }
    }
  }

  @inline(__always) private mutating func accumulate(_ value: ComplexFloats, _ i: Int) {
    real[i] += value.real
    imaginary[i] += value.imaginary
  }

  @inline(__always) static func product(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
    SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
  }
}

/// Four complex numbers.
private struct ComplexFloats: Sendable {
  var real = SIMD4<Float>.zero
  var imaginary = SIMD4<Float>.zero

  @inline(__always) static func * (a: ComplexFloats, b: ComplexFloats) -> ComplexFloats {
    ComplexFloats(
      real: a.real * b.real - a.imaginary * b.imaginary,
      imaginary: a.real * b.imaginary + a.imaginary * b.real)
  }
}

extension ShakingBlock {
  /// The harmonics of an axis.
  @inline(__always) fileprivate func axis(_ axis: Int) -> ComplexFloats {
    var sums = ComplexFloats()
    for k in 0..<LineScan.harmonics {
      sums.real[k] = self.sums[k * LineScan.axes + axis].x
      sums.imaginary[k] = self.sums[k * LineScan.axes + axis].y
    }
    return sums
  }
}
