#pragma once

/// Whether somebody waits for this process to end, whom it can let go by `foreground_leave`.
int foreground_is_attached(void);

/// Has the process that the shell waits for end with this exit code, and goes on in the background: in a session of its own, with the
/// standard streams on /dev/null, and without what was inherited besides. Does nothing when nobody waits. From then on SIGHUP means
/// nothing: one comes when the other process ends.
void foreground_leave(int exit_code);
