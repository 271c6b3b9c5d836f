#define _GNU_SOURCE
#include "CScheduler.h"
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// glibc has no sched_setattr before 2.41, and Swift cannot call syscall(2), which is variadic.
#if defined(__linux__) && defined(SYS_sched_setattr)

struct attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

int reckon_ask_for_turns(uint64_t nanoseconds) {
  struct attributes now;
  memset(&now, 0, sizeof now);
  if (syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) != 0) return errno;
  if (now.policy != 0) return 0; // SCHED_OTHER is 0
  now.size = sizeof now;
  now.runtime = nanoseconds;
  return syscall(SYS_sched_setattr, 0, &now, 0) == 0 ? 0 : errno;
}

#else

int reckon_ask_for_turns(uint64_t nanoseconds) {
  (void)nanoseconds;
  return ENOSYS;
}

#endif
