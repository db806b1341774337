/* In place of libisofs/buffer.c, which waits for another thread where it is full or empty: the ring of bytes from the generator to
   the writer. Where it is full, the writer is called; where it is empty before the generator has ended, nobody could ever fill it,
   and that is an error. */
#define LIBISOFS_WITHOUT_LIBBURN yes
#include "libisofs.h"
#include "buffer.h"
#include "ecma119.h"
#include <stdlib.h>
#include <string.h>

enum { RUNNING = 0, ENDED = 1, FAILED = 2 };

/* libisofs asks for 4 MiB, so that a slow drive does not starve. Nobody here is faster than the other, and a ring that fits the
   processor's cache is copied in and out at half the cost. */
#define CAPACITY (64 * 1024)

struct iso_ring_buffer {
	uint8_t bytes[CAPACITY];
	size_t filled;
	size_t start;
	int reader;
	int writer;
	unsigned int times_full;
};

/* The one that the generator fills: there is one generator. */
static struct iso_ring_buffer *current;

static size_t least(size_t one, size_t other)
{
	return one < other ? one : other;
}

int iso_ring_buffer_new(size_t blocks, IsoRingBuffer **made)
{
	IsoRingBuffer *ring;

	(void) blocks;
	if (made == NULL)
		return ISO_NULL_POINTER;
	ring = calloc(1, sizeof(IsoRingBuffer));
	if (ring == NULL)
		return ISO_OUT_OF_MEM;
	current = *made = ring;
	return ISO_SUCCESS;
}

void iso_ring_buffer_free(IsoRingBuffer *ring)
{
	if (ring == NULL)
		return;
	if (current == ring)
		current = NULL;
	free(ring);
}

size_t image_bytes_ready(void)
{
	return current == NULL ? 0 : current->filled;
}

/* 0 where the reader wants no more. */
static int make_room(IsoRingBuffer *ring)
{
	if (ring->filled < CAPACITY)
		return 1;
	ring->times_full++;
	return !ring->reader && generator_drain() && ring->filled < CAPACITY;
}

int iso_ring_buffer_write(IsoRingBuffer *ring, uint8_t *from, size_t count)
{
	size_t end, length;

	if (ring == NULL || from == NULL)
		return ISO_NULL_POINTER;
	for (; count > 0; from += length, count -= length) {
		if (!make_room(ring))
			return 0;
		end = (ring->start + ring->filled) % CAPACITY;
		length = least(count, least(CAPACITY - ring->filled, CAPACITY - end));
		memcpy(ring->bytes + end, from, length);
		ring->filled += length;
	}
	return ISO_SUCCESS;
}

int iso_ring_buffer_read(IsoRingBuffer *ring, uint8_t *to, size_t count)
{
	size_t length;

	if (ring == NULL || to == NULL)
		return ISO_NULL_POINTER;
	for (; count > 0; to += length, count -= length) {
		if (ring->filled == 0)
			return ring->writer ? 0 : ISO_BUF_READ_ERROR;
		length = least(count, least(ring->filled, CAPACITY - ring->start));
		memcpy(to, ring->bytes + ring->start, length);
		ring->start = (ring->start + length) % CAPACITY;
		ring->filled -= length;
	}
	return ISO_SUCCESS;
}

void iso_ring_buffer_writer_close(IsoRingBuffer *ring, int error)
{
	ring->writer = error ? FAILED : ENDED;
}

void iso_ring_buffer_reader_close(IsoRingBuffer *ring, int error)
{
	if (!ring->reader)
		ring->reader = error ? FAILED : ENDED;
}

unsigned int iso_ring_buffer_get_times_full(IsoRingBuffer *ring)
{
	return ring->times_full;
}

/* Nobody waits here. */
unsigned int iso_ring_buffer_get_times_empty(IsoRingBuffer *ring)
{
	(void) ring;
	return 0;
}

/* 1 running, 2 ended, 3 failed; 4 more where the reader is closed. */
int iso_ring_buffer_get_buf_status(IsoRingBuffer *ring, size_t *size, size_t *free_bytes)
{
	if (ring == NULL)
		return ISO_NULL_POINTER;
	if (size != NULL)
		*size = CAPACITY;
	if (free_bytes != NULL)
		*free_bytes = CAPACITY - ring->filled;
	return (ring->reader ? 4 : 0) + ring->writer + 1;
}

int iso_ring_buffer_get_status(struct burn_source *source, size_t *size, size_t *free_bytes)
{
	if (source == NULL)
		return ISO_NULL_POINTER;
	return iso_ring_buffer_get_buf_status(((Ecma119Image *) source->data)->buffer, size, free_bytes);
}
