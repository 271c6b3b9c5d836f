// What Swift cannot ask of the C library in a line: counts of heap allocations, and the core that a thread runs on.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Heap allocations of this thread so far: malloc, calloc, realloc, memalign, aligned_alloc and posix_memalign.
/// They are counted where this target is linked into an executable: its definitions take the C library's place.
uint64_t machine_allocations(void);

/// Bytes that this thread has allocated so far, as asked for; what was freed is not taken off.
uint64_t machine_allocated_bytes(void);

/// Whether allocations are counted on this system.
bool machine_counts_allocations(void);

/// Calls each of the six functions once, and frees what it got: a counter that works then reads six more.
void machine_allocate_by_each(void);

/// Keeps this thread on the last core that it may use; returns that core, or -1 where the system refuses.
int machine_pin(void);

/// Lets this thread run on all the cores that the process had at the start.
void machine_unpin(void);

/// Most bytes of memory that the process has held so far.
uint64_t machine_peak_bytes(void);

/// Fixed work of under a microsecond, a product of matrices: how fast the machine is just now. Returns a number that
/// depends on all of it.
double machine_reference_work(void);
