/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_number: one way of writing all the numbers of a column or a matrix.
 *
 * Stats are gathered over everything that shall look alike (a column, a matrix, the
 * same matrix at every frame of a step), a Format is chosen from them once, and
 * numbers written with it align on the point and take Format.width cells or less. */
#ifndef PAGE_DRAW_NUMBER_H
#define PAGE_DRAW_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "core/matrix.h"

typedef struct {
    size_t count;      /* numbers seen */
    double largest;    /* largest finite |x| */
    double smallest;   /* smallest |x| that is not 0, or 0 */
    double low, high;  /* smallest and largest finite x; 0, 0 if there is none */
    int decimals;      /* enough to write all of them exactly; more than 4: many */
    bool finite;       /* at least one is */
    bool negative;     /* a finite one is below 0 */
    bool has_nan, has_inf, has_minus_inf;
} NumberStats;

typedef struct {
    bool exponent; /* d.dde-07 */
    int decimals;
    int width;
} NumberFormat;

/* NumberStats s = {0}; has seen nothing. */
void number_stats_add(NumberStats *stats, double x);
/* Adds the cells of rows row … row + rows - 1, columns col … of m. */
void number_stats_add_matrix(NumberStats *stats, const Matrix *m, size_t row, size_t rows,
                             size_t col, size_t cols);
void number_stats_merge(NumberStats *stats, const NumberStats *more);

/* The format for about `digits` significant digits of the largest (0: 3); integers
 * are written as integers, and no zeros that all of them end in. */
NumberFormat number_format(const NumberStats *stats, int digits);

/* One decimal less; false if there is none to spare. */
bool number_format_narrow(NumberFormat *format, const NumberStats *stats);

/* Appends x, without blanks around it; "NaN", "Inf", "-Inf". */
void number_format_add(Str *out, const NumberFormat *format, double x);

/* Appends one number by itself in at most `digits` significant digits. */
void number_add_short(Str *out, double x, int digits);

#endif
