import Foundation

/// All that one run found: printed as a table, written as JSON.
package struct LatencyReport: Codable {
  package let machine: Machine
  /// Cost of reading the clock in nanoseconds, already taken off every reading.
  package let clockOverhead: Int
  /// The core that it ran on; nil where the system would not say.
  package let core: Int?
  /// Repeats that were counted, after one to warm up.
  package let repeats: Int
  package var steps: [LatencyRow] = []
  /// All calls of a drive together, whatever they turned out to be: the worst of them is
  /// what a reader waits for.
  package var calls: [LatencyRow] = []
  package var kernels: [LatencyRow] = []
  package var peers: [PeerComparison] = []
  package var forms: [FormRow] = []
  package var lengths: [LengthRow] = []
  package var live: [LatencyRow] = []
  /// Bytes of a `FusionEngine` with all its buffers.
  package var engineBytes: Int?
  /// What is not there, and why.
  package var remarks: [String] = []
  /// What the measured calls computed, in no unit: it changes when they compute something else.
  package var checksum = 0.0

  private enum CodingKeys: String, CodingKey {
    case machine, core, repeats, steps, calls, kernels, peers, forms, lengths, live, remarks, checksum
    case clockOverhead = "clock_overhead_ns"
    case engineBytes = "engine_bytes"
  }

  package init(machine: Machine, clockOverhead: Int, core: Int?, repeats: Int) {
    self.machine = machine
    self.clockOverhead = clockOverhead
    self.core = core
    self.repeats = repeats
  }

  /// Reads a report, or one from before there were rows of all calls.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    machine = try values.decode(Machine.self, forKey: .machine)
    clockOverhead = try values.decode(Int.self, forKey: .clockOverhead)
    core = try values.decodeIfPresent(Int.self, forKey: .core)
    repeats = try values.decode(Int.self, forKey: .repeats)
    steps = try values.decode([LatencyRow].self, forKey: .steps)
    calls = try values.decodeIfPresent([LatencyRow].self, forKey: .calls) ?? []
    kernels = try values.decode([LatencyRow].self, forKey: .kernels)
    peers = try values.decode([PeerComparison].self, forKey: .peers)
    forms = try values.decode([FormRow].self, forKey: .forms)
    lengths = try values.decode([LengthRow].self, forKey: .lengths)
    live = try values.decode([LatencyRow].self, forKey: .live)
    engineBytes = try values.decodeIfPresent(Int.self, forKey: .engineBytes)
    remarks = try values.decode([String].self, forKey: .remarks)
    checksum = try values.decode(Double.self, forKey: .checksum)
  }

  /// Reads a report from the file at `path`.
  package init(path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Writes the report to the file at `path`, all or nothing.
  package func writeJSON(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}

/// The same work by us and by the C++ peer, in nanoseconds a call.
package struct PeerComparison: Codable {
  package var name: String
  package var ours: LatencyRow
  package var peers: [LatencyRow]
  /// Largest difference of any covariance from ours, in units of its two standard deviations.
  package var disagreement: Double

  /// Results that differ by more are not the same work.
  package static let largestDisagreement = 1e-12

  /// Our median by a peer's, each call at its least over the repeats.
  package func ratio(to peer: LatencyRow) -> Double { ours.quietP50 / peer.quietP50 }

  package init(name: String, ours: LatencyRow, peers: [LatencyRow], disagreement: Double) {
    (self.name, self.ours, self.peers, self.disagreement) = (name, ours, peers, disagreement)
  }
}

/// Another form of the same filter.
package struct FormRow: Codable {
  package var name: String
  package var predict: LatencyRow
  package var update: LatencyRow?
  /// Largest relative error of any standard deviation against Double at the full rate.
  package var sigmaError: Double

  package init(name: String, predict: LatencyRow, update: LatencyRow?, sigmaError: Double) {
    (self.name, self.predict, self.update, self.sigmaError) = (name, predict, update, sigmaError)
  }
}

/// The whole of a drive.
package struct LengthRow: Codable {
  /// Seconds of driving, and IMU samples in each.
  package var length: Int, rate: Int
  /// Seconds of processor time, and samples of all sensors.
  package var cpu: Double, samples: Int
  /// Most bytes that the process had held by then.
  package var peakBytes: Int

  package var nanosecondsPerSample: Double { cpu * 1e9 / Double(samples) }
  package var realTimeFactor: Double { Double(length) / cpu }

  private enum CodingKeys: String, CodingKey {
    case length = "length_s"
    case rate = "imu_hz"
    case cpu = "cpu_s"
    case samples
    case peakBytes = "peak_bytes"
  }

  package init(length: Int, rate: Int, cpu: Double, samples: Int, peakBytes: Int) {
    (self.length, self.rate, self.cpu, self.samples) = (length, rate, cpu, samples)
    self.peakBytes = peakBytes
  }
}
