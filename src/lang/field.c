/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/field.h"

#include <ctype.h>
#include <math.h>

#include "core/feature.h"
#include "core/measure.h"
#include "core/rope.h"
#include "core/softmax.h"
#include "lang/kernel.h"

/* f of a matrix, (m,n) -> (m,n). */
static Status map(const Call *call, Matrix *(*f)(const Matrix *))
{
    const Matrix *x;
    if (kernel_matrix(call, 0, &x) != STATUS_OK)
        return STATUS_ERROR;
    return kernel_give_matrix(call, f(x), call->args[0], call->args[0]);
}

/* --- masks and softmax -------------------------------------------------------- */

Status op_softmax(const Call *call)
{
    return map(call, softmax_rows);
}

Status op_causal(const Call *call)
{
    return map(call, mask_causal);
}

Status op_window(const Call *call)
{
    const Matrix *S;
    size_t w;
    if (kernel_matrix(call, 0, &S) != STATUS_OK || kernel_width(call, 1, S->rows, &w) != STATUS_OK)
        return STATUS_ERROR;
    return kernel_give_matrix(call, mask_window(S, w), call->args[0], call->args[0]);
}

/* --- feature maps -------------------------------------------------------------- */

Status op_elu1(const Call *call)
{
    return map(call, feature_elu1);
}

Status op_relu(const Call *call)
{
    return map(call, feature_relu);
}

Status op_identity(const Call *call)
{
    if (map(call, feature_identity) != STATUS_OK)
        return STATUS_ERROR;
    (*call->out)->logical = call->args[0]->logical;
    return STATUS_OK;
}

Status op_l2rows(const Call *call)
{
    return map(call, feature_l2rows);
}

Status op_rope(const Call *call)
{
    const Matrix *x;
    if (kernel_matrix(call, 0, &x) != STATUS_OK)
        return STATUS_ERROR;
    if (x->cols % 2 != 0)
        return kernel_error(call, "the number of columns must be even, not %zu", x->cols);
    return map(call, rope_interleaved);
}

/* d(d+1)/2 in the name of the dimension, or NULL. */
static Poly *pairs_name(Dim dim)
{
    Poly *d = dim_poly(dim);
    Poly *square = poly_multiply(d, d);
    Poly *sum = poly_add(square, d);
    Poly *half = poly_scale(sum, 0.5);
    poly_unref(d);
    poly_unref(square);
    poly_unref(sum);
    return half;
}

Status op_quadratic(const Call *call)
{
    const Matrix *x;
    if (kernel_matrix(call, 0, &x) != STATUS_OK)
        return STATUS_ERROR;
    double d = (double)x->cols;
    if (interp_check_size(call, (double)x->rows, d * (d + 1) / 2) != STATUS_OK)
        return STATUS_ERROR;
    Value *v = value_new(feature_quadratic(x));
    kernel_name(v, poly_ref(call->args[0]->rows.name), pairs_name(call->args[0]->cols));
    return kernel_give(call, v);
}

/* The random features of two arguments m and d; lengths are drawn after G. */
static Status draw_features(const Call *call, bool orthogonal)
{
    KernelSize size;
    Matrix *G, *L;
    if (kernel_size(call, 0, "int64_t", &size) != STATUS_OK)
        return STATUS_ERROR;
    if (orthogonal && interp_charge(call, 2.0 * (double)size.rows * (double)size.cols *
                                              (double)size.cols) != STATUS_OK) {
        kernel_size_clear(&size);
        return STATUS_ERROR;
    }
    Status status = interp_draw(call, true, size.rows, size.cols, &G);
    if (status == STATUS_OK && orthogonal) {
        status = interp_draw(call, true, size.rows, size.cols, &L);
        if (status == STATUS_OK) {
            Matrix *W = features_orthogonal(G, L);
            matrix_unref(L);
            matrix_unref(G);
            G = W;
        } else {
            matrix_unref(G);
        }
    }
    if (status == STATUS_OK) {
        Value *v = value_new(G);
        kernel_name(v, poly_ref(size.row_name), poly_ref(size.col_name));
        kernel_give(call, v);
    }
    kernel_size_clear(&size);
    return status;
}

Status op_gaussian_features(const Call *call)
{
    return draw_features(call, false);
}

Status op_orthogonal_features(const Call *call)
{
    return draw_features(call, true);
}

