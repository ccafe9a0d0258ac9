/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/concat.h"

#include <string.h>

#include "lang/services.h"
#include "lang/value.h"

/* The size of what is put together so far, with the names of its dimensions. */
typedef struct {
    size_t rows, cols;
    const Poly *rows_name, *cols_name;
    bool any; /* a part other than 0x0 was seen */
} Extent;

static bool is_nothing(const Value *v)
{
    return v->rows.n == 0 && v->cols.n == 0;
}

/* 1x0 and 0x1 vanish where they do not fit; both do where they meet each other. */
static bool is_empty_vector(size_t rows, size_t cols)
{
    return rows + cols == 1;
}

/* The extent of one row of parts. */
static Status measure_row(const Call *call, Value *const *parts, size_t count, Extent *row)
{
    for (size_t i = 0; i < count; i++) {
        const Value *v = parts[i];
        if (v->kind != VALUE_MATRIX)
            return error_at(call->error, call->at->source,
                            call->at->args[parts + i - call->args]->span,
                            "a function handle cannot be an element of a matrix");
        if (is_nothing(v))
            continue;
        bool fits = !row->any || v->rows.n == row->rows;
        bool vanishes = !fits && is_empty_vector(v->rows.n, v->cols.n);
        if (!fits && is_empty_vector(row->rows, row->cols))
            *row = (Extent){0};
        if (vanishes)
            continue;
        if (row->any && v->rows.n != row->rows)
            return error_at(call->error, call->at->source, call->at->mark,
                            "horizontal dimensions mismatch (%zux%zu vs %zux%zu)", row->rows,
                            row->cols, v->rows.n, v->cols.n);
        row->rows = v->rows.n;
        row->rows_name = row->rows_name ? row->rows_name : v->rows.name;
        row->cols_name = row->any ? NULL : v->cols.name;
        row->cols += v->cols.n;
        row->any = true;
    }
    return STATUS_OK;
}

/* The extent of all rows. */
static Status measure(const Call *call, Extent *whole)
{
    Value *const *parts = call->args;
    for (size_t r = 0; r < call->at->rows; parts += call->at->row_counts[r], r++) {
        Extent row = {0};
        if (measure_row(call, parts, call->at->row_counts[r], &row))
            return STATUS_ERROR;
        if (!row.any)
            continue;
        bool fits = !whole->any || row.cols == whole->cols;
        bool vanishes = !fits && is_empty_vector(row.rows, row.cols);
        if (!fits && is_empty_vector(whole->rows, whole->cols))
            *whole = (Extent){0};
        if (vanishes)
            continue;
        if (whole->any && row.cols != whole->cols)
            return error_at(call->error, call->at->source, call->at->mark,
                            "vertical dimensions mismatch (%zux%zu vs %zux%zu)", whole->rows,
                            whole->cols, row.rows, row.cols);
        whole->cols = row.cols;
        whole->cols_name = whole->cols_name ? whole->cols_name : row.cols_name;
        whole->rows_name = whole->any ? NULL : row.rows_name;
        whole->rows += row.rows;
        whole->any = true;
    }
    return STATUS_OK;
}

static void copy_part(double *to, size_t stride, const Matrix *part)
{
    for (size_t i = 0; i < part->rows && part->cols; i++)
        memcpy(to + i * stride, matrix_row(part, i), part->cols * sizeof *to);
}

Status concat_values(const Call *call)
{
    Extent whole = {0};
    if (measure(call, &whole) || interp_check_size(call, (double)whole.rows, (double)whole.cols) ||
        interp_charge(call, (double)whole.rows * (double)whole.cols))
        return STATUS_ERROR;
    Matrix *m = matrix_new(whole.rows, whole.cols);
    bool logical = call->count > 0;
    Value *const *parts = call->args;
    size_t top = 0;
    for (size_t r = 0; r < call->at->rows; parts += call->at->row_counts[r], r++) {
        size_t left = 0, height = 0;
        for (size_t i = 0; i < call->at->row_counts[r]; i++) {
            const Matrix *part = value_matrix(parts[i]);
            logical = logical && parts[i]->logical;
            if (matrix_count(part) == 0)
                continue;
            copy_part(matrix_fill(m) + top * whole.cols + left, whole.cols, part);
            left += part->cols;
            height = part->rows;
        }
        top += height;
    }
    Value *v = value_new(m);
    v->logical = logical;
    value_name_rows(v, whole.rows_name);
    value_name_cols(v, whole.cols_name);
    if (call->count == 1)
        v->number = poly_ref(call->args[0]->number);
    *call->out = v;
    return STATUS_OK;
}
