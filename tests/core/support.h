/* SPDX-License-Identifier: GPL-3.0-or-later */
/* support: what the tests of core/ share: expected values from tests/data/cases,
 * random inputs, and the one rule by which numbers agree. */
#ifndef TESTS_CORE_SUPPORT_H
#define TESTS_CORE_SUPPORT_H

/* cmocka wants these before itself */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/matrix.h"
#include "core/random.h"
#include "core/start.h"

static inline int support_start(void **state)
{
    (void)state;
    core_start();
    return 0;
}

/* Every matrix made by the tests of a group must have been given back. */
static inline int support_end(void **state)
{
    (void)state;
    core_end();
    if (matrix_live_bytes() == 0)
        return 0;
    fprintf(stderr, "%zu bytes of matrices were not given back\n", matrix_live_bytes());
    return 1;
}

/* A matrix from the numbers that follow, row by row. */
#define MATRIX(rows, cols, ...) matrix_from((rows), (cols), (const double[]){__VA_ARGS__})
#define COLUMN(...)                                                                                \
    matrix_from(sizeof((const double[]){__VA_ARGS__}) / sizeof(double), 1,                         \
                (const double[]){__VA_ARGS__})

/* Largest difference at most tolerance times the largest finite entry of expected, NaN and Inf in
 * the same places; written so that a NaN difference fails. Prints the first bad entry. */
static inline bool support_agrees(const char *what, const Matrix *expected, const Matrix *got,
                                  double tolerance)
{
    if (expected->rows != got->rows || expected->cols != got->cols) {
        fprintf(stderr, "%s: expected %zux%zu, got %zux%zu\n", what, expected->rows, expected->cols,
                got->rows, got->cols);
        return false;
    }
    double largest = 0;
    for (size_t i = 0; i < matrix_count(expected); i++)
        if (isfinite(expected->cells[i]) && fabs(expected->cells[i]) > largest)
            largest = fabs(expected->cells[i]);
    for (size_t i = 0; i < matrix_count(expected); i++) {
        double x = expected->cells[i], y = got->cells[i];
        bool same = isnan(x) ? isnan(y) : isinf(x) ? x == y : fabs(x - y) <= tolerance * largest;
        if (!same) {
            fprintf(stderr, "%s: row %zu column %zu: expected %.17g, got %.17g\n", what,
                    i / expected->cols + 1, i % expected->cols + 1, x, y);
            return false;
        }
    }
    return true;
}

/* The same, failing the test; gives both references back. */
static inline void expect_matrix(const char *what, Matrix *expected, Matrix *got, double tolerance)
{
    bool agrees = support_agrees(what, expected, got, tolerance);
    matrix_unref(expected);
    matrix_unref(got);
    if (!agrees)
        fail_msg("%s differs", what);
}

static inline void expect_number(const char *what, double expected, double got, double tolerance)
{
    expect_matrix(what, matrix_scalar(expected), matrix_scalar(got), tolerance);
}

/* A number 1..most that depends on trial and stream only; trial 0 gives 1. */
static inline size_t random_size(uint64_t trial, uint64_t stream, size_t most)
{
    if (trial == 0)
        return 1;
    Matrix *u = random_uniform(trial, stream, 1, 1);
    size_t size = 1 + (size_t)(u->cells[0] * (double)most);
    matrix_unref(u);
    return size;
}

#endif
