#define _GNU_SOURCE
#include "CProgramLimits.h"

#include <errno.h>
#include <sys/resource.h>

static int limit(pid_t process, int resource, uint64_t bytes) {
  struct rlimit value = {.rlim_cur = bytes, .rlim_max = bytes};
  return prlimit(process, resource, &value, 0) == 0 ? 0 : errno;
}

int castq_limit_memory(pid_t process, uint64_t bytes) { return limit(process, RLIMIT_AS, bytes); }

int castq_limit_file_size(pid_t process, uint64_t bytes) { return limit(process, RLIMIT_FSIZE, bytes); }

int castq_stand_back(pid_t group, int niceness) { return setpriority(PRIO_PGRP, (id_t)group, niceness) == 0 ? 0 : errno; }
