#ifndef C_SYSTEM_CLOCK_H
#define C_SYSTEM_CLOCK_H

#include <stdint.h>

// Whether a time service keeps the system's clock in step. In C, because Swift's importer does not see adjtimex(2).
//
// Returns 1 if so, with the largest error that the kernel estimates, in microseconds; 0 if not; -1 if the system does not say.
int castq_clock_is_synchronised(int64_t *error);

#endif
