/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of the operators; their rows are in ops.def. */
#include <float.h>
#include <limits.h>
#include <math.h>

#include "core/elementary.h"
#include "core/product.h"
#include "core/solve.h"
#include "io/number.h"
#include "lang/kernel.h"
#include "lang/op.h"
#include "lang/services.h"
#include "lang/value.h"

static const char *kind_name(const Value *v)
{
    return v->kind == VALUE_FUNCTION ? "function handle"
           : v->kind == VALUE_TEXT   ? "string"
                                     : "matrix";
}

static Status wrong_kinds(const Call *call)
{
    if (call->count == 1)
        return error_at(call->error, call->at->source, call->at->mark,
                        "unary operator '%s' not implemented for '%s' operations", call->op->name,
                        kind_name(call->args[0]));
    return error_at(call->error, call->at->source, call->at->mark,
                    "binary operator '%s' not implemented for '%s' by '%s' operations",
                    call->op->name, kind_name(call->args[0]), kind_name(call->args[1]));
}

static Status need_matrices(const Call *call)
{
    for (size_t i = 0; i < call->count; i++)
        if (call->args[i]->kind != VALUE_MATRIX)
            return wrong_kinds(call);
    return STATUS_OK;
}

/* Octave's word for an operator in "nonconformant arguments". */
static const char *octave_name(const Call *call)
{
    switch (call->op->id) {
    case OP_TIMES:
        return "product";
    case OP_DIVIDE:
        return "quotient";
    case OP_EQUAL:
        return "mx_el_eq";
    case OP_NOT_EQUAL:
        return "mx_el_ne";
    case OP_LESS:
        return "mx_el_lt";
    case OP_LESS_EQUAL:
        return "mx_el_le";
    case OP_GREATER:
        return "mx_el_gt";
    case OP_GREATER_EQUAL:
        return "mx_el_ge";
    case OP_AND:
        return "mx_el_and";
    case OP_OR:
        return "mx_el_or";
    default:
        return NULL;
    }
}

static Status nonconformant(const Call *call, const Value *a, const Value *b)
{
    const char *name = octave_name(call);
    return error_at(call->error, call->at->source, call->at->mark,
                    "%s%s: nonconformant arguments (op1 is %zux%zu, op2 is %zux%zu)",
                    name ? "" : "operator ", name ? name : call->op->name, a->rows.n, a->cols.n,
                    b->rows.n, b->cols.n);
}

/* --- cell by cell, with broadcasting ------------------------------------------- */

typedef double CellFunction(double, double);

static bool broadcasts(size_t a, size_t b, size_t *out)
{
    *out = a == 1 ? b : a;
    return a == b || a == 1 || b == 1;
}

/* The name of a broadcast dimension: that of whichever operand has its size. */
static const Poly *broadcast_name(Dim a, Dim b)
{
    if (a.n == 1 && b.n != 1)
        return b.name;
    if (b.n == 1 && a.n != 1)
        return a.name;
    return a.name ? a.name : b.name;
}

static Matrix *combine(const Matrix *a, const Matrix *b, size_t rows, size_t cols, CellFunction *f)
{
    Matrix *result = matrix_new(rows, cols);
    double *cell = matrix_fill(result);
    size_t a_step = a->cols == 1 ? 0 : 1, b_step = b->cols == 1 ? 0 : 1;
    for (size_t i = 0; i < rows; i++) {
        const double *x = a->cells + (a->rows == 1 ? 0 : i * a->cols);
        const double *y = b->cells + (b->rows == 1 ? 0 : i * b->cols);
        for (size_t j = 0; j < cols; j++)
            *cell++ = f(x[j * a_step], y[j * b_step]);
    }
    return result;
}

/* Octave adds in place where it can, and then refuses an `x += y` that takes x, no single number,
 * to another size. */
static Status need_place(const Call *call, size_t rows, size_t cols)
{
    const Value *a = call->args[0], *b = call->args[1];
    if (call->at->kind != EXPR_OPERATOR || !call->at->in_place || value_is_scalar(a) ||
        (rows == a->rows.n && cols == a->cols.n))
        return STATUS_OK;
    return error_at(call->error, call->at->source, call->at->mark,
                    "%s=: nonconformant arguments (op1 is %zux%zu, op2 is %zux%zu)", call->op->name,
                    a->rows.n, a->cols.n, b->rows.n, b->cols.n);
}

