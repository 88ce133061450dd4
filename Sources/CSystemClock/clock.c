#include "CSystemClock.h"

#include <stdint.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

int castq_clock_is_synchronised(int64_t *error) {
  // Without modes it only reads, which any user may.
  struct timex state = {.modes = 0};
  int result = adjtimex(&state);
  if (result < 0) return -1;
  *error = state.maxerror;
  return result != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}

// The timer never runs out: it only tells that somebody has set the clock.
static int arm(int descriptor) {
  struct itimerspec never = {.it_value = {.tv_sec = (time_t)1 << 40}};
  return timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

int castq_clock_watch(void) {
  int descriptor = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (descriptor >= 0) arm(descriptor);
  return descriptor;
}

void castq_clock_watch_again(int descriptor) {
  uint64_t count;
  (void)!read(descriptor, &count, sizeof count);
  arm(descriptor);
}
