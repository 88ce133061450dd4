#ifndef C_PROGRAM_LIMITS_H
#define C_PROGRAM_LIMITS_H

#include <stdint.h>
#include <sys/types.h>

// Limits of a process that runs already. In C, because glibc declares prlimit(2) for GNU sources only, which Swift's importer is not.
// Each returns 0, or the system's error number.

// The largest address space of a process, in bytes.
int castq_limit_memory(pid_t process, uint64_t bytes);

// The largest file a process may write, in bytes.
int castq_limit_file_size(pid_t process, uint64_t bytes);

// How far the processes of a group stand back, 0 to 19.
int castq_stand_back(pid_t group, int niceness);

#endif
