// What Swift needs of libgps: the API itself, and in static inline functions what is variadic there, or differs by version.
#ifndef RECKON_CLIBGPS_SHIM_H
#define RECKON_CLIBGPS_SHIM_H

#include <gps.h>

#endif
