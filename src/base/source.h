/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source: a text that errors can point into.
 *
 * A Source holds the bytes of a file (or of an argument of the command line)
 * and the name it goes by in messages.  A Span is a range of its bytes; line and
 * column are computed from it only when something is to be shown.  Lines and
 * columns count from 1; a column counts characters (UTF-8 sequences), so that it
 * is what an editor shows.  LF, CRLF and a lone CR each end a line.
 *
 * Sources are immutable after source_new.  Whoever made one frees it, after
 * everything that points into it. */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include <stddef.h>

typedef struct {
    size_t start, end; /* byte offsets, end exclusive */
} Span;

typedef struct {
    char *name;    /* as in messages: "lessons/delta.md", "--eval" */
    char *text;    /* the bytes, followed by a NUL that is not counted */
    size_t length; /* bytes */
} Source;

/* A source that owns copies of name and of the length bytes at text. */
Source *source_new(const char *name, const char *text, size_t length);
void source_free(Source *source);

/* Line and column, both from 1, of the byte at offset. */
void source_position(const Source *source, size_t offset, size_t *line, size_t *column);

/* The span of the whole line that holds offset, without its line end. */
Span source_line(const Source *source, size_t offset);

#endif
