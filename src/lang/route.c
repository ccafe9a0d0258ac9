/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/route.h"

#include <math.h>

static const Route UNKNOWN = {ROUTE_UNKNOWN, 0, 0, 0};
static const Route FILL = {ROUTE_FILL, 0, 0, 0};

static Route cell_of(size_t operand, size_t row, size_t col)
{
    return (Route){ROUTE_CELL, operand, row, col};
}

/* The operand at k if it is a matrix, or NULL. */
static const Value *matrix_operand(const Origin *origin, size_t k)
{
    return k < origin->count && origin->operands[k]->kind == VALUE_MATRIX ? origin->operands[k]
                                                                          : NULL;
}

/* The number of a 1x1 operand, or otherwise. */
static double number_operand(const Origin *origin, size_t k, double otherwise)
{
    const Value *v = matrix_operand(origin, k);
    return v != NULL && value_is_scalar(v) ? value_number(v) : otherwise;
}

/* --- Counting column by column ----------------------------------------------------------- */

static size_t count_cells(const Value *v)
{
    return v->rows.n * v->cols.n;
}

/* The p-th entry of v, column by column; p is in range. */
static double entry(const Value *v, size_t p)
{
    return matrix_at(value_matrix(v), p % v->rows.n, p / v->rows.n);
}

/* The p-th cell of operands[operand], column by column. */
static Route nth_cell(const Origin *origin, size_t operand, size_t p)
{
    const Value *v = origin->operands[operand];
    if (p >= count_cells(v))
        return UNKNOWN;
    return cell_of(operand, p % v->rows.n, p / v->rows.n);
}

/* --- Indices ----------------------------------------------------------------------------- */

size_t route_index(const Value *index, size_t p, size_t extent)
{
    if (index->kind == VALUE_COLON)
        return p < extent ? p : extent;
    if (index->kind != VALUE_MATRIX)
        return extent;
    size_t count = count_cells(index);
    if (!index->logical) {
        double place = p < count ? entry(index, p) : 0;
        return place >= 1 && place <= (double)extent ? (size_t)place - 1 : extent;
    }
    for (size_t q = 0; q < count && q < extent; q++)
        if (entry(index, q) != 0.0 && p-- == 0)
            return q;
    return extent;
}

/* How many places index selects of extent. */
static size_t index_count(const Value *index, size_t extent)
{
    if (index->kind != VALUE_MATRIX)
        return index->kind == VALUE_COLON ? extent : 0;
    if (!index->logical)
        return count_cells(index);
    size_t count = 0;
    for (size_t q = 0; q < count_cells(index); q++)
        count += entry(index, q) != 0.0;
    return count;
}

/* The last p with route_index(index, p) == place: which of the assigned numbers stayed
 * there.  False if index does not select place. */
static bool index_find(const Value *index, size_t place, size_t *p)
{
    if (index->kind == VALUE_COLON) {
        *p = place;
        return true;
    }
    if (index->kind != VALUE_MATRIX)
        return false;
    if (!index->logical) {
        for (size_t q = count_cells(index); q-- > 0;)
            if (entry(index, q) == (double)place + 1) {
                *p = q;
                return true;
            }
        return false;
    }
    *p = 0;
    for (size_t q = 0; q < place && q < count_cells(index); q++)
        *p += entry(index, q) != 0.0;
    return place < count_cells(index) && entry(index, place) != 0.0;
}

/* A(i,j) or A(k): operands A and its indices; a third one is 1. */
static Route route_indexed(const Value *v, size_t i, size_t j)
{
    const Origin *origin = v->origin;
    const Value *A = matrix_operand(origin, 0);
    if (A == NULL)
        return UNKNOWN;
    if (origin->count >= 3) {
        size_t row = route_index(origin->operands[1], i, A->rows.n);
        size_t col = route_index(origin->operands[2], j, A->cols.n);
        return row < A->rows.n && col < A->cols.n ? cell_of(0, row, col) : UNKNOWN;
    }
    if (origin->count == 2)
        return nth_cell(origin, 0,
                        route_index(origin->operands[1], j * v->rows.n + i, count_cells(A)));
    return origin->count == 1 ? cell_of(0, i, j) : UNKNOWN;
}

