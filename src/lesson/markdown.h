/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown: the prose and lists between a lesson's fences.
 *
 * CommonMark by MD4C, the only file that includes it.  Formulas and code spans are
 * masked before (mask.h), so positions are those of the source.  Raw HTML is text;
 * code blocks are refused, since a fence begins in the first column and is found
 * before. A task list is a question. */
#ifndef LESSON_MARKDOWN_H
#define LESSON_MARKDOWN_H

#include "base/error.h"
#include "lesson/lesson.h"

/* Lists and quotations may nest this deep. */
enum { MARKDOWN_MAX_DEPTH = 64 };

/* Appends what span of lesson's source says to step: BLOCK_PROSE and BLOCK_QUESTION
 * blocks in turn.  Remarks go to lesson. */
Status markdown_add_blocks(Lesson *lesson, Step *step, Span span, Error *error);

/* Reads span as prose; a task list is refused where it is not a question. */
Status markdown_read_prose(Lesson *lesson, Span span, Prose *out, Error *error);

/* Reads span as one line of text: a title, a sentence, a diagnosis. */
Status markdown_read_line(Lesson *lesson, Span span, Runs *out, Error *error);

#endif
