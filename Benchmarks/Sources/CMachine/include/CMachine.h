// What Swift cannot ask of the C library in a line.
#pragma once
#include <stdint.h>

/// Keeps this thread on the last core that it may use; returns that core, or -1 where the system refuses.
int machine_pin(void);

/// Lets this thread run on all the cores that the process had at the start.
void machine_unpin(void);

/// Most bytes of memory that the process has held so far.
uint64_t machine_peak_bytes(void);

/// Fixed work of under a microsecond, a product of matrices: how fast the machine is just now. Returns a number that
/// depends on all of it.
double machine_reference_work(void);
