#pragma once
#include <stddef.h>
#include <stdint.h>

// The geoid of EGM96 on a grid of 30', as scripts/geoid packs it, and the count of its bytes.
const uint8_t *reckon_egm96(size_t *count);
