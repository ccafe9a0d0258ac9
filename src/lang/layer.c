/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/layer.h"

#include <math.h>
#include <string.h>

#include "core/delta.h"
#include "core/fast_delta.h"
#include "core/fast_linear.h"
#include "core/fast_softmax.h"
#include "core/linear.h"
#include "core/scan.h"
#include "core/softmax.h"
#include "lang/kernel.h"

/* A matrix and what messages call it. */
typedef struct {
    const char *name;
    const Matrix *m;
} Named;

static Status nonconformant(const Call *call, Named a, Named b)
{
    return kernel_error(call, "nonconformant arguments (%s is %zux%zu, %s is %zux%zu)", a.name,
                        a.m->rows, a.m->cols, b.name, b.m->rows, b.m->cols);
}

/* Q (n,d_k), K (m,d_k), V (m,d_v); m is n if each query stands beside its key. */
static Status check_heads(const Call *call, Named Q, Named K, Named V, bool aligned)
{
    if (Q.m->cols != K.m->cols || (aligned && Q.m->rows != K.m->rows))
        return nonconformant(call, Q, K);
    if (K.m->rows != V.m->rows)
        return nonconformant(call, K, V);
    return STATUS_OK;
}

/* Gives Y, named by the rows of argument q and the columns of argument v. */
static Status give_output(const Call *call, Matrix *Y, size_t q, size_t v)
{
    return kernel_give_matrix(call, Y, call->args[q], call->args[v]);
}

/* --- softmax attention ---------------------------------------------------------- */

/* The fourth argument. */
static Status read_mask(const Call *call, size_t n, SoftmaxMask *mask, size_t *w)
{
    *mask = SOFTMAX_FULL;
    *w = 0;
    if (call->count < 4)
        return STATUS_OK;
    const Value *v = call->args[3];
    if (v->kind == VALUE_TEXT) {
        *mask = SOFTMAX_CAUSAL;
        if (strcmp(v->text, "causal") != 0)
            return kernel_error(call, "unknown option '%s'", v->text);
        return STATUS_OK;
    }
    *mask = SOFTMAX_WINDOW;
    return kernel_width(call, 3, n, w);
}

/* The (n,m) scores exist step by step only. */
static Status check_scores(const Call *call, const Matrix *Q, const Matrix *K)
{
    Pool *pool;
    if (interp_is_fast(call, &pool))
        return STATUS_OK;
    return interp_check_size(call, (double)Q->rows, (double)K->rows);
}

Status op_softmax_attention(const Call *call)
{
    const Matrix *Q, *K, *V;
    SoftmaxMask mask;
    size_t w;
    Pool *pool;
    if (kernel_matrix(call, 0, &Q) != STATUS_OK || kernel_matrix(call, 1, &K) != STATUS_OK ||
        kernel_matrix(call, 2, &V) != STATUS_OK ||
        check_heads(call, (Named){"Q", Q}, (Named){"K", K}, (Named){"V", V}, false) != STATUS_OK ||
        read_mask(call, Q->rows, &mask, &w) != STATUS_OK ||
        check_scores(call, Q, K) != STATUS_OK ||
        interp_check_size(call, (double)Q->rows, (double)V->cols) != STATUS_OK ||
        interp_charge(call, (double)Q->rows * (double)K->rows *
                                (double)(K->cols + V->cols + WORK_EXPONENTIAL)) != STATUS_OK)
        return STATUS_ERROR;
    if (!interp_is_fast(call, &pool))
        return give_output(call, softmax_attention(Q, K, V, mask, w), 0, 2);
    double scale = 1 / sqrt((double)Q->cols);
    return give_output(call, fast_softmax_attention(Q, K, V, mask, w, scale, pool), 0, 2);
}

/* --- rates ------------------------------------------------------------------------ */

/* Argument i, one number or one for each of the n tokens of Q, as core/ wants it: (1,1) or
 * (n,1); a new reference. */
static Status read_rate(const Call *call, size_t i, const char *name, const Matrix *Q, Matrix **out)
{
    const Matrix *rate;
    if (kernel_matrix(call, i, &rate) != STATUS_OK)
        return STATUS_ERROR;
    if (matrix_count(rate) == 1 || (rate->cols == 1 && rate->rows == Q->rows)) {
        *out = matrix_ref(rate);
        return STATUS_OK;
    }
    if (rate->rows != 1 || rate->cols != Q->rows)
        return nonconformant(call, (Named){name, rate}, (Named){"Q", Q});
    *out = matrix_from(rate->cols, 1, rate->cells);
    return STATUS_OK;
}

