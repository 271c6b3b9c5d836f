#define _GNU_SOURCE
#include "CMachine.h"
#include <sched.h>
#include <stdbool.h>
#include <sys/resource.h>

#if defined(__linux__)

static cpu_set_t all;
static bool is_known;

int machine_pin(void) {
  if (!is_known && sched_getaffinity(0, sizeof all, &all) != 0) return -1;
  is_known = true;
  for (int core = CPU_SETSIZE - 1; core >= 0; core -= 1) {
    if (!CPU_ISSET(core, &all)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0 ? core : -1;
  }
  return -1;
}

void machine_unpin(void) {
  if (is_known) sched_setaffinity(0, sizeof all, &all);
}

#else

int machine_pin(void) { return -1; }
void machine_unpin(void) {}

#endif

uint64_t machine_peak_bytes(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return (uint64_t)usage.ru_maxrss * 1024;
}

double machine_reference_work(void) {
  enum { n = 16 };
  static _Thread_local double a[n][n], b[n][n], c[n][n];
  if (a[0][0] == 0) {
    for (int i = 0; i < n; i += 1) {
      for (int j = 0; j < n; j += 1) {
        a[i][j] = 1.0 / (1 + i + j);
        b[i][j] = i == j ? 1 : 0.01 * (i - j);
      }
    }
  }
  for (int i = 0; i < n; i += 1) {
    for (int j = 0; j < n; j += 1) {
      double sum = 0;
      for (int k = 0; k < n; k += 1) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  }
  double trace = 0;
  for (int i = 0; i < n; i += 1) trace += c[i][i];
  b[0][1] += trace * 1e-12;
  return trace;
}
