/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arithmetic: reads the arithmetic of an explanation and computes it anew.
 *
 * true_sentences calls it with the steps of a sentence, such as "Q(2,:)·K(3,:)'" or
 * "0·0 + 1·2", and compares.  It shares nothing with what wrote the sentence: it is
 * a small evaluator of its own, in long double, that takes cells from the parts of the
 * explanation and carries a bound of what rounding in double may do. */
#ifndef TESTS_PAGES_ARITHMETIC_H
#define TESTS_PAGES_ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>

#include "lang/explanation.h"
#include "real.h"

/* The value of the length bytes at text, whose names are the parts of why; false if they
 * cannot be read as arithmetic with one number as its value. */
bool arithmetic_read(const char *text, size_t length, const Explanation *why, Real *out);

/* True if a double x can be what was computed. */
bool arithmetic_agrees(Real computed, double x);

#endif
