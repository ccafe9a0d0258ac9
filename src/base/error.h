/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: what went wrong with something a user gave us.
 *
 * A function that can fail for a user's mistake returns a Status and takes an
 * Error * last; on STATUS_ERROR the Error holds one message, with its place if
 * it has one.  The first error wins: setting an Error that is already set is a
 * programmer's mistake.  Error e = {0}; is "no error"; error_clear frees it.
 * The Error owns all its texts, so it outlives the Source it points into. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/source.h"
#include "base/str.h"

typedef enum { STATUS_OK = 0, STATUS_ERROR } Status;

typedef struct {
    char *message;       /* NULL while there is no error */
    char *file;          /* name of the source, or NULL: no place is known */
    size_t line, column; /* from 1; 0 if only the file is known */
    char *excerpt;       /* the source line, or NULL */
    size_t width;        /* characters to underline from column on, at least 1 */
} Error;

/* Set the message (and the place) and return STATUS_ERROR, so that a caller can
 * write `return error_at(error, source, span, "…", …);`. */
Status error_set(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
Status error_at(Error *error, const Source *source, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* As error_at for a file of which only line and column are known (0: unknown). */
Status error_in_file(Error *error, const char *file, size_t line, size_t column, const char *format,
                     ...) __attribute__((format(printf, 5, 6)));

/* Gives an error that has no place yet the place of span. */
void error_locate(Error *error, const Source *source, Span span);

/* Appends "file:line:col: message", and, if the line is known, the source line
 * and a caret line below it, each ended by a newline.  Control characters in any
 * of it are made visible. */
void error_print(const Error *error, Str *out);

void error_clear(Error *error);

/* Moves *from into *to (which must be unset); *from is unset afterwards. */
void error_move(Error *to, Error *from);

#endif
