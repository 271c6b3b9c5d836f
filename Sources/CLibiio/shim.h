// What Swift needs of libiio.
#ifndef RECKON_CLIBIIO_SHIM_H
#define RECKON_CLIBIIO_SHIM_H

#include <iio.h>

#endif
