/* SPDX-License-Identifier: GPL-3.0-or-later */
/* formulas: every formula of a lesson, looked at for what check has to report.
 *
 * Pages show a formula they do not understand as its source; a lesson that is to
 * pass check has none such. */
#ifndef APP_FORMULAS_H
#define APP_FORMULAS_H

#include <stddef.h>

#include "base/error.h"
#include "lesson/lesson.h"

/* Calls report with every problem of every formula, in the order of the file's
 * blocks, its place in the lesson's source; returns how many there were. */
size_t formulas_check(const Lesson *lesson, void (*report)(const Error *error));

#endif
