/// Instructions that other filters need for a step, counted once by callgrind beside ours on one machine:
/// they come from their own programs, which are not built here.
package struct PeerCount {
  package let name: String
  /// A sample of the IMU with its output, and what a fix of position and velocity takes on top of it.
  package let instructions: [Step: Double]

  /// Both built with -O3, without -march; their releases were not written down with the counts.
  package static let all = [
    // PX4's EKF2 in Float, with its magnetometer states, predicting at every sample.
    PeerCount(name: "EKF2", instructions: [.inertial: 15_900, .fix: 35_500]),
    // KF-GINS with 21 states in Double, on Eigen's dynamic matrices.
    PeerCount(name: "KF-GINS", instructions: [.inertial: 173_000]),
  ]
}
