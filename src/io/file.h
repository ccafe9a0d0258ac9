/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file: reading a whole file, and writing one so that it is whole or absent. */
#ifndef IO_FILE_H
#define IO_FILE_H

#include "base/error.h"
#include "base/str.h"

/* Appends the bytes of the regular file at path to out; "-" is standard input
 * if allow_stdin.  More than limit bytes, a directory, a device, a fifo, a
 * missing or unreadable file are errors that name the file. */
Status file_read(const char *path, size_t limit, bool allow_stdin, Str *out, Error *error);

/* Writes the length bytes to path by way of a temporary beside it and a rename:
 * afterwards path holds all of them, or (on error) what it held before.  A path
 * that is not a regular file (a device, a fifo) is written directly. */
Status file_write(const char *path, const char *bytes, size_t length, Error *error);

/* Removes the temporaries of writes under way (async-signal-safe: for handlers
 * and for the out-of-memory hook). */
void file_remove_temporaries(void);

/* Writes to standard output.  A closed pipe is a quiet end: *closed is set and
 * STATUS_OK returned; any other failure (a full disk) is an error. */
Status file_write_stdout(const char *bytes, size_t length, bool *closed, Error *error);

#endif
