#pragma once

// The commit that was built, as whoever built it said by the environment variable RECKON_COMMIT; empty
// otherwise.
const char *reckon_commit(void);
