/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memo: what a page asks of a trace, computed once.
 *
 * A page is drawn anew at every key, and several times to see what fits, but a trace
 * never changes: the views of a position, its checks and the values in its prose are
 * what they were.  They are kept with the trace (trace_note), the views of the position
 * drawn last only, since they may hold matrices of their own, and the code of the step
 * drawn last.  What is returned is
 * borrowed from the trace. */
#ifndef PAGE_MEMO_H
#define PAGE_MEMO_H

#include <stdbool.h>

#include "lesson/eval.h"
#include "lesson/lesson.h"
#include "lesson/trace.h"
#include "page/code_lines.h"
#include "page/draw_figure.h"

/* One thing that was asked; only what its function says is set. */
typedef struct {
    bool failed;
    char *text;        /* what was found, or why it failed (owned by the memo) */
    CheckResult check;
    double number;
    Value *value;
} Fact;

/* lesson_eval_run: text. */
const Fact *memo_run(const Trace *trace, size_t frame, const Run *run);
/* lesson_check: check. */
const Fact *memo_check(const Trace *trace, size_t frame, const Check *check);
/* lesson_predict and lesson_trap: number. */
const Fact *memo_truth(const Trace *trace, size_t step, const Prediction *prediction);
const Fact *memo_trap(const Trace *trace, size_t step, const Trap *trap);
/* lesson_eval with origins: value. */
const Fact *memo_value(const Trace *trace, size_t frame, const Code *code);

/* code_lines_new of the step; the next call for another step or width frees it. */
const CodeLines *memo_code(const Trace *trace, size_t step, int width);

/* The figures of all views of the step at position, *count of them, by figure_new; the next
 * call for another position, old trace, form or number of digits frees them. */
Figure **memo_figures(const Trace *trace, Position position, const Trace *old,
                      const DrawContext *context, size_t *count);

#endif
