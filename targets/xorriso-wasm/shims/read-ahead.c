#include "read-ahead.h"
#include <string.h>
#include <unistd.h>

/* Larger ones made nothing faster. */
#define CAPACITY (128 * 1024)

/* Files are read one after the other: what is known of one is enough. */
static char bytes[CAPACITY];
static size_t start, end;
static int ahead_in = -1;

/* The file goes back to where its reader believes it to be. */
static int forget(void)
{
	off_t ahead = (off_t) (end - start);
	int file = ahead_in;

	start = end = 0;
	ahead_in = -1;
	return ahead == 0 || lseek(file, -ahead, SEEK_CUR) >= 0;
}

ssize_t read_ahead(int file, void *to, size_t count)
{
	size_t length;

	if (file != ahead_in && !forget())
		return -1;
	ahead_in = file;
	if (start == end) {
		ssize_t got = read(file, bytes, CAPACITY);

		if (got <= 0)
			return got;
		start = 0;
		end = (size_t) got;
	}
	length = count < end - start ? count : end - start;
	memcpy(to, bytes + start, length);
	start += length;
	return (ssize_t) length;
}

off_t seek_read_ahead(int file, off_t offset, int whence)
{
	if (file == ahead_in && !forget())
		return -1;
	return lseek(file, offset, whence);
}

int close_read_ahead(int file)
{
	if (file == ahead_in) {
		start = end = 0;
		ahead_in = -1;
	}
	return close(file);
}
