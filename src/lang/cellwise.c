/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/cellwise.h"

#include <float.h>
#include <math.h>

#include "core/elementary.h"
#include "lang/kernel.h"

static Status map(const Call *call, double (*f)(double))
{
    const Matrix *x;
    if (kernel_matrix(call, 0, &x) != STATUS_OK)
        return STATUS_ERROR;
    return kernel_give_matrix(call, elementary_apply(x, f), call->args[0], call->args[0]);
}

static Status map_logical(const Call *call, double (*f)(double))
{
    if (map(call, f) != STATUS_OK)
        return STATUS_ERROR;
    (*call->out)->logical = true;
    return STATUS_OK;
}

static Status map_nonnegative(const Call *call, double (*f)(double))
{
    const Matrix *x;
    if (kernel_matrix(call, 0, &x) != STATUS_OK || kernel_refuse_negative(call, x) != STATUS_OK)
        return STATUS_ERROR;
    return map(call, f);
}

static double sign(double x)
{
    return isnan(x) ? x : (x > 0) - (x < 0);
}

Status op_abs(const Call *call)
{
    return map(call, fabs);
}

Status op_sign(const Call *call)
{
    return map(call, sign);
}

Status op_floor(const Call *call)
{
    return map(call, floor);
}

Status op_ceil(const Call *call)
{
    return map(call, ceil);
}

Status op_round(const Call *call)
{
    return map(call, round);
}

Status op_sqrt(const Call *call)
{
    return map_nonnegative(call, sqrt);
}

Status op_exp(const Call *call)
{
    const Matrix *x;
    if (kernel_matrix(call, 0, &x) != STATUS_OK)
        return STATUS_ERROR;
    return kernel_give_matrix(call, elementary_exp_matrix(x), call->args[0], call->args[0]);
}

Status op_log(const Call *call)
{
    return map_nonnegative(call, elementary_log);
}

Status op_log2(const Call *call)
{
    return map_nonnegative(call, elementary_log2);
}

Status op_sin(const Call *call)
{
    return map(call, elementary_sin);
}

Status op_cos(const Call *call)
{
    return map(call, elementary_cos);
}

Status op_tanh(const Call *call)
{
    return map(call, elementary_tanh);
}

static double is_nan(double x)
{
    return isnan(x) != 0;
}

static double is_inf(double x)
{
    return isinf(x) != 0;
}

static double is_finite(double x)
{
    return isfinite(x) != 0;
}

Status op_isnan(const Call *call)
{
    return map_logical(call, is_nan);
}

Status op_isinf(const Call *call)
{
    return map_logical(call, is_inf);
}

Status op_isfinite(const Call *call)
{
    return map_logical(call, is_finite);
}

static double nearest_integer(double x)
{
    return isfinite(x) ? floor(x + 0.5) : x;
}

/* GNU Octave's mod, with its tolerance: mod(0.3, 0.1) is 0. */
static double modulo(double x, double y)
{
    if (y == 0)
        return x;
    double quotient = x / y, whole = nearest_integer(quotient), rest;
    if (nearest_integer(y) != y && fabs((quotient - whole) / whole) < DBL_EPSILON)
        rest = 0;
    else
        rest = x - y * floor(quotient);
    return x == y ? rest : copysign(rest, y);
}

Status op_mod(const Call *call)
{
    Value *v;
    for (size_t i = 0; i < 2; i++)
        if (kernel_refuse_logical(call, i, "wrong type argument 'bool'") != STATUS_OK)
            return STATUS_ERROR;
    if (kernel_pairs(call, modulo, &v) != STATUS_OK)
        return STATUS_ERROR;
    return kernel_give(call, v);
}