static Status cell_by_cell(const Call *call, CellFunction *f, bool logical)
{
    if (need_matrices(call))
        return STATUS_ERROR;
    const Value *a = call->args[0], *b = call->args[1];
    size_t rows, cols;
    if (!broadcasts(a->rows.n, b->rows.n, &rows) || !broadcasts(a->cols.n, b->cols.n, &cols))
        return nonconformant(call, a, b);
    if (need_place(call, rows, cols) || interp_check_size(call, (double)rows, (double)cols))
        return STATUS_ERROR;
    Value *v = value_new(combine(value_matrix(a), value_matrix(b), rows, cols, f));
    v->logical = logical;
    value_name_rows(v, broadcast_name(a->rows, b->rows));
    value_name_cols(v, broadcast_name(a->cols, b->cols));
    *call->out = v;
    return STATUS_OK;
}

/* --- numbers that are polynomials in parameters -------------------------------- */

/* Keeps the polynomial of a result of scalars where both have one. */
static Status with_number(const Call *call, Poly *(*combine_polys)(const Poly *, const Poly *))
{
    const Value *a = call->args[0], *b = call->args[1];
    if (a->number && b->number)
        (*call->out)->number = combine_polys(a->number, b->number);
    return STATUS_OK;
}

/* a / b for a constant b. */
static Poly *divide_polys(const Poly *a, const Poly *b)
{
    double divisor;
    if (!poly_is_constant(b, &divisor) || divisor == 0)
        return NULL;
    return poly_scale(a, 1 / divisor);
}

/* a to the power of a small whole number. */
static Poly *power_polys(const Poly *a, const Poly *b)
{
    double power;
    if (!poly_is_constant(b, &power) || power != floor(power) || power < 0 || power > 4)
        return NULL;
    Poly *result = poly_constant(1);
    for (int i = 0; i < (int)power && result; i++) {
        Poly *next = poly_multiply(result, a);
        poly_unref(result);
        result = next;
    }
    return result;
}

/* --- arithmetic ---------------------------------------------------------------- */

static double add(double x, double y)
{
    return x + y;
}

static double subtract(double x, double y)
{
    return x - y;
}

static double times(double x, double y)
{
    return x * y;
}

static double divide(double x, double y)
{
    return x / y;
}

static double power(double x, double y)
{
    if (y == 2)
        return x * x; /* correctly rounded as it is */
    return elementary_pow(x, y);
}

Status op_add(const Call *call)
{
    return cell_by_cell(call, add, false) ? STATUS_ERROR : with_number(call, poly_add);
}

Status op_subtract(const Call *call)
{
    return cell_by_cell(call, subtract, false) ? STATUS_ERROR : with_number(call, poly_subtract);
}

Status op_times(const Call *call)
{
    return cell_by_cell(call, times, false) ? STATUS_ERROR : with_number(call, poly_multiply);
}

Status op_divide(const Call *call)
{
    return cell_by_cell(call, divide, false) ? STATUS_ERROR : with_number(call, divide_polys);
}

/* False where Octave takes x .^ y of a negative x for complex: fractions, NaN, Inf, and what is
 * no int of C. */
static bool is_whole_power(double y)
{
    return y == floor(y) && fabs(y) <= INT_MAX;
}

