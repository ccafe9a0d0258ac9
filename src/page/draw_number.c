/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/draw_number.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "io/number.h"

enum {
    MANY_DECIMALS = 5,       /* not exact with few decimals */
    MAX_INTEGER_DIGITS = 9   /* longer ones are written with an exponent */
};

/* The decimals that write x exactly (to the last bits), at least `least`. */
static int exact_decimals(double x, int least)
{
    static const double powers[MANY_DECIMALS] = {1, 10, 100, 1000, 10000};
    for (int k = least; k < MANY_DECIMALS; k++) {
        double y = x * powers[k];
        if (fabs(y - rint(y)) <= (k == 0 ? 0 : 4e-16 * fabs(y)))
            return k;
    }
    return MANY_DECIMALS;
}

void number_stats_add(NumberStats *stats, double x)
{
    stats->count++;
    if (isnan(x)) {
        stats->has_nan = true;
        return;
    }
    if (isinf(x)) {
        *(x > 0 ? &stats->has_inf : &stats->has_minus_inf) = true;
        return;
    }
    double size = fabs(x);
    if (size > stats->largest)
        stats->largest = size;
    if (size > 0 && (stats->smallest == 0 || size < stats->smallest))
        stats->smallest = size;
    if (!stats->finite || x < stats->low)
        stats->low = x;
    if (!stats->finite || x > stats->high)
        stats->high = x;
    stats->finite = true;
    stats->negative = stats->negative || x < 0;
    if (stats->decimals < MANY_DECIMALS)
        stats->decimals = exact_decimals(x, stats->decimals);
}

enum { LANES = 8 }; /* compared side by side, so that none waits for the one before */

/* The same for `count` numbers (a multiple of LANES) if all are finite; stats have seen one
 * that takes many decimals, so that comparing is all there is to do. */
static bool add_finite(NumberStats *stats, const double *numbers, size_t count)
{
    double low[LANES], high[LANES], smallest[LANES], zero[LANES] = {0};
    for (int k = 0; k < LANES; k++) {
        low[k] = stats->low;
        high[k] = stats->high;
        smallest[k] = stats->smallest;
    }
    for (size_t i = 0; i < count; i += LANES)
        for (int k = 0; k < LANES; k++) {
            double x = numbers[i + (size_t)k], size = fabs(x) > 0 ? fabs(x) : DBL_MAX;
            zero[k] += x * 0; /* NaN if x is not finite */
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
            smallest[k] = size < smallest[k] ? size : smallest[k];
        }
    for (int k = 0; k < LANES; k++)
        if (zero[k] != 0)
            return false;
    for (int k = 0; k < LANES; k++) {
        stats->low = fmin(stats->low, low[k]);
        stats->high = fmax(stats->high, high[k]);
        stats->smallest = fmin(stats->smallest, smallest[k]);
    }
    stats->largest = fmax(stats->largest, fmax(-stats->low, stats->high));
    stats->negative = stats->low < 0;
    stats->count += count;
    return true;
}

/* The same for `count` numbers. */
static void add_numbers(NumberStats *stats, const double *numbers, size_t count)
{
    enum { PART = 64 * LANES };
    size_t i = 0;
    while (i < count) {
        size_t part = count - i < PART ? (count - i) / LANES * LANES : PART;
        bool added = part > 0 && stats->decimals == MANY_DECIMALS &&
                     add_finite(stats, numbers + i, part);
        for (size_t end = i + (part > 0 ? part : count - i); !added && i < end; i++)
            number_stats_add(stats, numbers[i]);
        i += added ? part : 0;
    }
}

void number_stats_add_matrix(NumberStats *stats, const Matrix *m, size_t row, size_t rows,
                             size_t col, size_t cols)
{
    size_t end = col + cols < m->cols ? col + cols : m->cols;
    for (size_t i = row; col < end && i < row + rows && i < m->rows; i++)
        add_numbers(stats, matrix_row(m, i) + col, end - col);
}