Status op_favor(const Call *call)
{
    const Matrix *m[2];
    if (kernel_matrices(call, m) != STATUS_OK)
        return STATUS_ERROR;
    const Matrix *X = m[0], *W = m[1];
    if (X->cols != W->cols)
        return kernel_error(call, "nonconformant arguments (X is %zux%zu, W is %zux%zu)", X->rows,
                            X->cols, W->rows, W->cols);
    if (interp_check_size(call, (double)X->rows, (double)W->rows) != STATUS_OK ||
        interp_charge(call, (double)matrix_count(X) * (double)W->rows) != STATUS_OK)
        return STATUS_ERROR;
    Value *v = value_new(feature_favor(X, W));
    kernel_name(v, poly_ref(call->args[0]->rows.name), poly_ref(call->args[1]->rows.name));
    return kernel_give(call, v);
}

/* --- measures ------------------------------------------------------------------ */

Status op_entropy(const Call *call)
{
    const Matrix *P;
    if (kernel_matrix(call, 0, &P) != STATUS_OK || kernel_refuse_negative(call, P) != STATUS_OK ||
        interp_charge(call, WORK_FUNCTION * (double)matrix_count(P)) != STATUS_OK)
        return STATUS_ERROR;
    return kernel_give_matrix(call, entropy_rows(P), call->args[0], NULL);
}

Status op_effective_rank(const Call *call)
{
    const Matrix *A;
    if (kernel_matrix(call, 0, &A) != STATUS_OK ||
        interp_charge(call, WORK_DECOMPOSITION * (double)matrix_count(A) *
                                (double)(A->rows + A->cols)) != STATUS_OK)
        return STATUS_ERROR;
    return kernel_give(call, value_scalar(effective_rank(A)));
}

/* Two matrices, called a and b in messages, that do not go together. */
static Status nonconformant(const Call *call, const char *a, const char *b, const Matrix *const m[2])
{
    return kernel_error(call, "nonconformant arguments (%s is %zux%zu, %s is %zux%zu)", a,
                        m[0]->rows, m[0]->cols, b, m[1]->rows, m[1]->cols);
}

Status op_relative_error(const Call *call)
{
    const Matrix *m[2];
    if (kernel_matrices(call, m) != STATUS_OK)
        return STATUS_ERROR;
    if (m[0]->rows != m[1]->rows || m[0]->cols != m[1]->cols)
        return nonconformant(call, "A", "B", m);
    if (interp_charge(call, (double)matrix_count(m[0])) != STATUS_OK)
        return STATUS_ERROR;
    return kernel_give(call, value_scalar(relative_error(m[0], m[1])));
}

/* Every row of got meets every row of values; got may be the first rows alone. */
Status op_recall_rate(const Call *call)
{
    const Matrix *m[2];
    if (kernel_matrices(call, m) != STATUS_OK)
        return STATUS_ERROR;
    if (m[0]->rows > m[1]->rows || m[0]->cols != m[1]->cols)
        return nonconformant(call, "got", "values", m);
    if (interp_charge(call, (double)m[0]->rows * (double)matrix_count(m[1])) != STATUS_OK)
        return STATUS_ERROR;
    return kernel_give(call, value_scalar(recall_rate(m[0], m[1])));
}

Status op_approx(const Call *call)
{
    const Matrix *A, *B;
    double tol;
    if (kernel_matrix(call, 0, &A) != STATUS_OK || kernel_matrix(call, 1, &B) != STATUS_OK ||
        kernel_number(call, 2, &tol) != STATUS_OK ||
        interp_charge(call, (double)matrix_count(A)) != STATUS_OK)
        return STATUS_ERROR;
    bool yes = false;
    if (A->rows == B->rows && A->cols == B->cols) {
        double largest;
        bool same_places;
        double apart = measure_difference(A, B, &largest, &same_places);
        yes = same_places && apart <= tol * fmax(1, largest);
    }
    return kernel_give(call, value_logical(matrix_scalar(yes)));
}

/* --- files and names ------------------------------------------------------------ */

Status op_load_csv(const Call *call)
{
    const char *path;
    Matrix *m;
    if (kernel_text(call, 0, &path) != STATUS_OK || interp_load(call, path, &m) != STATUS_OK)
        return STATUS_ERROR;
    return kernel_give(call, value_new(m));
}

static bool is_identifier(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return *text == '\0';
}

Status op_dims(const Call *call)
{
    const Matrix *a;
    const char *names[2];
    if (kernel_matrix(call, 0, &a) != STATUS_OK)
        return STATUS_ERROR;
    for (size_t i = 0; i < 2; i++) {
        if (kernel_text(call, i + 1, &names[i]) != STATUS_OK)
            return STATUS_ERROR;
        if (!is_identifier(names[i]))
            return kernel_error(call, "'%s' is not a name", names[i]);
    }
    Value *v = value_new(matrix_ref(a));
    v->logical = call->args[0]->logical;
    kernel_name(v, poly_name(names[0]), poly_name(names[1]));
    return kernel_give(call, v);
}
