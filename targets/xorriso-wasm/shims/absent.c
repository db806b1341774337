/* What xorriso calls and emscripten has not. */
#include <errno.h>

/* No programs are started from here, so there is none to wait for. */
int wait3(int *status, int options, void *usage)
{
	(void) status;
	(void) options;
	(void) usage;
	errno = ECHILD;
	return -1;
}
