// Sums of demodulated shaking. With a(t) the shaking and φ(t) = 2π f s(t) the phase of a line of f cycles a metre over
// the distance s, a block is A_b = Σ a(t) exp(−i k φ(t)) over some metres. If the line turns j steps α_b faster than φ,
// its blocks line up in S_j = Σ_b A_b exp(−i k j α_b), and |S_j|² grows with the square of their number; noise only with
// their number. p_j = |S_j|² / Σ_b |A_b|² has mean 1 for noise that is white over the block's bandwidth, whatever its level.
import LinearAlgebra

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
  /// Hypotheses lie evenly about the middle one, which takes the phase at its word.
  static let hypotheses = 61
  static let middle = 30

  /// Real and imaginary parts of S, hypothesis by hypothesis within a cell.
  private var real = InlineArray<732, Float>(repeating: 0)
  private var imaginary = InlineArray<732, Float>(repeating: 0)
  /// Σ_b |A_b|².
  private var floor = InlineArray<12, Float>(repeating: 0)

  /// Adds a block whose phase differs by `angle` (rad, at the first harmonic) from one hypothesis to the next.
  mutating func add(_ block: ShakingBlock, angle: Double) {
    for k in 0..<Self.harmonics {
      let harmonic = Double(k + 1)
      let first = (harmonic * angle * Double(Self.middle)).remainder(dividingBy: 2 * .pi)
      let step = (harmonic * angle).remainder(dividingBy: 2 * .pi)
      var rotor = SIMD2(Float(cos(first)), Float(sin(first)))
      let turn = SIMD2(Float(cos(step)), Float(-sin(step)))
      let cell = k * Self.axes
      let (x, y, z) = (block.sums[cell], block.sums[cell + 1], block.sums[cell + 2])
      var i = cell * Self.hypotheses
      for _ in 0..<Self.hypotheses {
        accumulate(Self.product(x, rotor), i)
        accumulate(Self.product(y, rotor), i + Self.hypotheses)
        accumulate(Self.product(z, rotor), i + 2 * Self.hypotheses)
        rotor = Self.product(rotor, turn)
        i += 1
      }
    }
    for cell in 0..<Self.cells { floor[cell] += (block.sums[cell] * block.sums[cell]).sum() }
  }

  /// p of the hypotheses in a cell; 0 where nothing has shaken.
  func powers(_ cell: Int) -> InlineArray<61, Float> {
    var powers = InlineArray<61, Float>(repeating: 0)
    guard floor[cell] > 0 else { return powers }
    let unit = 1 / floor[cell]
    let first = cell * Self.hypotheses
    for j in 0..<Self.hypotheses {
      let (x, y) = (real[first + j], imaginary[first + j])
      powers[j] = (x * x + y * y) * unit
    }
    return powers
  }

  @inline(__always) private mutating func accumulate(_ value: SIMD2<Float>, _ i: Int) {
    real[i] += value.x
    imaginary[i] += value.y
  }

  @inline(__always) static func product(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
    SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
  }
}
