/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file: reading a file, and writing one so that it is whole or absent; as a whole or piece by
 * piece. */
#ifndef IO_FILE_H
#define IO_FILE_H

#include "base/error.h"
#include "base/str.h"

/* Appends the bytes of the regular file at path to out; "-" is standard input
 * if allow_stdin.  More than limit bytes (or than 64 MB where the file says that it has none,
 * as those of /proc do), a directory, a device, a fifo, a missing or unreadable file are errors
 * that name the file. */
Status file_read(const char *path, size_t limit, bool allow_stdin, Str *out, Error *error);

/* The same for a path that realpath gave, so that what is read is what was looked at:
 * if the file or a folder on the way has become a link since, that is an error. */
Status file_read_real(const char *path, size_t limit, Str *out, Error *error);

/* Writes the length bytes to path by way of a temporary beside it and a rename:
 * afterwards path holds all of them, or (on error) what it held before.  A path
 * that is not a regular file (a device, a fifo) is written directly. */
Status file_write(const char *path, const char *bytes, size_t length, Error *error);

/* A file being read piece by piece; open it, take what comes next, close it. */
typedef struct {
    const char *name; /* in messages: the path (borrowed) or "<stdin>" */
    int fd;
    size_t size; /* bytes of the file when it was opened; 0: none, or not known */
} FileReader;

/* Opens the regular file at path ("-": as above); fails as file_read does. */
Status file_reader_open(FileReader *reader, const char *path, bool allow_stdin, Error *error);

/* Reads the next bytes, at most room of them; *got == 0 at the end of the file. */
Status file_reader_next(const FileReader *reader, char *bytes, size_t room, size_t *got,
                        Error *error);
void file_reader_close(FileReader *reader);

/* A file being written piece by piece, as file_write writes one: open it, add to it, then
 * either commit (it is there, whole) or abandon (what was there before is). */
typedef struct {
    const char *path; /* in messages; borrowed; NULL: standard output */
    char *target;     /* what is written: path, through links */
    char *temporary;  /* beside target, or NULL: target is written directly */
    int fd;
    bool closed; /* standard output's reader has gone: a quiet end */
} FileWriter;

/* path NULL: standard output, which has nothing to commit.  On failure nothing is open. */
Status file_writer_open(FileWriter *writer, const char *path, Error *error);

/* The length bytes come next.  Where standard output's reader has gone, closed is set, and
 * what is added goes nowhere. */
Status file_writer_add(FileWriter *writer, const char *bytes, size_t length, Error *error);

/* To write over the first bytes at the end: only where there is a temporary. */
bool file_writer_can_rewind(const FileWriter *writer);
Status file_writer_rewind(FileWriter *writer, Error *error);

/* Ends the writing; the writer is closed, also on failure. */
Status file_writer_commit(FileWriter *writer, Error *error);
void file_writer_abandon(FileWriter *writer);

/* Removes the temporaries of writes under way (async-signal-safe: for handlers
 * and for the out-of-memory hook). */
void file_remove_temporaries(void);

/* Writes to standard output.  A closed pipe is a quiet end: *closed is set and
 * STATUS_OK returned; any other failure (a full disk) is an error. */
Status file_write_stdout(const char *bytes, size_t length, bool *closed, Error *error);

#endif
