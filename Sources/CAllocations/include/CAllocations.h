// Heap allocations, counted where this target is linked into an executable: its definitions of malloc, calloc, realloc,
// memalign, aligned_alloc and posix_memalign take the C library's place for the whole process.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Heap allocations of this thread so far.
uint64_t allocation_count(void);

/// Bytes that this thread has allocated so far, as asked for; what was freed is not taken off.
uint64_t allocation_bytes(void);

/// Whether allocations are counted on this system: with glibc.
bool allocations_are_counted(void);

/// Calls each of the six functions once, and frees what it got: a counter that works then reads six more.
void allocate_by_each(void);
