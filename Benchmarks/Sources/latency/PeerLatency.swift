import EigenPeer
import LinearAlgebra
import Measuring

/// Our kernels and the C++ ones on Eigen, turn by turn, so that what disturbs one disturbs the other.
struct PeerLatency {
  private static let forms = [
    ("Eigen dense", PEER_DENSE), ("block rows", PEER_BLOCK_ROWS), ("3×3 blocks", PEER_BLOCKS),
  ]
  /// Which Eigen, and for which processor.
  static var description: String { String(cString: peer_description()) }

  let comparisons: [PeerComparison]

  /// Nil without Eigen.
  init?(repeats: Int, stopwatch: Stopwatch) {
    guard peer_is_available() else { return nil }
    let inputs = PeerInputs()
    let disagreement = Self.disagreement(inputs)
    let name = "(\(Self.description))"
    comparisons = [
      Self.time("predict, 21 states \(name)", inputs, repeats, stopwatch, disagreement) { filter, inputs in
        for transition in inputs.transitions { filter.predict(transition) }
      } peer: { peer, work, _ in
        peer_predict(peer, work.transitions, Int32(PeerInputs.count))
      },
      Self.time("update by 6, 21 states \(name)", inputs, repeats, stopwatch, disagreement) {
        filter, inputs in
        for fix in inputs.fixes { _ = filter.update(fix) }
      } peer: { peer, work, correction in
        peer_update(peer, work.fixes, Int32(PeerInputs.count), correction)
      },
    ]
  }

  private struct Work {
    let transitions: [PeerTransition]
    let fixes: [PeerMeasurement]
  }

  /// Times batches over all inputs, each from the same covariance.
  private static func time(
    _ name: String, _ inputs: PeerInputs, _ repeats: Int, _ stopwatch: Stopwatch, _ disagreement: Double,
    ours run: (inout BlockFilter, PeerInputs) -> Void,
    peer runPeer: (OpaquePointer, Work, UnsafeMutablePointer<Double>) -> Void
  ) -> PeerComparison {
    let work = Work(transitions: inputs.transitions.map(\.forPeer), fixes: inputs.fixes.map(\.forPeer))
    var ours = Readings()
    var theirs = forms.map { _ in Readings() }
    var correction = [Double](repeating: 0, count: 21)
    let start = BlockFilter(inputs.covariance)
    for number in 0...repeats {
      if number < 2 {
        ours = Readings()
        theirs = forms.map { _ in Readings() }
      }
      ours.beginRepeat()
      for form in forms.indices { theirs[form].beginRepeat() }
      for _ in 0..<300 {
        var filter = start
        let began = Stopwatch.now
        run(&filter, inputs)
        ours.add(stopwatch.elapsed(since: began))
        precondition(filter.covariance[0] > 0, "a variance is positive")
        for (index, form) in forms.enumerated() {
          let peer = newPeer(form.1, inputs)
          let began = Stopwatch.now
          runPeer(peer, work, &correction)
          theirs[index].add(stopwatch.elapsed(since: began))
          peer_free(peer)
        }
      }
    }
    return PeerComparison(
      name: name, ours: LatencyRow(name: "ours", readings: ours, callsPerReading: PeerInputs.count),
      peers: zip(forms, theirs).map {
        LatencyRow(name: $0.0, readings: $1, callsPerReading: PeerInputs.count)
      }, disagreement: disagreement)
  }

  /// Largest difference of any form's covariance or correction from ours after 64 fixes with ten steps before
  /// each, in units of the standard deviations.
  private static func disagreement(_ inputs: PeerInputs) -> Double {
    var filter = BlockFilter(inputs.covariance)
    let peers = forms.map { newPeer($0.1, inputs) }
    defer { peers.forEach { peer_free($0) } }
    var worst = 0.0
    for (round, fix) in inputs.fixes.enumerated() {
      let steps = (0..<10).map { inputs.transitions[(round + $0) % PeerInputs.count] }
      for step in steps { filter.predict(step) }
      let before = filter.covariance
      let ours = filter.update(fix)
      let after = filter.covariance
      for peer in peers {
        var correction = [Double](repeating: 0, count: 21)
        var theirs = [Double](repeating: 0, count: 441)
        peer_predict(peer, steps.map(\.forPeer), 10)
        peer_covariance(peer, &theirs)
        worst = max(worst, CovarianceDifference(theirs, before).largest)
        peer_update(peer, [fix.forPeer], 1, &correction)
        peer_covariance(peer, &theirs)
        worst = max(worst, CovarianceDifference(theirs, after).largest)
        for state in 0..<21 {
          let sigma = after[22 * state].squareRoot()
          worst = max(worst, abs(correction[state] - ours[state / 3][state % 3]) / sigma)
        }
      }
    }
    return worst
  }

  private static func newPeer(_ form: PeerForm, _ inputs: PeerInputs) -> OpaquePointer {
    guard let peer = peer_new(form, inputs.covariance) else { preconditionFailure("Eigen is there") }
    return peer
  }
}

/// How far one covariance of 21 states, column by column, is from another.
struct CovarianceDifference {
  /// Of any two states, in units of their standard deviations.
  private(set) var largest = 0.0
  /// Of any standard deviation, relative.
  private(set) var sigma = 0.0

  init(_ a: [Double], _ b: [Double]) {
    for i in 0..<21 {
      sigma = max(sigma, abs((a[22 * i] / b[22 * i]).squareRoot() - 1))
      for j in 0..<21 {
        let scale = (b[22 * i] * b[22 * j]).squareRoot()
        largest = max(largest, abs(a[21 * j + i] - b[21 * j + i]) / scale)
      }
    }
    if !sigma.isFinite { sigma = .infinity }
  }
}
