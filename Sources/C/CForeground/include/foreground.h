#pragma once

/// Opens what is closed of the standard streams, so that no file becomes one of them. A closed one stays unusable in its direction.
void foreground_fill_standard_streams(void);

/// Goes on in a child process. The calling one waits, passes signals on, and ends as the child does, or says by `foreground_leave`; so
/// this returns in the child alone, or where there can be none. Call it before the first thread.
void foreground_begin(void);

/// Whether somebody waits for this process to end, whom `foreground_leave` lets go. When that process is killed, SIGUSR2 arrives here.
int foreground_is_attached(void);

/// Whether SIGHUP must end this process: not after `foreground_leave`, and not when it was ignored from the start, as under nohup.
int foreground_ends_at_hangup(void);

/// Has the process that the shell waits for end with this exit code, and goes on in the background: in a session of its own, with the
/// standard streams on /dev/null, and without what was inherited besides. Does nothing when nobody waits. From then on SIGUSR2 means
/// nothing: one arrives when the other process ends.
void foreground_leave(int exit_code);
