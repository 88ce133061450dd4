#ifndef C_SYSTEM_CLOCK_H
#define C_SYSTEM_CLOCK_H

#include <stdint.h>

// Whether a time service keeps the system's clock in step. In C, because Swift's importer does not see adjtimex(2).
//
// Returns 1 if so, with the largest error that the kernel estimates, in microseconds; 0 if not; -1 if the system does not say.
int castq_clock_is_synchronised(int64_t *error);

// A descriptor that becomes readable whenever somebody sets the system's clock; -1 if the system has none. Close it. In C, because
// the flag TFD_TIMER_CANCEL_ON_SET is missing from Swift's importer.
int castq_clock_watch(void);

// Waits for the next time that the clock is set.
void castq_clock_watch_again(int descriptor);

// A descriptor that becomes readable at a moment, in milliseconds since the start of the system; the time in which the computer sleeps
// counts. -1 if the system has none. Close it.
int castq_boot_timer(void);

// Sets the moment; a negative one is never.
void castq_boot_timer_set(int descriptor, int64_t milliseconds);

#endif
