// Sums of demodulated shaking. With a(t) the shaking and φ(t) = 2π f s(t) the phase of a line of f cycles a
// metre over the distance s, a block is A_b = Σ a(t) exp(−i k φ(t)) over some metres. If the line turns j
// steps α_b faster than φ, its blocks line up in S_j = Σ_b A_b exp(−i k j α_b), and |S_j|² grows with
// the square of their number; noise only with their number. p_j = |S_j|² / Σ_b |A_b|² has mean 1 for noise
// that is white over the block's bandwidth, whatever its level.
import CLibrary
import LinearAlgebra

/// A sample of shaking: the change of the specific force along three axes and of the angular rate about them,
/// each over its own deviation; the last two lanes are zero.
typealias Shaking6 = SIMD8<Float>

/// Shaking along and about three axes, demodulated at the harmonics of the wheels' turns.
struct ShakingBlock: Sendable {
  /// Of each harmonic, with the axes as lanes.
  private(set) var real = InlineArray<4, Shaking6>(repeating: .zero)
  private(set) var imaginary = InlineArray<4, Shaking6>(repeating: .zero)

  /// Adds a sample at `phase` of the first harmonic, rad.
  mutating func add(_ shaking: Shaking6, phase: Double) {
    let turn = Float(phase)
    let first = SIMD2(cos(turn), -sin(turn))
    var rotor = first
    for k in 0..<LineScan.harmonics {
      real[k] += shaking * rotor.x
      imaginary[k] += shaking * rotor.y
      rotor = LineScan.product(rotor, first)
    }
  }
}

/// How well the blocks of a window line up for each of many hypotheses of the lines' spacing.
struct LineScan: Sendable {
  /// Three of the specific force, three of the angular rate.
  static let axes = 6
  static let harmonics = 4
  /// Hypotheses lie evenly about the middle one, which takes the phase at its word. [chosen]
  static let hypotheses = 61
  static let middle = 30

  /// Real and imaginary parts of S, axis by axis within a hypothesis; the harmonics of an axis are one
  /// vector. Zeros fill the last four hypotheses.
  private var real = InlineArray<384, SIMD4<Float>>(repeating: .zero)
  private var imaginary = InlineArray<384, SIMD4<Float>>(repeating: .zero)
  /// Σ_b |A_b|² of each harmonic, with the axes as lanes.
  private var floor = InlineArray<4, Shaking6>(repeating: .zero)
  /// The block that is being added, by axis, with all harmonics at once, one a lane; its turn by the next
  /// hypothesis and from each to the one after it.
  private var block = InlineArray<6, ComplexFloats>(repeating: ComplexFloats())
  private var rotor = ComplexFloats(), turn = ComplexFloats()
  /// How far from the middle the two hypotheses lie that it is to be added to next.
  private var next = Self.middle + 1

  /// Begins to add a block whose phase differs by `angle` (rad, at the first harmonic) from
  /// one hypothesis to the next.
  mutating func begin(_ block: borrowing ShakingBlock, angle: Double) {
    finish()
    for axis in 0..<Self.axes {
      self.block[axis] = block.axis(axis)
      accumulate(self.block[axis], Self.middle * Self.axes + axis)
    }
    for k in 0..<Self.harmonics {
      floor[k] += block.real[k] * block.real[k] + block.imaginary[k] * block.imaginary[k]
    }
    turn = Self.rotors(angle)
    rotor = turn
    next = 1
  }

  /// Adds the block to some more hypotheses: its work is spread over some samples.
  mutating func goOn() { add(to: min(next + Self.atOnce, Self.middle + 1)) }

  /// Adds the rest of the block.
  mutating func finish() { add(to: Self.middle + 1) }

  /// So many hypotheses on either side are a third of a sample's other work. [chosen]
  private static let atOnce = 6

  /// The rotors of two hypotheses as far on either side are conjugate: they share their products.
  @inline(__always) private mutating func add(to end: Int) {
    guard next < end else { return }
    let turn = turn
    var rotor = rotor
    let pairs = next..<end
    withUnsafeMutableBytes(of: &real) { real in
      withUnsafeMutableBytes(of: &imaginary) { imaginary in
        withUnsafeBytes(of: &block) { block in
          guard let real = real.baseAddress?.assumingMemoryBound(to: SIMD4<Float>.self),
            let imaginary = imaginary.baseAddress?.assumingMemoryBound(to: SIMD4<Float>.self),
            let block = block.baseAddress?.assumingMemoryBound(to: ComplexFloats.self)
          else { return }
          for off in pairs {
            let above = (Self.middle &+ off) &* Self.axes
            let below = (Self.middle &- off) &* Self.axes
            for axis in 0..<Self.axes {
              let (a, b) = (block[axis].real, block[axis].imaginary)
              let (ac, bs) = (a * rotor.real, b * rotor.imaginary)
              let (bc, sa) = (b * rotor.real, a * rotor.imaginary)
              real[above &+ axis] += ac + bs
              imaginary[above &+ axis] += bc - sa
              real[below &+ axis] += ac - bs
              imaginary[below &+ axis] += bc + sa
            }
            rotor = rotor * turn
          }
        }
      }
    }
    self.rotor = rotor
    next = end
  }

  /// exp(i k `angle`) of the harmonics k.
  private static func rotors(_ angle: Double) -> ComplexFloats {
    var rotors = ComplexFloats()
    for k in 0..<harmonics {
      let turn = (Double(k + 1) * angle).remainder(dividingBy: 2 * .pi)
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
    let square = floor[harmonic][axis]
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
      sums.real[k] = real[k][axis]
      sums.imaginary[k] = imaginary[k][axis]
    }
    return sums
  }
}
