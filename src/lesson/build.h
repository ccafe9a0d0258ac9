/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build: the small steps by which the parsers of this floor put a Lesson together. */
#ifndef LESSON_BUILD_H
#define LESSON_BUILD_H

#include "base/error.h"
#include "lesson/lesson.h"

/* A new block at the end of step, all empty but its kind; valid until the next. */
Block *build_add_block(Step *step, BlockKind kind);

/* A remark about span of lesson's source. */
void build_add_remark(Lesson *lesson, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* span without the blanks and tabs at its ends. */
Span build_trim(const Source *source, Span span);

/* A copy of the text in span. */
char *build_copy(const Source *source, Span span);

/* From the first run of the first paragraph to the last of the last. */
Span build_prose_span(const Prose *prose);
Span build_runs_span(const Runs *runs);

/* Reads "name = rest" in line; `what` says what is expected if it is not that. */
Status build_name(const Source *source, Span line, const char *what, Span *name, Span *rest,
                  Error *error);

/* Appends text with U+FFFD in place of NUL and of bytes that are not UTF-8. */
void build_add_valid(Str *out, const char *text, size_t length);

/* The folder that the file at path is in (to be freed). */
char *build_folder(const char *path);

/* Reads "expr|%.3f" in *span: run gets the code and the format; *span is cut to the
 * expression. */
Status build_value(const Source *source, Span *span, Run *run, Error *error);

/* Parses the expression in span; `what` names it where it is missing ("a condition"). */
Status build_expr(const Source *source, Span span, const char *what, Code **out, Error *error);

/* Calls read(context, line, error) for every line of span that is not blank, trimmed. */
Status build_each_line(const Source *source, Span span,
                       Status (*read)(void *context, Span line, Error *error), void *context,
                       Error *error);

void build_clear_question(Question *question);
void build_clear_block(Block *block);

#endif
