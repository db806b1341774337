/* What stands in for threads. The compiler includes this before every source of libburn and libisofs.

   xorriso has two that matter: a worker of libburn, which writes the image, and the generator of libisofs, which makes it and hands
   it over through a ring of bytes. Here the worker runs where it is started, and runs the generator itself; the generator calls it
   back whenever the ring is full (patches/libburn-generator.patch). */
#ifndef CAPC_SINGLE_THREAD_H
#define CAPC_SINGLE_THREAD_H

#include <pthread.h>
#include <stddef.h>

/* For pthread_create() in libburn: does the work at once. */
int work_now(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *of);

/* For pthread_create() and pthread_join() in libisofs: keeps the generator until somebody wants its bytes; joining one that has not
   run runs it, so that it finds its reader gone and frees what it holds. One generator at a time. */
int generator_keep(pthread_t *thread, const pthread_attr_t *attributes, void *(*generator)(void *), void *of);
int generator_join(pthread_t thread, void **result);

/* Runs the generator that is kept, if there is one, to its end. `drain` is called when the ring is full, has to read from it, and
   returns 0 to end the generator. */
void image_generate(int (*drain)(void *), void *of);

/* Bytes that can be read from the ring without anybody making more. */
size_t image_bytes_ready(void);

/* Says on standard error how far the image is, once for each part in a hundred. */
void image_written(int sectors, int of);

/* For the ring: lets the reader read. 0 where there is none, or it wants no more. */
int generator_drain(void);

#endif
