#include "CGeoid.h"

// In the program itself, so that no file can be missing beside it. EGM96 is by NASA and NIMA, in the public domain.
static const uint8_t grid[] = {
#embed "egm96.gz"
};

const uint8_t *reckon_egm96(size_t *count) {
  *count = sizeof grid;
  return grid;
}
