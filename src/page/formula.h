/* SPDX-License-Identifier: GPL-3.0-or-later */
/* formula: looks through all formulas of a lesson for what is not understood.
 *
 * `check` calls it: a broken formula is shown as its source, and reported with its
 * place in the lesson file. */
#ifndef PAGE_FORMULA_H
#define PAGE_FORMULA_H

#include "base/error.h"
#include "lesson/lesson.h"

typedef struct {
    void *context;
    /* Called with every problem; the Error is borrowed. */
    void (*problem)(void *context, const Error *error);
} FormulaReport;

/* Parses every formula of lesson (prose, $$ blocks, headings, sentences of checks,
 * questions, predictions, notes) in the order of the file within a step.  Returns the
 * number of problems; *count (if not NULL) is the number of formulas. */
size_t formula_check_lesson(const Lesson *lesson, const FormulaReport *report, size_t *count);

#endif