/* --- linear attention ---------------------------------------------------------------- */

/* phi of argument i, which has to keep its rows; a new reference. */
static Status map_features(const Call *call, size_t i, const char *name, Value **out)
{
    const Matrix *x;
    if (kernel_matrix(call, i, &x) != STATUS_OK ||
        interp_call(call->interp, call->args[0], call->at, &call->args[i], 1, out, call->error) !=
            STATUS_OK)
        return STATUS_ERROR;
    const Value *v = *out;
    Status status = STATUS_OK;
    if (v->kind != VALUE_MATRIX)
        status = kernel_error(call, "phi(%s) must be a matrix", name);
    else if (v->rows.n != x->rows)
        status = kernel_error(call,
                              "phi(%s) must have as many rows as %s (%s is %zux%zu, phi(%s) "
                              "is %zux%zu)",
                              name, name, name, x->rows, x->cols, name, v->rows.n, v->cols.n);
    if (status != STATUS_OK)
        value_unref(v);
    return status;
}

/* The fifth argument: 'causal' and nothing else. */
static Status read_causal(const Call *call, bool *causal)
{
    const char *text;
    *causal = call->count > 4;
    if (!*causal)
        return STATUS_OK;
    if (kernel_text(call, 4, &text) != STATUS_OK)
        return STATUS_ERROR;
    if (strcmp(text, "causal") != 0)
        return kernel_error(call, "unknown option '%s'", text);
    return STATUS_OK;
}

/* The layer on what phi made of Q and K, or on Q and K themselves, which map maps. */
static Status run_linear(const Call *call, const Matrix *phiQ, const Matrix *phiK, FastMap map,
                         bool causal)
{
    const Matrix *Q = value_matrix(call->args[1]), *V;
    Matrix *gamma = NULL;
    Pool *pool;
    if (kernel_matrix(call, 3, &V) != STATUS_OK ||
        check_heads(call, (Named){"phi(Q)", phiQ}, (Named){"phi(K)", phiK}, (Named){"V", V},
                    causal) != STATUS_OK ||
        interp_check_size(call, (double)phiK->cols, (double)V->cols) != STATUS_OK ||
        interp_check_size(call, (double)Q->rows, (double)V->cols) != STATUS_OK ||
        interp_charge(call, (double)(Q->rows + V->rows) * (double)phiK->cols *
                                (double)(V->cols + 1)) != STATUS_OK)
        return STATUS_ERROR;
    if (call->count > 5 && read_rate(call, 5, "gamma", Q, &gamma) != STATUS_OK)
        return STATUS_ERROR;
    LinearInput in = {.phiQ = phiQ, .phiK = phiK, .V = V, .decay = gamma, .normalised = true};
    LinearResult r;
    if (interp_is_fast(call, &pool))
        r = causal ? fast_linear_layer(&in, map, 0, pool) : fast_linear_full(&in, map, pool);
    else
        r = causal ? linear_recurrent(&in) : linear_full(&in);
    give_output(call, matrix_ref(r.Y), 1, 3);
    linear_result_clear(&r);
    matrix_unref(gamma);
    return STATUS_OK;
}

bool layer_fast_map(const Value *phi, FastMap *map)
{
    const Op *op = phi->function->op;
    if (!op)
        return false;
    switch (op->id) {
    case OP_IDENTITY:
        *map = FAST_IDENTITY;
        return true;
    case OP_ELU1:
        *map = FAST_ELU1;
        return true;
    case OP_RELU:
        *map = FAST_RELU;
        return true;
    case OP_EXP:
        *map = FAST_EXP;
        return true;
    default:
        return false;
    }
}

/* phi applied before the layer runs. */
static Status run_mapped(const Call *call, bool causal)
{
    Value *phiQ, *phiK;
    if (map_features(call, 1, "Q", &phiQ) != STATUS_OK)
        return STATUS_ERROR;
    Status status = map_features(call, 2, "K", &phiK);
    if (status == STATUS_OK) {
        status = run_linear(call, value_matrix(phiQ), value_matrix(phiK), FAST_IDENTITY, causal);
        value_unref(phiK);
    }
    value_unref(phiQ);
    return status;
}

