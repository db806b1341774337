// What the programs of this folder need beside wire.h: calls with more arguments, and words with numbers in them.

#include "wire.h"

static long call(long number, long a, long b, long c, long d, long e) {
  long result;
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth) : "rcx", "r11", "memory");
  return result;
}

/// Puts a text at the end of another.
static void say(char *out, const char *text) {
  unsigned end = length(out);
  for (; *text != 0; text += 1) out[end++] = *text;
  out[end] = 0;
}

static void number(char *out, long value) {
  char digits[24];
  unsigned at = sizeof digits - 1;
  digits[at] = 0;
  do digits[--at] = (char)('0' + value % 10), value /= 10;
  while (value > 0);
  say(out, digits + at);
}

/// An error of the kernel by its number; 0: none.
static void outcome(char *out, const char *name, long result) {
  say(out, name);
  say(out, " ");
  number(out, result < 0 ? -result : 0);
}
