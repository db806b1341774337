/* In place of iconv(). Where the target has no such character, glibc says EILSEQ, and libisofs then writes a mark of its own;
   emscripten's writes `*`, or U+FFFD, and goes on. So characters are converted one by one, and substitutes refused. */
#include <errno.h>
#include <iconv.h>
#include <stddef.h>
#include <string.h>

#define LONGEST_CHARACTER 4

static const size_t FAILED = (size_t) -1;

/* Only UCS-2, and UTF-16 of half a character, substitute without saying so. They do so for what takes four bytes in both of the
   encodings that come in, UTF-8 and WCHAR_T; a U+FFFD that was there takes three in the one, and in the other is this. */
static int is_substitute(const char *from, size_t length, const char *to, size_t made)
{
	return made == 2 && !memcmp(to, "\xff\xfd", 2) && length == 4 && memcmp(from, "\xfd\xff\0\0", 4) != 0;
}

size_t iconv_or_refuse(iconv_t conversion, char **from, size_t *left, char **to, size_t *room)
{
	if (from == NULL || *from == NULL)
		return iconv(conversion, from, left, to, room);
	while (*left > 0) {
		size_t length = 0, result = FAILED, made = 0;
		char *next, *end;

		errno = EINVAL;
		/* As long as the character is cut short: a byte more. */
		while (result == FAILED && errno == EINVAL && length < *left && length < LONGEST_CHARACTER) {
			size_t rest = ++length, space = *room;

			next = *from;
			end = *to;
			result = iconv(conversion, &next, &rest, &end, &space);
			made = *room - space;
		}
		if (result == FAILED)
			return FAILED;
		if (result > 0 || is_substitute(*from, length, *to, made)) {
			errno = EILSEQ;
			return FAILED;
		}
		*from += length;
		*left -= length;
		*to += made;
		*room -= made;
	}
	return 0;
}