/* Fails if some x .^ y has no real value. */
static Status need_real_powers(const Call *call)
{
    const Matrix *a = value_matrix(call->args[0]), *b = value_matrix(call->args[1]);
    bool negative = false, fraction = false;
    for (size_t i = 0; i < matrix_count(a); i++)
        negative = negative || a->cells[i] < 0;
    for (size_t i = 0; negative && i < matrix_count(b); i++)
        fraction = fraction || !is_whole_power(b->cells[i]);
    if (!fraction)
        return STATUS_OK;
    size_t rows, cols; /* some pair may still be real: look at each that meets */
    if (!broadcasts(a->rows, b->rows, &rows) || !broadcasts(a->cols, b->cols, &cols))
        return STATUS_OK;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++) {
            double x = matrix_at(a, a->rows == 1 ? 0 : i, a->cols == 1 ? 0 : j);
            double y = matrix_at(b, b->rows == 1 ? 0 : i, b->cols == 1 ? 0 : j);
            if (x < 0 && !is_whole_power(y))
                return error_at(call->error, call->at->source, call->at->mark,
                                "complex result: %s of a negative number to %s power (row %zu, "
                                "column %zu)",
                                call->op->name, y == floor(y) ? "so large a" : "a fractional",
                                i + 1, j + 1);
        }
    return STATUS_OK;
}

Status op_power(const Call *call)
{
    if (need_matrices(call) || need_real_powers(call) || cell_by_cell(call, power, false))
        return STATUS_ERROR;
    return with_number(call, power_polys);
}

static Status unary(const Call *call, double (*f)(double), bool logical)
{
    if (need_matrices(call))
        return STATUS_ERROR;
    const Value *a = call->args[0];
    Value *v = value_new(elementary_apply(value_matrix(a), f));
    v->logical = logical;
    value_name_rows(v, a->rows.name);
    value_name_cols(v, a->cols.name);
    *call->out = v;
    return STATUS_OK;
}

static double negated(double x)
{
    return -x;
}

static double same(double x)
{
    return x;
}

static double is_zero(double x)
{
    return x == 0;
}

Status op_negate(const Call *call)
{
    if (unary(call, negated, false))
        return STATUS_ERROR;
    if (call->args[0]->number)
        (*call->out)->number = poly_scale(call->args[0]->number, -1);
    return STATUS_OK;
}

Status op_plus_sign(const Call *call)
{
    return unary(call, same, false);
}

/* NaN is neither true nor false. */
static Status need_truth(const Call *call)
{
    for (size_t k = 0; k < call->count; k++) {
        const Matrix *m = value_matrix(call->args[k]);
        for (size_t i = 0; i < matrix_count(m); i++)
            if (isnan(m->cells[i]))
                return error_at(call->error, call->at->source, call->at->mark,
                                "invalid conversion from NaN to logical");
    }
    return STATUS_OK;
}

Status op_not(const Call *call)
{
    if (need_matrices(call))
        return STATUS_ERROR;
    if (need_truth(call))
        return STATUS_ERROR;
    return unary(call, is_zero, true);
}

Status op_transpose(const Call *call)
{
    if (need_matrices(call))
        return STATUS_ERROR;
    const Value *a = call->args[0];
    Value *v = value_new(matrix_transpose(value_matrix(a)));
    v->logical = a->logical;
    value_name_rows(v, a->cols.name);
    value_name_cols(v, a->rows.name);
    v->number = poly_ref(a->number);
    *call->out = v;
    return STATUS_OK;
}

/* --- comparison and logic ------------------------------------------------------ */

static double equal(double x, double y)
{
    return x == y;
}

static double not_equal(double x, double y)
{
    return x != y;
}

static double less(double x, double y)
{
    return x < y;
}

static double less_equal(double x, double y)
{
    return x <= y;
}

static double greater(double x, double y)
{
    return x > y;
}

static double greater_equal(double x, double y)
{
    return x >= y;
}

static double both(double x, double y)
{
    return x != 0 && y != 0;
}

static double either(double x, double y)
{
    return x != 0 || y != 0;
}

Status op_equal(const Call *call)
{
    return cell_by_cell(call, equal, true);
}

Status op_not_equal(const Call *call)
{
    return cell_by_cell(call, not_equal, true);
}

Status op_less(const Call *call)
{
    return cell_by_cell(call, less, true);
}

Status op_less_equal(const Call *call)
{
    return cell_by_cell(call, less_equal, true);
}

Status op_greater(const Call *call)
{
    return cell_by_cell(call, greater, true);
}

Status op_greater_equal(const Call *call)
{
    return cell_by_cell(call, greater_equal, true);
}

