/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_part: what the files of `read` share: one writes prose, one code and what
 * it bound, one views, one checks, questions and predictions; read.c calls them. */
#ifndef PAGE_READ_PART_H
#define PAGE_READ_PART_H

#include "base/error.h"
#include "base/str.h"
#include "lesson/trace.h"
#include "page/matrix_text.h"
#include "page/tex.h"

typedef struct {
    Str *out;
    const Trace *trace;
    const Lesson *lesson;
    size_t width, max_rows;
    int digits;
    bool ascii;
    size_t step;          /* the one being printed */
    size_t frame;         /* the next frame to print */
    const char **printed; /* names whose values were printed in this step; borrowed */
    size_t printed_count, printed_room;
    Error *error;
} Reader;

enum { READ_INDENT = 4 }; /* of formulas, statements and what belongs to them */

/* Appends text to out (not to the page): control characters made visible, in ASCII
 * if that is wanted. */
void reader_add_clean(const Reader *r, Str *out, const char *text, size_t length);
void reader_add_expr(const Reader *r, Str *out, const Expr *expr);
void reader_add_tex(const Reader *r, Str *out, const char *tex);

/* Appends runs to out with values as of frame.  Blanks inside short formulas and
 * code do not break: reader_wrap knows them. */
Status reader_add_runs(Reader *r, Str *out, const Runs *runs, size_t frame);

/* Prints text wrapped; the first line begins with head, the others are indented as
 * far as head is wide. */
void reader_wrap(Reader *r, const char *head, const char *text);

/* Prints paragraphs with values as of frame, indented. */
Status reader_print_prose(Reader *r, const Prose *prose, size_t indent, size_t frame);

/* How matrices are printed at that indent. */
MatrixTextStyle reader_matrix_style(const Reader *r, size_t indent);

/* True if the value of name was printed in this step already. */
bool reader_has_printed(const Reader *r, const char *name);

/* Prints the statements of a code block that were executed, and what they bound. */
void reader_print_code(Reader *r, const Block *block, size_t index);

Status reader_print_view(Reader *r, const View *view);
Status reader_print_check(Reader *r, const Check *check, size_t frame);
Status reader_print_question(Reader *r, const Question *question, size_t frame);
Status reader_print_prediction(Reader *r, const Prediction *prediction);

#endif
