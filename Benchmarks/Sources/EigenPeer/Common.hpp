#pragma once
// Eigen itself is included before, by EigenPeer.cpp, which knows where it lies.
#include "EigenPeer.h"

constexpr int kPosition = 0, kVelocity = 1, kAttitude = 2, kGyroBias = 3, kAccelBias = 4, kGyroScale = 5,
              kAccelScale = 6, kBlocks = 7, kStates = 3 * kBlocks;

using Matrix21 = Eigen::Matrix<double, kStates, kStates>;
using Vector21 = Eigen::Matrix<double, kStates, 1>;
using Matrix21x6 = Eigen::Matrix<double, kStates, 6>;
using Matrix6x21 = Eigen::Matrix<double, 6, kStates>;
using Matrix21x3 = Eigen::Matrix<double, kStates, 3>;
using Matrix3x21 = Eigen::Matrix<double, 3, kStates>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix3 = Eigen::Matrix3d;
using Vector3 = Eigen::Vector3d;

inline Eigen::Map<const Matrix3> matrix(const double *m) { return Eigen::Map<const Matrix3>(m); }
inline Eigen::Map<const Vector3> vector(const double *v) { return Eigen::Map<const Vector3>(v); }
