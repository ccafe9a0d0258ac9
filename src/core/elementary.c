/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/elementary.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "core/fast_kernels.h"

/* The exponents of MPFR's numbers (0.5 <= mantissa < 1) that are doubles:
 * 2^-1074 = 0.5 * 2^-1073, the largest is below 1 * 2^1024. */
enum { EXPONENT_MIN = -1073, EXPONENT_MAX = 1024 };

typedef int (*MpfrFunction)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

/* value, already rounded to 53 bits with the ternary value given, as a double:
 * a subnormal one is rounded from the exact value, not a second time. */
static double to_double(mpfr_ptr value, int ternary)
{
    mpfr_subnormalize(value, ternary, MPFR_RNDN);
    return mpfr_nan_p(value) ? (double)NAN : mpfr_get_d(value, MPFR_RNDN);
}

static double by_mpfr(MpfrFunction function, double x)
{
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    MPFR_DECL_INIT(argument, DBL_MANT_DIG);
    MPFR_DECL_INIT(value, DBL_MANT_DIG);
    mpfr_set_emin(EXPONENT_MIN);
    mpfr_set_emax(EXPONENT_MAX);
    mpfr_set_d(argument, x, MPFR_RNDN);
    double result = to_double(value, function(value, argument, MPFR_RNDN));
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    return result;
}

/* --- exp: by the kernel, and by MPFR where that does not decide --------------- */

static ExpTable exp_table;
static bool exp_table_made;

static void make_exp_table(void)
{
    MPFR_DECL_INIT(value, 160);
    for (int j = 0; j < EXP_STEPS; j++) {
        mpfr_set_d(value, (double)j / EXP_STEPS, MPFR_RNDN);
        mpfr_exp2(value, value, MPFR_RNDN);
        exp_table.high[j] = mpfr_get_d(value, MPFR_RNDN);
        mpfr_sub_d(value, value, exp_table.high[j], MPFR_RNDN);
        exp_table.low[j] = mpfr_get_d(value, MPFR_RNDN);
    }
    exp_table_made = true;
}

void elementary_exp_all(double *y, const double *x, size_t n)
{
    enum { BLOCK = 256 };
    double block[BLOCK]; /* x may be y, and is needed where the kernel leaves off */
    if (!exp_table_made)
        make_exp_table();
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t count = n - i < BLOCK ? n - i : BLOCK;
        fast_kernels()->exact_exp(block, x + i, count, &exp_table);
        for (size_t j = 0; j < count; j++)
            if (isnan(block[j]))
                block[j] = by_mpfr(mpfr_exp, x[i + j]);
        memcpy(y + i, block, count * sizeof *y);
    }
}

double elementary_exp(double x)
{
    double y;
    elementary_exp_all(&y, &x, 1);
    return y;
}

Matrix *elementary_exp_matrix(const Matrix *x)
{
    Matrix *y = matrix_new(x->rows, x->cols);
    elementary_exp_all(matrix_fill(y), x->cells, matrix_count(x));
    return y;
}

/* --- the others ------------------------------------------------------------ */

double elementary_expm1(double x)
{
    return by_mpfr(mpfr_expm1, x);
}

double elementary_log(double x)
{
    return by_mpfr(mpfr_log, x);
}

double elementary_log2(double x)
{
    return by_mpfr(mpfr_log2, x);
}

double elementary_sin(double x)
{
    return by_mpfr(mpfr_sin, x);
}

double elementary_cos(double x)
{
    return by_mpfr(mpfr_cos, x);
}

double elementary_tanh(double x)
{
    return by_mpfr(mpfr_tanh, x);
}

double elementary_pow(double x, double y)
{
    /* What one correctly rounded operation of the processor gives. */
    if (y == 2)
        return x * x;
    if (y == 1 && !isnan(x))
        return x;
    if (y == -1)
        return 1 / x;
    if (y == 0.5 && x > 0)
        return sqrt(x);
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    MPFR_DECL_INIT(base, DBL_MANT_DIG);
    MPFR_DECL_INIT(exponent, DBL_MANT_DIG);
    MPFR_DECL_INIT(value, DBL_MANT_DIG);
    mpfr_set_emin(EXPONENT_MIN);
    mpfr_set_emax(EXPONENT_MAX);
    mpfr_set_d(base, x, MPFR_RNDN);
    mpfr_set_d(exponent, y, MPFR_RNDN);
    double result = to_double(value, mpfr_pow(value, base, exponent, MPFR_RNDN));
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    return result;
}

Matrix *elementary_apply(const Matrix *x, double (*f)(double))
{
    Matrix *y = matrix_new(x->rows, x->cols);
    double *cells = matrix_fill(y);
    for (size_t i = 0; i < matrix_count(x); i++)
        cells[i] = f(x->cells[i]);
    return y;
}

void elementary_free_cache(void)
{
    mpfr_free_cache();
}
