/* In place of qsort(). What compares as equal keeps its order under glibc 2.36, whose qsort() merges, and not under emscripten's;
   the order of files in an image depends on it. */
#include <stdlib.h>
#include <string.h>

typedef int compare(const void *, const void *);

static void merge_sort(char *items, char *spare, size_t count, size_t width, compare *compared)
{
	size_t half = count / 2, left = 0, right = half, sorted = 0;

	if (count < 2)
		return;
	merge_sort(items, spare, half, width, compared);
	merge_sort(items + half * width, spare, count - half, width, compared);
	while (left < half && right < count) {
		size_t next = compared(items + left * width, items + right * width) <= 0 ? left++ : right++;
		memcpy(spare + sorted++ * width, items + next * width, width);
	}
	/* What is left of the right half stands where it belongs. */
	memcpy(spare + sorted * width, items + left * width, (half - left) * width);
	memcpy(items, spare, (sorted + half - left) * width);
}

void stable_sort(void *items, size_t count, size_t width, compare *compared)
{
	char *spare;

	if (count < 2)
		return;
	spare = malloc(count * width);
	/* qsort() cannot fail, so this must not go on. */
	if (spare == NULL)
		abort();
	merge_sort(items, spare, count, width, compared);
	free(spare);
}
