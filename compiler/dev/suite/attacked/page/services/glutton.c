// Takes memory that it was let have, together with others who were let have theirs; or the processor.
#include "more.h"

enum { ROOM = 56 << 20, PAGE = 4096, SECONDS = 4, CLOCK_GETTIME = 228, PROCESS_TIME = 2 };
static volatile char room[ROOM];

int answer(unsigned method, const char *arguments, char *out, unsigned most) {
  out[0] = 0;
  if (method == 0) {
    for (long at = 0; at < ROOM; at += PAGE) room[at] = 1;
    say(out, "{\"text\":\"it has eaten\"}");
  } else {
    long used[2] = { 0, 0 };
    do sys(CLOCK_GETTIME, PROCESS_TIME, (long)used, 0);
    while (used[0] < SECONDS);
    say(out, "{\"text\":\"it has burnt\"}");
  }
  return arguments != 0 && most > 64;
}