Status op_linear_attention(const Call *call)
{
    bool causal;
    FastMap map;
    Pool *pool;
    const Matrix *Q, *K;
    if (call->args[0]->kind != VALUE_FUNCTION)
        return kernel_error(call, "argument 1 must be a function such as @elu1");
    if (read_causal(call, &causal) != STATUS_OK)
        return STATUS_ERROR;
    if (!interp_is_fast(call, &pool) || !layer_fast_map(call->args[0], &map))
        return run_mapped(call, causal);
    if (kernel_matrix(call, 1, &Q) != STATUS_OK || kernel_matrix(call, 2, &K) != STATUS_OK)
        return STATUS_ERROR;
    return run_linear(call, Q, K, map, causal);
}

/* --- delta rules ------------------------------------------------------------------------ */

/* The rule on arguments 0 to 2, with rates that are given back. */
static Status run_delta(const Call *call, Matrix *alpha, Matrix *beta)
{
    DeltaInput in = {.Q = value_matrix(call->args[0]),
                     .K = value_matrix(call->args[1]),
                     .V = value_matrix(call->args[2]),
                     .beta = beta,
                     .alpha = alpha};
    Pool *pool;
    DeltaResult r = interp_is_fast(call, &pool) ? fast_delta_layer(&in, 0, pool)
                                                : delta_recurrent(&in);
    give_output(call, matrix_ref(r.Y), 0, 2);
    delta_result_clear(&r);
    matrix_unref(alpha);
    matrix_unref(beta);
    return STATUS_OK;
}

static Status check_delta(const Call *call)
{
    const Matrix *Q, *K, *V;
    if (kernel_matrix(call, 0, &Q) != STATUS_OK || kernel_matrix(call, 1, &K) != STATUS_OK ||
        kernel_matrix(call, 2, &V) != STATUS_OK ||
        check_heads(call, (Named){"Q", Q}, (Named){"K", K}, (Named){"V", V}, true) != STATUS_OK)
        return STATUS_ERROR;
    if (interp_check_size(call, (double)K->cols, (double)V->cols) != STATUS_OK)
        return STATUS_ERROR;
    return interp_charge(call, 3.0 * (double)matrix_count(K) * (double)V->cols);
}

Status op_delta_rule(const Call *call)
{
    Matrix *beta;
    if (check_delta(call) != STATUS_OK ||
        read_rate(call, 3, "beta", value_matrix(call->args[0]), &beta) != STATUS_OK)
        return STATUS_ERROR;
    return run_delta(call, NULL, beta);
}

Status op_gated_delta_rule(const Call *call)
{
    Matrix *alpha, *beta;
    if (check_delta(call) != STATUS_OK ||
        read_rate(call, 3, "alpha", value_matrix(call->args[0]), &alpha) != STATUS_OK)
        return STATUS_ERROR;
    if (read_rate(call, 4, "beta", value_matrix(call->args[0]), &beta) != STATUS_OK) {
        matrix_unref(alpha);
        return STATUS_ERROR;
    }
    return run_delta(call, alpha, beta);
}

/* --- selective scan ---------------------------------------------------------------------- */

Status op_selective_scan(const Call *call)
{
    const Matrix *m[5];
    if (kernel_matrices(call, m) != STATUS_OK)
        return STATUS_ERROR;
    Named x = {"x", m[0]}, delta = {"delta", m[1]}, A = {"A", m[2]}, B = {"B", m[3]},
          C = {"C", m[4]};
    if (x.m->rows != delta.m->rows || x.m->cols != delta.m->cols)
        return nonconformant(call, x, delta);
    if (x.m->cols != A.m->rows)
        return nonconformant(call, x, A);
    if (x.m->rows != B.m->rows)
        return nonconformant(call, x, B);
    if (A.m->cols != B.m->cols)
        return nonconformant(call, A, B);
    if (B.m->rows != C.m->rows || B.m->cols != C.m->cols)
        return nonconformant(call, B, C);
    if (interp_charge(call, WORK_EXPONENTIAL * (double)matrix_count(x.m) * (double)A.m->cols) !=
        STATUS_OK)
        return STATUS_ERROR;
    ScanInput in = {.x = x.m, .delta = delta.m, .A = A.m, .B = B.m, .C = C.m, .rule = SCAN_EULER};
    ScanResult r = scan_selective(&in);
    give_output(call, matrix_ref(r.Y), 0, 0);
    scan_result_clear(&r);
    return STATUS_OK;
}
