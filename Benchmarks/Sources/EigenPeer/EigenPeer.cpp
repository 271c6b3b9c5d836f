#include "EigenPeer.h"

#if __has_include(<eigen3/Eigen/Dense>)
#include <eigen3/Eigen/Dense>
#define HAS_EIGEN 1
#elif __has_include(<Eigen/Dense>)
#include <Eigen/Dense>
#define HAS_EIGEN 1
#endif

#if HAS_EIGEN
#include <memory>

#include "Blocks.hpp"
#include "Dense.hpp"
#include "Rows.hpp"

struct Peer {
  PeerForm form;
  Dense dense;
  Rows rows;
  Blocks blocks;
  EIGEN_MAKE_ALIGNED_OPERATOR_NEW
};

extern "C" bool peer_is_available(void) { return true; }

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)
extern "C" const char *peer_description(void) {
  return "Eigen " NUMBER(EIGEN_WORLD_VERSION) "." NUMBER(EIGEN_MAJOR_VERSION) "." NUMBER(EIGEN_MINOR_VERSION)
#if defined(__AVX512F__)
      ", AVX-512"
#elif defined(__AVX2__)
      ", AVX2"
#elif defined(__SSE2__)
      ", SSE2"
#elif defined(__ARM_NEON)
      ", NEON"
#endif
#if defined(__FMA__)
      " and FMA"
#endif
      ;
}

extern "C" Peer *peer_new(PeerForm form, const double covariance[441]) {
  auto peer = new Peer{form};
  const Matrix21 p = Eigen::Map<const Matrix21>(covariance);
  peer->dense.p = p;
  peer->rows.p = p;
  peer->blocks.set(p);
  return peer;
}

extern "C" void peer_free(Peer *peer) { delete peer; }

// The form is chosen outside the loop: each loop is compiled for one form.
extern "C" void peer_predict(Peer *peer, const PeerTransition *transitions, int count) {
  auto run = [&](auto &form) {
    for (int i = 0; i < count; i += 1) form.predict(transitions[i]);
  };
  switch (peer->form) {
    case PEER_DENSE: run(peer->dense); break;
    case PEER_BLOCK_ROWS: run(peer->rows); break;
    case PEER_BLOCKS: run(peer->blocks); break;
  }
}

extern "C" void peer_update(
    Peer *peer, const PeerMeasurement *measurements, int count, double correction[21]) {
  Vector21 last = Vector21::Zero();
  auto run = [&](auto &form) {
    for (int i = 0; i < count; i += 1) last = form.update(measurements[i]);
  };
  switch (peer->form) {
    case PEER_DENSE: run(peer->dense); break;
    case PEER_BLOCK_ROWS: run(peer->rows); break;
    case PEER_BLOCKS: run(peer->blocks); break;
  }
  Eigen::Map<Vector21> out(correction);
  out = last;
}

extern "C" void peer_covariance(const Peer *peer, double covariance[441]) {
  Eigen::Map<Matrix21> out(covariance);
  switch (peer->form) {
    case PEER_DENSE: out = peer->dense.p; break;
    case PEER_BLOCK_ROWS: out = peer->rows.p; break;
    case PEER_BLOCKS: out = peer->blocks.full(); break;
  }
}

#else

extern "C" bool peer_is_available(void) { return false; }
extern "C" const char *peer_description(void) { return "no Eigen when this was compiled (libeigen3-dev)"; }
extern "C" Peer *peer_new(PeerForm, const double[441]) { return nullptr; }
extern "C" void peer_free(Peer *) {}
extern "C" void peer_predict(Peer *, const PeerTransition *, int) {}
extern "C" void peer_update(Peer *, const PeerMeasurement *, int, double[21]) {}
extern "C" void peer_covariance(const Peer *, double[441]) {}

#endif
