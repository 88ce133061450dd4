#ifndef CASTQ_TERMINAL_H
#define CASTQ_TERMINAL_H

/// Takes a terminal into raw mode, and brings it back on every way out: signals, crashes and exit() among them.
/// @param enter written when the terminal is taken, @param leave when it is given back; both must live as long as the program.
/// @return the read end of a pipe on which each signal to be handled arrives as one byte, its number; -1 with errno where the
/// terminal cannot be taken.
int castq_terminal_take(int input, int output, const char *enter, const char *leave);

/// Gives the terminal back as it was; harmless when it was not taken, and when called twice.
void castq_terminal_give_back(void);

/// Gives the terminal back, stops the process as SIGTSTP does, and takes the terminal again when the process is continued.
void castq_terminal_suspend(void);

/// Takes the terminal again after somebody else has changed it, as after SIGSTOP and SIGCONT.
void castq_terminal_retake(void);

#endif
