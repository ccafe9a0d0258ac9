/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answers: what the reader said to the questions and predictions of a lesson.
 *
 * The walker fills it, pages are drawn from items.  Answers own the arrays and texts
 * that the items point to; Answers a = {0}; is empty. */
#ifndef APP_ANSWERS_H
#define APP_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

#include "lesson/lesson.h"
#include "page/draw_step.h"

typedef struct {
    PageAnswer *items;
    size_t count, room;
} Answers;

void answers_clear(Answers *answers);

/* The answer to that block, which is a question or a prediction; made when there is
 * none yet.  Valid until the next call. */
PageAnswer *answers_get(Answers *answers, const Lesson *lesson, size_t step, size_t block);

/* True if the block was answered or skipped. */
bool answers_is_settled(const Answers *answers, size_t step, size_t block);

/* Chooses answer k of the question, or (several are right) takes the choice back. */
void answers_choose(PageAnswer *answer, const Question *question, size_t k);

/* True if more than one answer of the question is right. */
bool answers_is_several(const Question *question);

/* True if the question was skipped, or answered and not as it should be. */
bool answers_is_wrong(const PageAnswer *answer, const Question *question);

/* Confirms what is chosen; nothing chosen: what the pointer is at. */
void answers_confirm(PageAnswer *answer, const Question *question);

/* Takes the guess of a prediction; false if text is no number. */
bool answers_guess(PageAnswer *answer, const char *text);

/* Makes a settled block open again. */
void answers_reopen(PageAnswer *answer, const Block *block);

#endif
