#pragma once
#include "Common.hpp"

/// The textbook: full matrices of fixed size.
struct Dense {
  Matrix21 p;

  void predict(const PeerTransition &t) {
    Matrix21 phi = Matrix21::Identity();
    auto block = [&](int to, int from) { return phi.block<3, 3>(3 * to, 3 * from); };
    const Matrix3 gradient = vector(t.gravity_gradient).asDiagonal();
    block(kPosition, kVelocity).diagonal().setConstant(t.dt);
    // Velocity reads the position as it is after this step, as ours does.
    block(kVelocity, kPosition) = gradient;
    block(kVelocity, kVelocity) += matrix(t.coriolis) + gradient * t.dt;
    block(kVelocity, kAttitude) = matrix(t.force_cross);
    block(kVelocity, kAccelBias) = matrix(t.force_from_bias);
    block(kVelocity, kAccelScale) = matrix(t.force_from_scale);
    block(kAttitude, kAttitude) += matrix(t.frame_rate);
    block(kAttitude, kGyroBias) = matrix(t.rate_from_bias);
    block(kAttitude, kGyroScale) = matrix(t.rate_from_scale);
    const Matrix21 moved = phi * p;
    p.noalias() = moved * phi.transpose();
    p.diagonal().tail<18>() += Eigen::Map<const Eigen::Matrix<double, 18, 1>>(t.noise);
  }

  Vector21 update(const PeerMeasurement &m) {
    Matrix6x21 h = Matrix6x21::Zero();
    h.block<3, 3>(0, 3 * kPosition).setIdentity();
    h.block<3, 3>(0, 3 * kAttitude) = matrix(m.position_from_attitude);
    h.block<3, 3>(3, 3 * kVelocity).setIdentity();
    h.block<3, 3>(3, 3 * kAttitude) = matrix(m.velocity_from_attitude);
    const Matrix21x6 cross = p * h.transpose();
    Matrix6 s = h * cross;
    s.diagonal() += Eigen::Map<const Vector6>(m.noise);
    const Eigen::LLT<Matrix6> factor(s);
    const Matrix21x6 v = factor.matrixL().solve(cross.transpose()).transpose();
    const Vector6 w = factor.matrixL().solve(Eigen::Map<const Vector6>(m.innovation));
    p.noalias() -= v * v.transpose();
    return v * w;
  }
};
