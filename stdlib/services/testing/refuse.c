// Preloaded into a process: of the steps by which it changes what lies below REFUSED_BELOW, the disk refuses the one of the number
// REFUSED_STEP, counted from 0, as if it had no room; with `+` behind the number all that come after it as well. The process sets
// both as it goes, and finds in REFUSED how many were. To make a file that is there already is no step: it takes no room.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char last[4096];
static int steps, refusals;

static int refused(const char *path) {
  const char *below = getenv("REFUSED_BELOW"), *wanted = getenv("REFUSED_STEP");
  if (below == NULL || wanted == NULL || strncmp(path, below, strlen(below)) != 0) return 0;
  if (strcmp(last, below) != 0) {
    snprintf(last, sizeof last, "%s", below);
    steps = refusals = 0;
  }
  char *more, count[16];
  long first = strtol(wanted, &more, 10);
  int step = steps++;
  if (step != first && !(*more == '+' && step > first)) return 0;
  snprintf(count, sizeof count, "%d", ++refusals);
  setenv("REFUSED", count, 1);
  errno = ENOSPC;
  return 1;
}

static int refused_of(int file) {
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return refused(path);
}

#define OF_FILE(result, name, params, ...)          \
  result name params {                              \
    result(*real) params = dlsym(RTLD_NEXT, #name); \
    return refused_of(file) ? -1 : real(__VA_ARGS__); \
  }

OF_FILE(ssize_t, write, (int file, const void *bytes, size_t count), file, bytes, count)
OF_FILE(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at), file, bytes, count, at)
OF_FILE(ssize_t, pwrite64, (int file, const void *bytes, size_t count, off64_t at), file, bytes, count, at)
OF_FILE(int, ftruncate, (int file, off_t length), file, length)
OF_FILE(int, ftruncate64, (int file, off64_t length), file, length)
OF_FILE(int, fsync, (int file), file)
OF_FILE(int, fdatasync, (int file), file)

int unlink(const char *path) {
  int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
  return refused(path) ? -1 : real(path);
}

#define OPEN(name)                                                          \
  int name(const char *path, int flags, ...) {                              \
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);          \
    va_list more;                                                           \
    va_start(more, flags);                                                  \
    int mode = (flags & O_CREAT) != 0 ? va_arg(more, int) : 0;              \
    va_end(more);                                                           \
    int is_made = (flags & O_CREAT) != 0 && access(path, F_OK) != 0;        \
    return is_made && refused(path) ? -1 : real(path, flags, mode);         \
  }

OPEN(open)
OPEN(open64)
