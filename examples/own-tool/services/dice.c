// A tool as a static program: it rolls a die. wire.h has how it was built and what it speaks.
#include "wire.h"

int answer(unsigned method, const char *arguments, char *out, unsigned most) {
  uint32_t sides = 0, chance;
  const char *digit = find(arguments, "\"sides\":");
  while (digit && *digit >= '0' && *digit <= '9' && sides <= 100) sides = sides * 10 + (uint32_t)(*digit++ - '0');
  if (method != 0 || sides < 2 || sides > 100 || most < 64) {
    for (unsigned at = 0; at < 25; at += 1) out[at] = "a die has 2 to 100 sides"[at];
    return 0;
  }
  // What is left over above a multiple of the sides is thrown away: each side comes as often as the others.
  do sys(GETRANDOM, (long)&chance, sizeof chance, 0);
  while (chance >= UINT32_MAX / sides * sides);
  uint32_t value = chance % sides + 1;
  const char *parts[] = { "{\"value\":", 0, "}" };
  char number[4] = { 0 }, *at = out;
  unsigned last = value > 99 ? 3 : value > 9 ? 2 : 1;
  for (unsigned left = last; left > 0; value /= 10) number[--left] = (char)('0' + value % 10);
  parts[1] = number;
  for (unsigned part = 0; part < 3; part += 1)
    for (const char *from = parts[part]; *from != 0;) *at++ = *from++;
  *at = 0;
  return 1;
}
