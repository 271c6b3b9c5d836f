#pragma once
#include "Common.hpp"

/// 3 × 3 blocks of the upper triangle, row by row of state blocks: the steps of our own kernels.
struct Blocks {
  Matrix3 p[kBlocks][kBlocks];

  void set(const Matrix21 &full) {
    for (int i = 0; i < kBlocks; i += 1) {
      for (int j = i; j < kBlocks; j += 1) p[i][j] = full.block<3, 3>(3 * i, 3 * j);
    }
  }

  Matrix21 full() const {
    Matrix21 result;
    for (int i = 0; i < kBlocks; i += 1) {
      for (int j = i; j < kBlocks; j += 1) {
        result.block<3, 3>(3 * i, 3 * j) = p[i][j];
        result.block<3, 3>(3 * j, 3 * i) = p[i][j].transpose();
      }
    }
    return result;
  }

  void predict(const PeerTransition &t) {
    couple<kPosition>(Link<kVelocity>{Matrix3::Identity() * t.dt});
    couple<kVelocity>(
        Link<kAttitude>{matrix(t.force_cross)}, Link<kAccelBias>{matrix(t.force_from_bias)},
        Link<kAccelScale>{matrix(t.force_from_scale)}, Link<kVelocity>{matrix(t.coriolis)},
        Link<kPosition>{Matrix3(vector(t.gravity_gradient).asDiagonal())});
    couple<kAttitude>(
        Link<kGyroBias>{matrix(t.rate_from_bias)}, Link<kGyroScale>{matrix(t.rate_from_scale)},
        Link<kAttitude>{matrix(t.frame_rate)});
    for (int i = 1; i < kBlocks; i += 1) p[i][i].diagonal() += vector(t.noise + 3 * (i - 1));
  }

  Vector21 update(const PeerMeasurement &m) {
    Vector21 first, second;
    const Vector3 position = vector(m.innovation);
    first = update<kPosition>(matrix(m.position_from_attitude), vector(m.noise), position);
    const Vector3 velocity = vector(m.innovation + 3) - first.segment<3>(3 * kVelocity) -
                             matrix(m.velocity_from_attitude) * first.segment<3>(3 * kAttitude);
    second = update<kVelocity>(matrix(m.velocity_from_attitude), vector(m.noise + 3), velocity);
    return first + second;
  }

 private:
  template <int from>
  struct Link {
    Matrix3 m;
  };

  template <int from>
  void add(const Link<from> &link, Matrix3 (&d)[kBlocks]) const {
    for (int j = 0; j < from; j += 1) d[j].noalias() += link.m.lazyProduct(p[j][from].transpose());
    for (int j = from; j < kBlocks; j += 1) d[j].noalias() += link.m.lazyProduct(p[from][j]);
  }

  template <int i, int... from>
  void couple(const Link<from> &...links) {
    Matrix3 d[kBlocks];
    for (auto &block : d) block.setZero();
    (add(links, d), ...);
    Matrix3 own = p[i][i] + d[i] + d[i].transpose();
    ((own.noalias() += d[from].lazyProduct(links.m.transpose())), ...);
    for (int j = 0; j < i; j += 1) p[j][i] += d[j].transpose();
    for (int j = i + 1; j < kBlocks; j += 1) p[i][j] += d[j];
    p[i][i] = (own + own.transpose()) * 0.5;
  }

  template <int measured>
  Vector21 update(const Matrix3 &fromAttitude, const Vector3 &noise, const Vector3 &innovation) {
    Matrix3 cross[kBlocks];
    for (int j = 0; j < kBlocks; j += 1) {
      cross[j] = block(j, measured);
      if (j <= kAttitude) {
        cross[j].noalias() += p[j][kAttitude].lazyProduct(fromAttitude.transpose());
      } else {
        cross[j].noalias() += p[kAttitude][j].transpose().lazyProduct(fromAttitude.transpose());
      }
    }
    Matrix3 s = cross[measured] + fromAttitude.lazyProduct(cross[kAttitude]);
    s.diagonal() += noise;
    const Eigen::LLT<Matrix3> factor(s);
    const Matrix3 whitening = factor.matrixL().solve(Matrix3::Identity());
    const Vector3 w = whitening * innovation;
    Matrix3 v[kBlocks];
    Vector21 correction;
    for (int i = 0; i < kBlocks; i += 1) {
      v[i].noalias() = cross[i].lazyProduct(whitening.transpose());
      correction.segment<3>(3 * i).noalias() = v[i] * w;
    }
    for (int j = 0; j < kBlocks; j += 1) {
      for (int i = 0; i <= j; i += 1) p[i][j].noalias() -= v[i].lazyProduct(v[j].transpose());
    }
    return correction;
  }

  Matrix3 block(int i, int j) const { return i <= j ? p[i][j] : Matrix3(p[j][i].transpose()); }
};