void number_stats_merge(NumberStats *stats, const NumberStats *more)
{
    if (more->largest > stats->largest)
        stats->largest = more->largest;
    if (more->smallest > 0 && (stats->smallest == 0 || more->smallest < stats->smallest))
        stats->smallest = more->smallest;
    if (more->finite && (!stats->finite || more->low < stats->low))
        stats->low = more->low;
    if (more->finite && (!stats->finite || more->high > stats->high))
        stats->high = more->high;
    if (more->decimals > stats->decimals)
        stats->decimals = more->decimals;
    stats->count += more->count;
    stats->finite = stats->finite || more->finite;
    stats->negative = stats->negative || more->negative;
    stats->has_nan = stats->has_nan || more->has_nan;
    stats->has_inf = stats->has_inf || more->has_inf;
    stats->has_minus_inf = stats->has_minus_inf || more->has_minus_inf;
}

/* Decimal places before the point of a number of that size, at least 1. */
static int integer_digits(double size)
{
    int digits = 1;
    while (size >= 10 && digits < 400) {
        size /= 10;
        digits++;
    }
    return digits;
}

/* Zeros between the point and the first digit of size (0 < size < 1). */
static int leading_zeros(double size)
{
    int zeros = 0;
    while (size < 0.1 && zeros < 400) {
        size *= 10;
        zeros++;
    }
    return zeros;
}

static void set_width(NumberFormat *format, const NumberStats *stats)
{
    int width;
    if (format->exponent) {
        bool three = stats->largest >= 1e99 || (stats->smallest > 0 && stats->smallest < 1e-98);
        width = (format->decimals ? 2 + format->decimals : 1) + (three ? 5 : 4);
    } else {
        double step = 0.5 * pow(10, -format->decimals); /* 9.97 may round to 10.0 */
        width = integer_digits(stats->largest + step * (format->decimals < stats->decimals));
        if (format->decimals)
            width += 1 + format->decimals;
    }
    width += stats->negative;
    if (stats->has_minus_inf && width < 4)
        width = 4;
    if ((stats->has_nan || stats->has_inf) && width < 3)
        width = 3;
    format->width = width;
}

NumberFormat number_format(const NumberStats *stats, int digits)
{
    NumberFormat format = {false, 0, 1};
    if (digits <= 0)
        digits = 3;
    int before = integer_digits(stats->largest);
    if (stats->decimals == 0) {
        format.exponent = before > MAX_INTEGER_DIGITS;
        format.decimals = format.exponent ? digits - 1 : 0;
    } else if (before > 6 || (stats->largest > 0 && stats->largest < 1e-3)) {
        format.exponent = true;
        format.decimals = digits - 1;
    } else {
        format.decimals = digits - before;
        if (stats->largest < 1)
            format.decimals = digits - 1 + leading_zeros(stats->largest);
        if (format.decimals < 1)
            format.decimals = 1;
        if (stats->decimals < format.decimals)
            format.decimals = stats->decimals;
    }
    set_width(&format, stats);
    return format;
}

bool number_format_narrow(NumberFormat *format, const NumberStats *stats)
{
    int least = format->exponent ? 0 : 1; /* -1.9 never looks like the integer -2 */
    (void)stats;
    if (format->decimals <= least)
        return false;
    format->decimals--;
    set_width(format, stats);
    return true;
}

/* Zero is 0 among integers and beside exponents, else it has the decimals of its
 * column; it has no sign. */
static void add_zero(Str *out, const NumberFormat *format)
{
    str_add_char(out, '0');
    if (format->exponent || format->decimals == 0)
        return;
    str_add_char(out, '.');
    str_add_repeat(out, '0', (size_t)format->decimals);
}

void number_format_add(Str *out, const NumberFormat *format, double x)
{
    if (isnan(x))
        str_add(out, "NaN");
    else if (isinf(x))
        str_add(out, x > 0 ? "Inf" : "-Inf");
    else if (x == 0)
        add_zero(out, format);
    else
        number_add_format(out, x, format->exponent ? 'e' : 'f', format->decimals);
}

void number_add_short(Str *out, double x, int digits)
{
    NumberStats stats = {0};
    number_stats_add(&stats, x);
    NumberFormat format = number_format(&stats, digits);
    number_format_add(out, &format, x);
}
