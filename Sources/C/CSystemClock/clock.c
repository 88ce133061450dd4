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

int castq_boot_timer(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

void castq_boot_timer_set(int descriptor, int64_t milliseconds) {
  struct itimerspec moment = {0};
  if (milliseconds >= 0) {
    // Zero would be never.
    moment.it_value.tv_sec = (time_t)(milliseconds / 1000);
    moment.it_value.tv_nsec = (long)(milliseconds % 1000) * 1000000 + 1;
  }
  timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &moment, NULL);
}

void castq_clock_watch_again(int descriptor) {
  uint64_t count;
  (void)!read(descriptor, &count, sizeof count);
  arm(descriptor);
}
