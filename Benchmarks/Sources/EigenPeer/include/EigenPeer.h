// The covariance of a 21-state error filter on Eigen, written as well as we can: the yardstick for our own. States by
// blocks of three: position, velocity, attitude, gyroscope bias, accelerometer bias, their two scales. Matrices are
// column by column.
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How far one IMU sample moves the error: couplings already multiplied by the step's length.
typedef struct {
  /// Length of the step in seconds: position from velocity.
  double dt;
  /// Velocity from position, a diagonal.
  double gravity_gradient[3];
  /// Velocity from velocity, attitude, accelerometer bias and scale.
  double coriolis[9], force_cross[9], force_from_bias[9], force_from_scale[9];
  /// Attitude from attitude, gyroscope bias and scale.
  double frame_rate[9], rate_from_bias[9], rate_from_scale[9];
  /// Variances that velocity, attitude, both biases and both scales gain, in the order of the states.
  double noise[18];
} PeerTransition;

/// A fix: position and velocity of an antenna, three components each.
typedef struct {
  /// Position and velocity from attitude, by the lever arm.
  double position_from_attitude[9], velocity_from_attitude[9];
  /// Variances of the six components.
  double noise[6];
  double innovation[6];
} PeerMeasurement;

/// How the covariance is held and worked on.
typedef enum {
  /// A 21 × 21 matrix; Φ P Φᵀ + Q and H as full matrices.
  PEER_DENSE,
  /// A 21 × 21 matrix; block rows and block columns of three, without the zeros of Φ and H.
  PEER_BLOCK_ROWS,
  /// 3 × 3 blocks, upper triangle only: our own way, with Eigen's Matrix3d.
  PEER_BLOCKS,
} PeerForm;

typedef struct Peer Peer;

/// Whether Eigen was there when this was compiled.
bool peer_is_available(void);
/// Version of Eigen, and the instruction set that it was compiled for.
const char *peer_description(void);
/// A filter with the covariance of 21 × 21 numbers; NULL without Eigen.
Peer *peer_new(PeerForm form, const double covariance[441]);
void peer_free(Peer *peer);
/// Moves the covariance on by each of the transitions.
void peer_predict(Peer *peer, const PeerTransition *transitions, int count);
/// Conditions it on each of the measurements; `correction` gets the last one's, for 21 states.
void peer_update(Peer *peer, const PeerMeasurement *measurements, int count, double correction[21]);
/// The covariance, both triangles.
void peer_covariance(const Peer *peer, double covariance[441]);

#ifdef __cplusplus
}
#endif
