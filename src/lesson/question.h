/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question: makes a question of the task list that markdown.c found. */
#ifndef LESSON_QUESTION_H
#define LESSON_QUESTION_H

#include "base/error.h"
#include "lesson/lesson.h"

/* Splits every answer of the question in block at its first " — " into text and
 * feedback and sets the block's span.  Fails for an answer without feedback or text,
 * and where no answer is right. */
Status question_finish(const Source *source, Block *block, Error *error);

#endif
