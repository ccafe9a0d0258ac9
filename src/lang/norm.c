/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/norm.h"

#include <math.h>
#include <strings.h>

#include "core/elementary.h"
#include "core/measure.h"
#include "lang/kernel.h"

/* sqrt of the sum of squares, or for another p > 0 its like, as scale * sum^(1/p) with scale
 * the largest magnitude so far: neither overflows nor underflows.  Entries are taken column by
 * column. */
static double norm_power(const Matrix *a, double p)
{
    double scale = 0, sum = 1;
    for (size_t j = 0; j < a->cols; j++)
        for (size_t i = 0; i < a->rows; i++) {
            double t = fabs(matrix_at(a, i, j));
            double ratio = scale < t ? scale / t : t / scale;
            double power = p == 2 ? ratio * ratio : elementary_pow(ratio, p);
            if (scale == t) { /* infinities too: their ratio is NaN */
                sum += t != 0;
            } else if (scale < t) {
                sum = sum * power + 1;
                scale = t;
            } else if (t != 0) {
                sum += power;
            }
        }
    return scale * (p == 2 ? sqrt(sum) : elementary_pow(sum, 1 / p));
}

/* The p-norm of a vector for p = 1, 0, Inf and -Inf. */
static double norm_plain(const Matrix *a, double p)
{
    double result = p < 0 ? INFINITY : 0;
    for (size_t i = 0; i < matrix_count(a); i++) {
        double t = fabs(a->cells[i]);
        if (p == 1)
            result += t;
        else if (p == 0)
            result += t != 0;
        else if (isnan(t) || isnan(result))
            result = NAN;
        else
            result = p > 0 ? fmax(result, t) : fmin(result, t);
    }
    return result;
}

/* The largest sum of magnitudes in a column (by_column) or row; NaN if one is. */
static double norm_sums(const Matrix *a, bool by_column)
{
    double largest = 0;
    for (size_t k = 0; k < (by_column ? a->cols : a->rows); k++) {
        double sum = 0;
        for (size_t l = 0; l < (by_column ? a->rows : a->cols); l++)
            sum += fabs(by_column ? matrix_at(a, l, k) : matrix_at(a, k, l));
        largest = isnan(sum) || isnan(largest) ? NAN : fmax(largest, sum);
    }
    return largest;
}

static double norm_spectral(const Matrix *a)
{
    for (size_t i = 0; i < matrix_count(a); i++)
        if (!isfinite(a->cells[i]))
            return NAN;
    Matrix *sigma = singular_values(a);
    double largest = sigma->cells[0];
    matrix_unref(sigma);
    return largest;
}

/* The second argument: p, or fro set for 'fro'. */
static Status read_order(const Call *call, double *p, bool *fro)
{
    *p = 2;
    *fro = false;
    if (call->count < 2)
        return STATUS_OK;
    const Value *v = call->args[1];
    if (v->kind == VALUE_MATRIX && matrix_count(value_matrix(v)) == 0)
        return STATUS_OK;
    if (v->kind != VALUE_TEXT)
        return kernel_number(call, 1, p);
    if (strcasecmp(v->text, "fro") == 0)
        *fro = true;
    else if (strcasecmp(v->text, "inf") == 0)
        *p = INFINITY;
    else
        return kernel_error(call, "unrecognized option: %s", v->text);
    return STATUS_OK;
}

Status op_norm(const Call *call)
{
    const Matrix *a;
    double p;
    bool fro;
    if (kernel_refuse_logical(call, 0, "wrong type argument 'bool'") != STATUS_OK ||
        kernel_matrix(call, 0, &a) != STATUS_OK || read_order(call, &p, &fro) != STATUS_OK)
        return STATUS_ERROR;
    bool vector = a->rows == 1 || a->cols == 1, spectral = !vector && !fro && p == 2;
    double work = (double)matrix_count(a), x;
    if (spectral)
        work *= WORK_DECOMPOSITION * (double)(a->rows + a->cols);
    if (interp_charge(call, work) != STATUS_OK)
        return STATUS_ERROR;
    if (matrix_count(a) == 0)
        x = 0;
    else if (fro || (vector && p == 2))
        x = norm_power(a, 2);
    else if (vector && (p == 1 || p == 0 || isinf(p)))
        x = norm_plain(a, p);
    else if (vector && p > 0)
        x = norm_power(a, p);
    else if (spectral)
        x = norm_spectral(a);
    else if (!vector && (p == 1 || p == INFINITY))
        x = norm_sums(a, p == 1);
    else
        return kernel_error(call, vector ? "p must not be negative (but for -Inf) or NaN"
                                         : "p must be 1, 2, Inf or 'fro' for a matrix");
    return kernel_give(call, value_scalar(x));
}
