#define _GNU_SOURCE
#include "CWebFile.h"

#include <sys/stat.h>

// In C, because what the headers of the web framework bring along hides the members of `stat` from Swift.
int castq_web_file_look(const char *path, castq_web_file_state *state) {
  struct stat found;
  if (lstat(path, &found) != 0) return -1;
  state->is_file = S_ISREG(found.st_mode);
  state->mode = found.st_mode & 07777;
  state->size = found.st_size;
  state->modified = (int64_t)found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec;
  state->number = found.st_ino;
  return 0;
}
