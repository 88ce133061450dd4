// A terminal in raw mode must be given back on every way out of the program, also on those that no Swift code sees: a crash, an exit
// from within a library. What a signal handler may do is little (POSIX.1-2017, 2.4.3), so that this is C.

#define _GNU_SOURCE
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// What the program handles: told through the pipe. A second request to end is obeyed at once.
static const int told[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
// What ends the program where it stands.
static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

static int terminal_input = -1, terminal_output = -1;
static const char *enter_text = "", *leave_text = "";
static struct termios cooked;
static _Atomic int is_taken = 0;
static _Atomic int endings = 0;
// The next SIGCONT ends a stop of our own, after which the terminal is taken anyway.
static _Atomic int expects_continue = 0;
static int pipe_ends[2] = {-1, -1};

static void put(const char *text) {
  size_t left = strlen(text);
  while (left > 0) {
    ssize_t written = write(terminal_output, text, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text += written;
    left -= (size_t)written;
  }
}

void castq_terminal_give_back(void) {
  int expected = 1;
  if (!atomic_compare_exchange_strong(&is_taken, &expected, 0)) return;
  int error = errno;
  put(leave_text);
  // What was typed for the full screen is nothing for the shell.
  tcsetattr(terminal_input, TCSAFLUSH, &cooked);
  errno = error;
}

static void set_raw(void) {
  struct termios raw = cooked;
  raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  tcsetattr(terminal_input, TCSADRAIN, &raw);
}

void castq_terminal_retake(void) {
  atomic_store(&is_taken, 1);
  set_raw();
  put(enter_text);
}

static void end_with(int number) {
  castq_terminal_give_back();
  signal(number, SIG_DFL);
  raise(number);
}

static void tell(int number) {
  int error = errno;
  if (number != SIGWINCH && number != SIGTSTP && number != SIGCONT && atomic_fetch_add(&endings, 1) > 0)
    end_with(number);
  if (number == SIGCONT && atomic_exchange(&expects_continue, 0)) return;
  unsigned char byte = (unsigned char)number;
  // A full pipe has bytes enough to wake the reader.
  ssize_t ignored = write(pipe_ends[1], &byte, 1);
  (void)ignored;
  errno = error;
}

static void set_handler(int number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_flags = flags};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

void castq_terminal_suspend(void) {
  castq_terminal_give_back();
  set_handler(SIGTSTP, SIG_DFL, 0);
  sigset_t only, before;
  sigemptyset(&only);
  sigaddset(&only, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &only, &before);
  // To this thread, so that the process has stopped before the next line runs.
  atomic_store(&expects_continue, 1);
  raise(SIGTSTP);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  set_handler(SIGTSTP, tell, SA_RESTART);
  castq_terminal_retake();
}

int castq_terminal_take(int input, int output, const char *enter, const char *leave) {
  if (tcgetattr(input, &cooked) != 0) return -1;
  if (pipe_ends[0] < 0 && pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  terminal_input = input;
  terminal_output = output;
  enter_text = enter;
  leave_text = leave;
  atexit(castq_terminal_give_back);
  for (size_t index = 0; index < COUNT(fatal); index++)
    set_handler(fatal[index], end_with, (int)(SA_RESETHAND | SA_NODEFER));
  for (size_t index = 0; index < COUNT(told); index++) {
    struct sigaction old;
    // As under nohup.
    if (told[index] == SIGHUP && sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    set_handler(told[index], tell, SA_RESTART);
  }
  castq_terminal_retake();
  return pipe_ends[0];
}