/* A(i,j) = B or A(k) = B: operands A, B and the indices. */
static Route route_assigned(const Value *v, size_t i, size_t j)
{
    const Origin *origin = v->origin;
    const Value *A = matrix_operand(origin, 0), *B = matrix_operand(origin, 1);
    size_t p = 0, q = 0;
    bool written = false;
    if (A == NULL || B == NULL)
        return UNKNOWN;
    if (origin->count == 4) {
        written = index_find(origin->operands[2], i, &p) && index_find(origin->operands[3], j, &q);
        p += q * index_count(origin->operands[2], v->rows.n);
    } else if (origin->count == 3) {
        written = index_find(origin->operands[2], j * v->rows.n + i, &p);
    }
    if (written)
        return nth_cell(origin, 1, value_is_scalar(B) ? 0 : p);
    return i < A->rows.n && j < A->cols.n ? cell_of(0, i, j) : FILL;
}

/* --- Rearranging ------------------------------------------------------------------------- */

/* [A, B; C, D]: the operands row by row, as the source text has them. */
static Route route_concatenated(const Value *v, size_t i, size_t j)
{
    const Origin *origin = v->origin;
    const Expr *at = origin->at;
    if (at == NULL || at->kind != EXPR_MATRIX || at->count != origin->count)
        return UNKNOWN;
    size_t first = 0, top = 0;
    for (size_t r = 0; r < at->rows; first += at->row_counts[r], r++) {
        size_t height = 0, left = 0;
        for (size_t k = first; k < first + at->row_counts[r]; k++) {
            const Value *part = matrix_operand(origin, k);
            if (part == NULL)
                return UNKNOWN;
            if (part->cols.n == 0)
                continue;
            if (part->rows.n > height)
                height = part->rows.n;
            if (i >= top && i - top < part->rows.n && j >= left && j - left < part->cols.n)
                return cell_of(k, i - top, j - left);
            left += part->rows.n > 0 ? part->cols.n : 0;
        }
        top += height;
    }
    return UNKNOWN;
}

int route_dimension(const Origin *origin, size_t k)
{
    double named = number_operand(origin, k, 0);
    const Value *A = matrix_operand(origin, 0);
    if (named >= 1)
        return named > 2 ? 2 : (int)named - 1;
    return A != NULL && A->rows.n == 1;
}

/* place moved back by shift in a circle of extent places. */
static size_t shift_back(size_t place, double shift, size_t extent)
{
    double back = fmod((double)place - shift, (double)extent);
    return (size_t)(back < 0 ? back + (double)extent : back);
}

static Route route_shifted(const Value *v, size_t i, size_t j)
{
    double shift = number_operand(v->origin, 1, NAN);
    if (!isfinite(shift))
        return UNKNOWN;
    if (route_dimension(v->origin, 2) == 0)
        return cell_of(0, shift_back(i, shift, v->rows.n), j);
    return cell_of(0, i, shift_back(j, shift, v->cols.n));
}

