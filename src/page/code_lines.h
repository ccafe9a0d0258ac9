/* SPDX-License-Identifier: GPL-3.0-or-later */
/* code_lines: the code of a step broken into lines of some width, whatever of it runs.
 *
 * The same at every frame of the step, so that the memo keeps it: a page is drawn of all lines
 * that fit, but only the lines are as many as the lesson has.  The caller frees it, before the
 * trace. */
#ifndef PAGE_CODE_LINES_H
#define PAGE_CODE_LINES_H

#include "lesson/trace.h"

enum {
    CODE_MARGIN = 2,   /* for the mark */
    CODE_CONTINUED = 4 /* how far the rest of a long line is indented */
};

/* What one row shows of the source: a line, or a piece of a long one. */
typedef struct {
    Span span;
    int width; /* cells of it */
    bool continued;
} CodeLine;

typedef struct {
    CodeLine *items;
    size_t count, room;
    int longest; /* cells of the longest row, with its margin */
    int names;   /* cells that "reads … writes …" takes at most at any frame of the step */
} CodeLines;

CodeLines *code_lines_new(const Trace *trace, size_t step, int width);
void code_lines_free(CodeLines *lines);

/* Cells of a line with its indent, without the margin. */
int code_line_width(const CodeLine *line);

#endif
