#include "CSystemClock.h"

#include <sys/timex.h>

int castq_clock_is_synchronised(int64_t *error) {
  // Without modes it only reads, which any user may.
  struct timex state = {.modes = 0};
  int result = adjtimex(&state);
  if (result < 0) return -1;
  *error = state.maxerror;
  return result != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}
