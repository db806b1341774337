#include "single-thread.h"
#include <errno.h>
#include <stdio.h>

static void *(*kept)(void *);
static void *kept_of;
static int (*drain)(void *);
static void *drain_of;

int work_now(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *of)
{
	(void) attributes;
	/* The worker looks itself up by its thread when it is done. */
	*thread = pthread_self();
	work(of);
	return 0;
}

int generator_keep(pthread_t *thread, const pthread_attr_t *attributes, void *(*generator)(void *), void *of)
{
	(void) attributes;
	if (kept != NULL)
		return EAGAIN;
	*thread = pthread_self();
	kept = generator;
	kept_of = of;
	return 0;
}

int generator_join(pthread_t thread, void **result)
{
	(void) thread;
	(void) result;
	image_generate(NULL, NULL);
	return 0;
}

void image_generate(int (*to)(void *), void *of)
{
	void *(*generator)(void *) = kept;

	if (generator == NULL)
		return;
	kept = NULL;
	drain = to;
	drain_of = of;
	generator(kept_of);
	drain = NULL;
}

int generator_drain(void)
{
	return drain != NULL && drain(drain_of);
}

void image_written(int sectors, int of)
{
	static int said = -1;
	int percent = of > 0 ? (int) (100LL * sectors / of) : 0;

	if (percent == said)
		return;
	said = percent;
	fprintf(stderr, "written %d %%\n", percent);
}
