/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_step: the parts of a step other than its prose and views, each as a grid of
 * its own: code with the running statement, checks, questions, predictions.
 *
 * Every part has its full size from the step's first stop on, so that revealing the
 * next one moves nothing; what is not reached yet is blank or kept back. */
#ifndef PAGE_DRAW_STEP_H
#define PAGE_DRAW_STEP_H

#include <stdbool.h>

#include "lesson/lesson.h"
#include "lesson/trace.h"
#include "page/draw_text.h"
#include "page/grid.h"

/* What the reader answered to a question or a prediction. */
typedef struct {
    size_t step, block;
    bool skipped;
    bool done;            /* the choice was confirmed: feedback is shown */
    size_t pointer;       /* the answer the reader stands at, before it is done */
    const bool *chosen;   /* one an answer of a question, or NULL */
    const char *typed;    /* what is being typed or was typed, or NULL */
    double number;        /* of a prediction, once done */
} PageAnswer;

/* Where the reader is, and what the parts of the step are drawn with. */
typedef struct {
    const Trace *trace;
    const Lesson *lesson;
    const Step *step;
    size_t step_index;
    Position position;
    const PageAnswer *answers;
    size_t answer_count;
    bool ascii;
    int digits;
} StepContext;

/* What a block's values are read with. */
RunContext step_run_context(const StepContext *context, size_t block);

/* The answer given to a block, or NULL. */
const PageAnswer *step_find_answer(const StepContext *context, size_t block);

/* True if the reader has come to the stop of a question or a prediction. */
bool step_has_reached(const StepContext *context, size_t block);

/* All code of the step, in at most max_rows lines around the running statement, whose
 * reads and writes stand beside it, or below if there is no room (tight: beside the last
 * line that has room).  Code before the reader's frame looks like code after it. */
Grid *code_layout(const StepContext *context, int width, int max_rows, bool tight);

/* A line a check: its mark, sentence and measured value; tight: as many short ones
 * side by side as fit.  As long as a question or a prediction of the step is open, an
 * ellipsis and the same room. */
Grid *checks_layout(const StepContext *context, size_t block, int width, bool tight);

/* The answers, below each other; heights (NULL, or one an answer) get their rows. */
Grid *question_layout(const StepContext *context, size_t block, int width, int *heights);
/* What is to be guessed, and the guess; once it is done, the truth and a diagnosis. */
Grid *prediction_layout(const StepContext *context, size_t block, int width);

#endif
