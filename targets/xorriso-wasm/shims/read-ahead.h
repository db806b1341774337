/* libisofs reads files in pieces of 2048 bytes, and each read leaves WebAssembly, which costs more than the read itself. */
#ifndef CAPC_READ_AHEAD_H
#define CAPC_READ_AHEAD_H

#include <sys/types.h>

/* As read(), lseek() and close(), for files that are read this way alone. */
ssize_t read_ahead(int file, void *to, size_t count);
off_t seek_read_ahead(int file, off_t offset, int whence);
int close_read_ahead(int file);

#endif
