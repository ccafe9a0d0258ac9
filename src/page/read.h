/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read: a whole lesson as linear text, from the first line to the last.
 *
 * What `attnwalk read` prints, and what a screen reader gets: prose wrapped, values
 * computed where they stand, formulas in one line, every executed statement with
 * what it bound, checks with their residuals, questions with their answers.  The
 * order is that of the file; there are no boxes and no cursor movements.  Everything
 * that came from the lesson has its control characters made visible. */
#ifndef PAGE_READ_H
#define PAGE_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "lesson/trace.h"

typedef struct {
    size_t width;    /* cells a line may take; 0: 80 */
    size_t max_rows; /* of a matrix; 0: 16 */
    int digits;      /* significant digits; 0: 4 */
    bool ascii;
    bool notes; /* the instructor's notes too */
} ReadStyle;

/* Appends the lesson of trace.  Fails, with the place, where a value, view, check or
 * prediction cannot be evaluated; out then ends before it.  A check that does not
 * hold is printed as such and is no error. */
Status read_add_lesson(Str *out, const Trace *trace, const ReadStyle *style, Error *error);

#endif
