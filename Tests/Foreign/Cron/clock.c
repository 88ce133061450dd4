// What Debian's cron is told of its computer, so that an ordinary user can try it: preloaded into the daemon alone, because cron gives
// its commands an environment of their own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <grp.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

// The time is that of $CLOCK (seconds since 1970) when it was asked for first, and goes on from there.
static time_t offset(time_t now) {
  static time_t difference;
  static int is_known;
  if (!is_known) {
    const char *clock = getenv("CLOCK");
    difference = clock ? atoll(clock) - now : 0;
    is_known = 1;
  }
  return difference;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  time_t shown = now.tv_sec + offset(now.tv_sec);
  if (result) *result = shown;
  return shown;
}

// In a user namespace of one user there are no groups to take on.
int setgroups(size_t size, const gid_t *list) {
  (void)size;
  (void)list;
  return 0;
}

int initgroups(const char *user, gid_t group) {
  (void)user;
  (void)group;
  return 0;
}
