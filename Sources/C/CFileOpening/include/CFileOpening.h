#ifndef CASTQ_FILE_OPENING_H
#define CASTQ_FILE_OPENING_H

/// Opens a path of which no part may be a symbolic link; with one the error is ELOOP.
///
/// ENOSYS and EPERM: this kernel does not know the call (before 5.6), or a filter of calls refuses it.
/// \param flags those of open; none that creates a file.
/// \returns the descriptor; -1 with errno.
int castq_open_without_links(const char *path, int flags);

#endif
