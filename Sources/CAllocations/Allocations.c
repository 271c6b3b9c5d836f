#define _GNU_SOURCE
#include "CAllocations.h"
#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

// Symbols of an executable come before those of its libraries, so that every call in the process comes here, those of
// the Swift runtime included. The work is done by glibc's own entry points: nothing is looked up, nothing recurses.
//
// Not under a sanitizer, which does the same.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WATCHED
#endif
#endif
#if defined(__GLIBC__) && !defined(WATCHED)

static _Thread_local uint64_t allocations;
static _Thread_local uint64_t bytes;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static inline void count(size_t size) {
  allocations += 1;
  bytes += size;
}

void *malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count(size);
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  count(size);
  void *got = __libc_memalign(alignment, size);
  if (got == NULL) return ENOMEM;
  *result = got;
  return 0;
}

uint64_t allocation_count(void) { return allocations; }
uint64_t allocation_bytes(void) { return bytes; }
bool allocations_are_counted(void) { return true; }

#else

uint64_t allocation_count(void) { return 0; }
uint64_t allocation_bytes(void) { return 0; }
bool allocations_are_counted(void) { return false; }

#endif

// Calls through volatile pointers: a compiler may leave out an allocation that nobody uses.
void allocate_by_each(void) {
  void *(*volatile one)(size_t) = malloc;
  void *(*volatile many)(size_t, size_t) = calloc;
  void *(*volatile more)(void *, size_t) = realloc;
  void *(*volatile aligned[])(size_t, size_t) = {memalign, aligned_alloc};
  int (*volatile posix)(void **, size_t, size_t) = posix_memalign;
  void *block = one(16);
  block = more(block, 64);
  free(block);
  free(many(4, 16));
  for (int i = 0; i < 2; i += 1) free(aligned[i](64, 64));
  void *last = NULL;
  if (posix(&last, 64, 64) == 0) free(last);
}