Status op_and(const Call *call)
{
    if (need_matrices(call) || need_truth(call))
        return STATUS_ERROR;
    return cell_by_cell(call, both, true);
}

Status op_or(const Call *call)
{
    if (need_matrices(call) || need_truth(call))
        return STATUS_ERROR;
    return cell_by_cell(call, either, true);
}

/* --- products, quotients, powers of matrices ----------------------------------- */

static bool is_named(const Value *v)
{
    return v->rows.name || v->cols.name;
}

/* A product with a single number.  Two matrices that happen to be 1x1 (d = 1) are
 * still a row times a column, and their product goes by their names. */
static Status multiply_by_number(const Call *call)
{
    const Value *a = call->args[0], *b = call->args[1];
    if (op_times(call))
        return STATUS_ERROR;
    if (a->cols.n == b->rows.n && is_named(a) && is_named(b)) {
        value_name_rows(*call->out, a->rows.name);
        value_name_cols(*call->out, b->cols.name);
    }
    return STATUS_OK;
}

Status op_multiply(const Call *call)
{
    if (need_matrices(call))
        return STATUS_ERROR;
    const Value *a = call->args[0], *b = call->args[1];
    if (value_is_scalar(a) || value_is_scalar(b))
        return multiply_by_number(call);
    if (a->cols.n != b->rows.n)
        return nonconformant(call, a, b);
    if (interp_check_size(call, (double)a->rows.n, (double)b->cols.n) ||
        interp_charge(call, (double)a->rows.n * (double)a->cols.n * (double)b->cols.n))
        return STATUS_ERROR;
    Value *v = value_new(matrix_multiply(value_matrix(a), value_matrix(b)));
    value_name_rows(v, a->rows.name);
    value_name_cols(v, b->cols.name);
    *call->out = v;
    return STATUS_OK;
}

/* A \ B, charged as an elimination. */
static Status solve(const Call *call, const Matrix *a, const Matrix *b, Matrix **out)
{
    double n = (double)(a->rows > a->cols ? a->rows : a->cols);
    if (interp_charge(call, WORK_DECOMPOSITION * n * n * (n + (double)b->cols)))
        return STATUS_ERROR;
    *out = solve_left(a, b, NULL);
    return STATUS_OK;
}

Status op_left_divide(const Call *call)
{
    if (need_matrices(call))
        return STATUS_ERROR;
    const Value *a = call->args[0], *b = call->args[1];
    if (value_is_scalar(a)) {
        Value *const swapped[] = {call->args[1], call->args[0]};
        Call other = *call;
        other.args = swapped;
        return op_divide(&other);
    }
    if (a->rows.n != b->rows.n)
        return nonconformant(call, a, b);
    if (interp_check_size(call, (double)a->cols.n, (double)b->cols.n))
        return STATUS_ERROR;
    Matrix *x;
    if (solve(call, value_matrix(a), value_matrix(b), &x))
        return STATUS_ERROR;
    *call->out = value_new(x);
    value_name_rows(*call->out, a->cols.name);
    value_name_cols(*call->out, b->cols.name);
    return STATUS_OK;
}

Status op_right_divide(const Call *call)
{
    if (need_matrices(call))
        return STATUS_ERROR;
    const Value *a = call->args[0], *b = call->args[1];
    if (value_is_scalar(b))
        return op_divide(call);
    if (a->cols.n != b->cols.n)
        return nonconformant(call, a, b);
    if (interp_check_size(call, (double)a->rows.n, (double)b->rows.n))
        return STATUS_ERROR;
    /* A/B = (B'\A')' */
    Matrix *at = matrix_transpose(value_matrix(a)), *bt = matrix_transpose(value_matrix(b));
    Matrix *x = NULL;
    Status status = solve(call, bt, at, &x);
    matrix_unref(at);
    matrix_unref(bt);
    if (status)
        return status;
    *call->out = value_new(matrix_transpose(x));
    matrix_unref(x);
    value_name_rows(*call->out, a->rows.name);
    value_name_cols(*call->out, b->rows.name);
    return STATUS_OK;
}

