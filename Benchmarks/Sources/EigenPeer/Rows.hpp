#pragma once
#include "Common.hpp"

/// A full matrix, worked on by block rows and block columns, without the zeros of Φ and H.
struct Rows {
  Matrix21 p;

  void predict(const PeerTransition &t) {
    const Matrix3 gradient = vector(t.gravity_gradient).asDiagonal();
    row(kPosition) += t.dt * row(kVelocity);
    column(kPosition) += t.dt * column(kVelocity);

    const Matrix3x21 toVelocity = matrix(t.coriolis).lazyProduct(row(kVelocity)) +
                                  matrix(t.force_cross).lazyProduct(row(kAttitude)) +
                                  matrix(t.force_from_bias).lazyProduct(row(kAccelBias)) +
                                  matrix(t.force_from_scale).lazyProduct(row(kAccelScale)) +
                                  gradient.lazyProduct(row(kPosition));
    row(kVelocity) += toVelocity;
    const Matrix21x3 fromVelocity = column(kVelocity).lazyProduct(matrix(t.coriolis).transpose()) +
                                    column(kAttitude).lazyProduct(matrix(t.force_cross).transpose()) +
                                    column(kAccelBias).lazyProduct(matrix(t.force_from_bias).transpose()) +
                                    column(kAccelScale).lazyProduct(matrix(t.force_from_scale).transpose()) +
                                    column(kPosition).lazyProduct(gradient.transpose());
    column(kVelocity) += fromVelocity;

    const Matrix3x21 toAttitude = matrix(t.frame_rate).lazyProduct(row(kAttitude)) +
                                  matrix(t.rate_from_bias).lazyProduct(row(kGyroBias)) +
                                  matrix(t.rate_from_scale).lazyProduct(row(kGyroScale));
    row(kAttitude) += toAttitude;
    const Matrix21x3 fromAttitude = column(kAttitude).lazyProduct(matrix(t.frame_rate).transpose()) +
                                    column(kGyroBias).lazyProduct(matrix(t.rate_from_bias).transpose()) +
                                    column(kGyroScale).lazyProduct(matrix(t.rate_from_scale).transpose());
    column(kAttitude) += fromAttitude;
    p.diagonal().tail<18>() += Eigen::Map<const Eigen::Matrix<double, 18, 1>>(t.noise);
  }

  Vector21 update(const PeerMeasurement &m) {
    Matrix21x6 cross;
    cross.leftCols<3>() =
        column(kPosition) + column(kAttitude).lazyProduct(matrix(m.position_from_attitude).transpose());
    cross.rightCols<3>() =
        column(kVelocity) + column(kAttitude).lazyProduct(matrix(m.velocity_from_attitude).transpose());
    Matrix6 s;
    s.topRows<3>() = cross.middleRows<3>(3 * kPosition) +
                     matrix(m.position_from_attitude).lazyProduct(cross.middleRows<3>(3 * kAttitude));
    s.bottomRows<3>() = cross.middleRows<3>(3 * kVelocity) +
                        matrix(m.velocity_from_attitude).lazyProduct(cross.middleRows<3>(3 * kAttitude));
    s.diagonal() += Eigen::Map<const Vector6>(m.noise);
    const Eigen::LLT<Matrix6> factor(s);
    const Matrix6 whitening = factor.matrixL().solve(Matrix6::Identity());
    const Matrix21x6 v = cross.lazyProduct(whitening.transpose());
    const Vector6 w = whitening * Eigen::Map<const Vector6>(m.innovation);
    p -= v.lazyProduct(v.transpose());
    return v * w;
  }

 private:
  auto row(int block) -> decltype(p.middleRows<3>(0)) { return p.middleRows<3>(3 * block); }
  auto column(int block) -> decltype(p.middleCols<3>(0)) { return p.middleCols<3>(3 * block); }
};
