// Wants more of the data disk than its line of the page says, in every way that a program can think of.
#include "more.h"

enum { OPENAT = 257, PWRITE64 = 18, RENAME = 82, MKDIR = 83, LINK = 86, UNLINK = 87, RMDIR = 84, SYMLINK = 88, FTRUNCATE = 77, TRUNCATE = 76 };
enum { LINKAT = 265, SYMLINKAT = 266, IOCTL = 16, FALLOCATE = 285, SETXATTR = 188, MKNOD = 133, COPY_FILE_RANGE = 326, CHOWN = 92 };
enum { WRITABLE = 0101, TEMPORARY = 020200001, HERE = -100, PIECE = 65536, MIB = 1 << 20, BLOCK = 4096 };
enum { ENOUGH = 64 * MIB, FOLDERS = 64, FILES_EACH = 100 };
static const long PROJECT = 0x401c5820;

static long open_file(const char *path, long flags) {
  return call(OPENAT, HERE, (long)path, flags, 0600, 0);
}

/// Writes at the end of what is open until that fails, or is more than any disk here has. Gives the bytes that went in.
static long pour(long file, long *error) {
  static char piece[PIECE];
  long written = 0;
  for (;;) {
    long more = sys(WRITE, file, (long)piece, PIECE);
    *error = more < 0 ? more : 0;
    if (more <= 0 || written > ENOUGH) return written;
    written += more;
  }
}

static void poured_into(char *out, long file) {
  long error;
  if (file < 0) return outcome(out, "opened with error", file);
  number(out, pour(file, &error) / 1024);
  outcome(out, " KiB, then error", error);
  sys(CLOSE, file, 0, 0);
}

static void poured(char *out, const char *path) {
  poured_into(out, open_file(path, WRITABLE));
}

static const char *HOARD = "/data/hoard", *OTHER = "/data/other", *FAR = "/data/far/hoard";

static void names(char *out) {
  static uint32_t project[7] = { 0x200, 0, 0, 4711, 0, 0, 0 };
  long file = open_file(HOARD, WRITABLE);
  outcome(out, "link", sys(LINK, (long)HOARD, (long)OTHER, 0));
  outcome(out, ", linkat", call(LINKAT, HERE, (long)HOARD, HERE, (long)OTHER, 0));
  outcome(out, ", symlink", sys(SYMLINK, (long)HOARD, (long)OTHER, 0));
  outcome(out, ", symlinkat", sys(SYMLINKAT, (long)HOARD, HERE, (long)OTHER));
  outcome(out, ", mknod", sys(MKNOD, (long)OTHER, 0100600, 0));
  outcome(out, ", project", sys(IOCTL, file, PROJECT, (long)project));
  outcome(out, ", attribute", call(SETXATTR, (long)HOARD, (long)"user.a", (long)HOARD, 8, 0));
  outcome(out, ", fallocate", call(FALLOCATE, file, 0, 0, 8 * MIB, 0));
  outcome(out, ", copy", call(COPY_FILE_RANGE, file, 0, file, 0, PIECE));
  outcome(out, ", truncate", sys(TRUNCATE, (long)HOARD, MIB, 0));
  outcome(out, ", chown", sys(CHOWN, (long)HOARD, 0, 0));
  outcome(out, ", to another's", sys(RENAME, (long)HOARD, (long)"/data/../other", 0));
  sys(CLOSE, file, 0, 0);
}

/// A path whose last two letters count.
static void count_up(char *path, int at) {
  unsigned last = length(path) - 1;
  path[last - 1] = (char)('a' + at / 26 % 26);
  path[last] = (char)('a' + at % 26);
}

/// Makes them, or takes them away again; how many there were.
static long each_file(int is_made, long *error) {
  long count = 0;
  *error = 0;
  for (int at = 0; at < FOLDERS && *error >= 0; at += 1) {
    char folder[] = "/data/faa", file[] = "/data/faa/eaa";
    count_up(folder, at);
    for (unsigned index = 0; index < sizeof folder - 1; index += 1) file[index] = folder[index];
    *error = is_made ? sys(MKDIR, (long)folder, 0700, 0) : 0;
    count += *error >= 0;
    for (int each = 0; each < FILES_EACH && *error >= 0; each += 1) {
      count_up(file, each);
      *error = is_made ? open_file(file, WRITABLE) : sys(UNLINK, (long)file, 0, 0);
      if (is_made && *error >= 0) sys(CLOSE, *error, 0, 0);
      count += *error >= 0;
    }
    if (!is_made) *error = sys(RMDIR, (long)folder, 0, 0);
  }
  return count;
}

static void files(char *out) {
  long error, made = each_file(1, &error);
  number(out, made);
  outcome(out, " files and folders, then error", error);
  each_file(0, &error);
}

static void holes(char *out) {
  long file = open_file("/data/holes", WRITABLE), kept = 0, error;
  outcome(out, "1 GiB of nothing: error", sys(FTRUNCATE, file, 1024l * MIB, 0));
  do error = call(PWRITE64, file, (long)"x", 1, kept * MIB, 0);
  while (error == 1 && ++kept < 1024);
  say(out, "; ");
  number(out, kept);
  outcome(out, " blocks, then error", error);
  sys(CLOSE, file, 0, 0);
  sys(UNLINK, (long)"/data/holes", 0, 0);
}

static void move(char *out) {
  outcome(out, "there", sys(RENAME, (long)HOARD, (long)FAR, 0));
  say(out, ": ");
  poured(out, HOARD);
  outcome(out, "; and back", sys(RENAME, (long)FAR, (long)HOARD, 0));
}

/// What was in the file has no name any more, and nobody has let go of it.
static void hide(char *out) {
  open_file(HOARD, WRITABLE);
  sys(UNLINK, (long)HOARD, 0, 0);
  poured(out, HOARD);
  say(out, "; without any name ");
  poured_into(out, open_file("/data", TEMPORARY));
}

int answer(unsigned method, const char *arguments, char *out, unsigned most) {
  out[0] = 0;
  say(out, "{\"text\":\"");
  switch (method) {
    case 0: sys(MKDIR, (long)"/data/far", 0700, 0), poured(out, HOARD); break;
    case 1: poured(out, OTHER); break;
    case 2: move(out); break;
    case 3: hide(out); break;
    case 4: names(out); break;
    case 5: files(out); break;
    default: holes(out); break;
  }
  say(out, "\"}");
  return arguments != 0 && most > 1024;
}