/* diag(x, k): x becomes a diagonal, or a diagonal of x becomes a column. */
static Route route_diagonal(const Value *v, const Value *A, size_t i, size_t j)
{
    double k = number_operand(v->origin, 1, 0);
    if (A->rows.n == 1 || A->cols.n == 1) {
        if ((double)j - (double)i != k)
            return FILL;
        size_t p = k >= 0 ? i : j;
        return A->rows.n == 1 ? cell_of(0, 0, p) : cell_of(0, p, 0);
    }
    return k >= 0 ? cell_of(0, i, i + (size_t)k) : cell_of(0, i + (size_t)-k, i);
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Sorting is stable: the k-th of equal results is the k-th of equal entries. */
static Route route_sorted(const Value *v, const Value *A, size_t i, size_t j)
{
    bool across = route_dimension(v->origin, 1) == 1;
    const Matrix *sorted = value_matrix(v), *from = value_matrix(A);
    double x = matrix_at(sorted, i, j);
    size_t place = across ? j : i, length = across ? A->cols.n : A->rows.n, before = 0;
    for (size_t p = 0; p < place; p++)
        before += same_number(across ? matrix_at(sorted, i, p) : matrix_at(sorted, p, j), x);
    for (size_t p = 0; p < length; p++)
        if (same_number(across ? matrix_at(from, i, p) : matrix_at(from, p, j), x) && before-- == 0)
            return across ? cell_of(0, i, p) : cell_of(0, p, j);
    return UNKNOWN;
}

static Route route_moved(const Value *v, size_t i, size_t j)
{
    const Value *A = matrix_operand(v->origin, 0);
    double below = (double)i - (double)j; /* how far below the diagonal */
    if (A == NULL || count_cells(A) == 0)
        return FILL;
    switch (v->origin->op->id) {
    case OP_RESHAPE:
        return nth_cell(v->origin, 0, j * v->rows.n + i);
    case OP_REPMAT:
        return cell_of(0, i % A->rows.n, j % A->cols.n);
    case OP_CIRCSHIFT:
        return route_shifted(v, i, j);
    case OP_DIAG:
        return route_diagonal(v, A, i, j);
    case OP_TRIL:
        return -below <= number_operand(v->origin, 1, 0) ? cell_of(0, i, j) : FILL;
    case OP_TRIU:
        return -below >= number_operand(v->origin, 1, 0) ? cell_of(0, i, j) : FILL;
    case OP_CAUSAL:
        return below >= 0 ? cell_of(0, i, j) : FILL;
    case OP_WINDOW:
        return below >= 0 && below < number_operand(v->origin, 1, 0) ? cell_of(0, i, j) : FILL;
    case OP_SORT:
        return v->rows.n == A->rows.n && v->cols.n == A->cols.n ? route_sorted(v, A, i, j)
                                                                : UNKNOWN;
    default:
        return UNKNOWN;
    }
}

Route route_cell(const Value *v, size_t i, size_t j)
{
    Route route = UNKNOWN;
    switch (v->origin->op->explain) {
    case EXPLAIN_TRANSPOSE:
        route = cell_of(0, j, i);
        break;
    case EXPLAIN_INDEX:
        route = route_indexed(v, i, j);
        break;
    case EXPLAIN_SET_INDEX:
        route = route_assigned(v, i, j);
        break;
    case EXPLAIN_CONCAT:
        route = route_concatenated(v, i, j);
        break;
    case EXPLAIN_MOVE:
        route = route_moved(v, i, j);
        break;
    default:
        break;
    }
    if (route.kind != ROUTE_CELL)
        return route;
    const Value *from = matrix_operand(v->origin, route.operand);
    if (from == NULL || route.row >= from->rows.n || route.col >= from->cols.n ||
        !same_number(matrix_at(value_matrix(from), route.row, route.col),
                     matrix_at(value_matrix(v), i, j)))
        return UNKNOWN;
    return route;
}

/* A number as written, or one with a minus sign. */
static bool is_written_number(const Value *v)
{
    const Origin *origin = v->kind == VALUE_MATRIX ? v->origin : NULL;
    if (origin != NULL && origin->op->explain == EXPLAIN_UNARY && origin->count == 1)
        origin = origin->operands[0]->kind == VALUE_MATRIX ? origin->operands[0]->origin : NULL;
    return origin != NULL && origin->op->id == OP_LITERAL;
}

bool route_is_written(const Value *v)
{
    const Origin *origin = v->kind == VALUE_MATRIX ? v->origin : NULL;
    if (origin == NULL || origin->op->id != OP_CONCAT)
        return is_written_number(v);
    for (size_t k = 0; k < origin->count; k++)
        if (!is_written_number(origin->operands[k]))
            return false;
    return true;
}
