// A command that may leave a feeder behind, such as `castq cast`, becomes that feeder. It runs in a child process from the start;
// the process that the shell waits for only passes signals on, and ends as the child says. That saves a second start of the program.

#define _GNU_SOURCE
#include "foreground.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// In the waiting process.
static volatile pid_t child = -1;

// In the child: where the exit code goes, whether SIGHUP was ignored, and the descriptors that others opened before the program began.
static _Atomic int waiting = -1;
static int ignores_hangup = 0;
static int *inherited = NULL;
static size_t inherited_count = 0;

// What is opened must not become standard input or output. A closed one stays unusable in its direction.
void foreground_fill_standard_streams(void) {
  int descriptor;
  do descriptor = open("/dev/null", O_RDONLY);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor > STDERR_FILENO) close(descriptor);
}

static void pass_on(int number, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  // What a person types at the terminal reaches the child as well, its hangup only the leader of the session.
  if (info->si_code <= 0 || number == SIGHUP) kill(child, number);
  errno = error;
}

// Ends as the child did, or says.
static void wait_for_child(int exit_codes) {
  unsigned char code;
  ssize_t length;
  do length = read(exit_codes, &code, 1);
  while (length < 0 && errno == EINTR);
  if (length == 1) _exit(code);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static void note_inherited(void) {
  DIR *folder = opendir("/proc/self/fd");
  if (folder == NULL) return;
  size_t room = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    int descriptor = atoi(entry->d_name);
    if (descriptor <= STDERR_FILENO || descriptor == dirfd(folder) || descriptor == waiting) continue;
    if (inherited_count == room) {
      int *larger = realloc(inherited, (room = room * 2 + 16) * sizeof(int));
      if (larger == NULL) break;
      inherited = larger;
    }
    inherited[inherited_count++] = descriptor;
  }
  closedir(folder);
}

void foreground_begin(void) {
  // Who ignores its children does not hear how they end.
  signal(SIGCHLD, SIG_DFL);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return;
  // No signal is lost between the fork and the handlers.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  pid_t waiter = getpid();
  child = fork();
  if (child == 0) {
    close(ends[0]);
    waiting = ends[1];
    // The death of one ends the other. Not by SIGHUP, which may be ignored.
    prctl(PR_SET_PDEATHSIG, SIGUSR2);
    if (getppid() != waiter) _exit(128 + SIGKILL);
    struct sigaction hangup;
    ignores_hangup = sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler == SIG_IGN;
    note_inherited();
  }
  if (child > 0) {
    close(ends[1]);
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    for (size_t index = 0; index < COUNT(passed_on); index++) {
      struct sigaction old;
      if (sigaction(passed_on[index], NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue;  // as under nohup
      sigaction(passed_on[index], &action, NULL);
    }
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child > 0) wait_for_child(ends[0]);
  // Without a child, the command runs here, and ends here.
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
  }
}

int foreground_is_attached(void) { return waiting >= 0; }

int foreground_ends_at_hangup(void) { return waiting >= 0 && !ignores_hangup; }

void foreground_leave(int exit_code) {
  int exit_codes = atomic_exchange(&waiting, -1);
  if (exit_codes < 0) return;
  setsid();
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
    if (nothing >= 0) dup2(nothing, stream);
  if (nothing > STDERR_FILENO) close(nothing);
  for (size_t index = 0; index < inherited_count; index++) close(inherited[index]);
  unsigned char code = (unsigned char)exit_code;
  while (write(exit_codes, &code, 1) < 0 && errno == EINTR) {}
  close(exit_codes);
}
