#pragma once
#include <stdint.h>

/// Asks for turns of so many nanoseconds for the calling thread, if it is an ordinary one; 0 for the system's own.
/// Gives 0, or the system's error.
int reckon_ask_for_turns(uint64_t nanoseconds);