Status op_matrix_power(const Call *call)
{
    if (need_matrices(call))
        return STATUS_ERROR;
    const Value *a = call->args[0], *b = call->args[1];
    if (value_is_scalar(a) && value_is_scalar(b))
        return op_power(call);
    if (value_is_scalar(a) && b->rows.n == b->cols.n)
        return error_at(call->error, call->at->source, call->at->mark,
                        "a power with a matrix exponent is not part of this language");
    if (!value_is_scalar(b) || a->rows.n != a->cols.n)
        return error_at(call->error, call->at->source, call->at->mark,
                        "for x^y, only square matrix arguments are permitted and one argument must "
                        "be scalar.  Use .^ for elementwise power.");
    double p = value_number(b);
    if (p != floor(p) || fabs(p) > 1000000)
        return error_at(call->error, call->at->source, call->at->mark,
                        "a matrix power with a fractional exponent is not part of this language");
    double n = (double)a->rows.n;
    if (interp_charge(call, n * n * n * 2 * (1 + log2(1 + fabs(p)))))
        return STATUS_ERROR;
    *call->out = value_new(matrix_power_int(value_matrix(a), (long)p, NULL));
    value_name_rows(*call->out, a->rows.name);
    value_name_cols(*call->out, a->cols.name);
    return STATUS_OK;
}

/* --- ranges -------------------------------------------------------------------- */

/* How many numbers base:step:limit has, by Octave's rule: a limit missed by a few
 * roundings is still reached.  *is_nan: it is one number, a NaN, since a part is one or how often
 * step goes into the range cannot be said (Inf - Inf, Inf / Inf). */
static double range_count(double base, double step, double limit, bool *is_nan)
{
    *is_nan = isnan(base) || isnan(step) || isnan(limit);
    if (*is_nan)
        return 1;
    if (step == 0 || (limit > base && step < 0) || (limit < base && step > 0))
        return 0;
    double tolerance = 3 * DBL_EPSILON;
    /* not negative; of finite ends in an infinite step 0, even where limit - base overflows */
    double q = isinf(step) ? limit / step - base / step : (limit - base) / step;
    *is_nan = isnan(q);
    return *is_nan ? 1 : floor(q + tolerance * fmax(1, q)) + 1;
}

/* limit - base + 1, if both are known by name and the step is 1. */
static Poly *range_name(const Value *base, const Value *limit)
{
    if (!base->number || !limit->number)
        return NULL;
    Poly *difference = poly_subtract(limit->number, base->number), *one = poly_constant(1);
    Poly *name = poly_add(difference, one);
    poly_unref(difference);
    poly_unref(one);
    return name;
}

Status op_range(const Call *call)
{
    if (need_matrices(call))
        return STATUS_ERROR;
    double part[3] = {0};
    for (size_t i = 0; i < call->count; i++)
        if (call->args[i]->logical)
            return kernel_error_plain(call, "invalid types found in range expression");
    for (size_t i = 0; i < call->count; i++) {
        const Matrix *m = value_matrix(call->args[i]);
        if (matrix_count(m) == 0) { /* as Octave: an empty part gives an empty range */
            *call->out = value_new(matrix_new(1, 0));
            return STATUS_OK;
        }
        part[i] = m->cells[0];
    }
    double base = part[0], step = call->count == 3 ? part[1] : 1, limit = part[call->count - 1];
    bool is_nan;
    double count = range_count(base, step, limit, &is_nan);
    if (interp_check_size(call, 1, count))
        return STATUS_ERROR;
    Matrix *m = matrix_new(1, (size_t)count);
    double *cell = matrix_fill(m);
    for (size_t i = 0; i < m->cols; i++) {
        double next = i ? base + (double)i * step : base; /* not -0 + 0, nor 0·Inf */
        double x = is_nan ? NAN : next;
        cell[i] = (step > 0 && x > limit) || (step < 0 && x < limit) ? limit : x;
    }
    *call->out = value_new(m);
    if (call->count == 2) {
        Poly *name = range_name(call->args[0], call->args[1]);
        if (m->cols > 0)
            value_name_cols(*call->out, name);
        poly_unref(name);
    }
    return STATUS_OK;
}
