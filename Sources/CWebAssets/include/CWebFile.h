#ifndef CASTQ_WEB_FILE_H
#define CASTQ_WEB_FILE_H

#include <stdint.h>

// What tells one version of a file from another, and whether others may read it.
typedef struct {
  int is_file;
  uint32_t mode;
  int64_t size;
  // Nanoseconds.
  int64_t modified;
  uint64_t number;
} castq_web_file_state;

// The state of what is at a path; a link is looked at, and not what it leads to.
// Returns 0, or -1 when there is nothing.
int castq_web_file_look(const char *_Nonnull path, castq_web_file_state *_Nonnull state);

#endif
