#include "CRelease.h"

// Package.swift defines it from the environment: Swift's own conditions carry no values.
#ifndef RECKON_COMMIT
#define RECKON_COMMIT ""
#endif

const char *reckon_commit(void) { return RECKON_COMMIT; }
