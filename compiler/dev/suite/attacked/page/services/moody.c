// Answers with a byte that is not UTF-8: once, or always.
#include "more.h"

int answer(unsigned method, const char *arguments, char *out, unsigned most) {
  static int was_asked;
  int is_bad = method == 1 || !was_asked;
  was_asked = was_asked || method == 0;
  out[0] = 0;
  say(out, is_bad ? "{\"text\":\"\xff\"}" : "{\"text\":\"in order\"}");
  return arguments != 0 && most > 64;
}
