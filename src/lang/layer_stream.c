/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/layer_stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/fast_delta.h"
#include "core/fast_linear.h"
#include "lang/layer.h"
#include "lang/services.h"

/* A part of the call: fed by the caller, or (a rate) known as a whole. */
typedef struct {
    const Expr *at;    /* its argument, NULL: the call has no such part */
    const char *input; /* what is fed, or NULL */
    Matrix *whole;     /* a rate that is not fed: (1,1), or one number a token */
} Part;

struct LayerStream {
    OpId op;
    const Expr *call, *phi_at; /* phi_at NULL: a delta rule */
    Part parts[STREAM_PARTS];
    Interp *interp;
    Value *phi;
    FastMap map;
    bool mapped; /* phi is no map of the fast forms: applied here */
    FastLinear *linear;
    FastDelta *delta;
    size_t f, d_v; /* known with the first block */
    bool begun;
    size_t fed; /* tokens */
};

static const char *const part_names[STREAM_PARTS] = {"Q", "K", "V", "alpha", "beta", "gamma"};

/* Where each layer has its parts, in the order of its arguments from 1 on. */
typedef struct {
    OpId op;
    size_t least, most; /* arguments */
    int parts[6];       /* a StreamPart, PHI or CAUSAL */
} Shape;

enum { PHI = STREAM_PARTS, CAUSAL };

static const Shape shapes[] = {
    {OP_LINEAR_ATTENTION, 5, 6, {PHI, STREAM_Q, STREAM_K, STREAM_V, CAUSAL, STREAM_GAMMA}},
    {OP_DELTA_RULE, 4, 4, {STREAM_Q, STREAM_K, STREAM_V, STREAM_BETA}},
    {OP_GATED_DELTA_RULE, 5, 5, {STREAM_Q, STREAM_K, STREAM_V, STREAM_ALPHA, STREAM_BETA}},
};

const char *layer_stream_part_name(StreamPart part)
{
    return part_names[part];
}

const char *layer_stream_input(const LayerStream *s, StreamPart part)
{
    return s->parts[part].input;
}

/* --- the statement -------------------------------------------------------------------- */

#define STREAM_TAKES                                                                   \
    "--stream takes one call of linear_attention(phi,Q,K,V,'causal'[,gamma]), "        \
    "delta_rule(Q,K,V,beta) or gated_delta_rule(Q,K,V,alpha,beta)"

static Status refuse(const Expr *at, const char *why, Error *error)
{
    return error_at(error, at->source, at->mark, "%s%s" STREAM_TAKES, why, *why ? ": " : "");
}

/* The layer that is called, or an error that says why it cannot be fed. */
static Status find_shape(const Expr *call, const Shape **out, Error *error)
{
    if (call->kind != EXPR_INDEX || call->args[0]->kind != EXPR_NAME)
        return refuse(call, "", error);
    const Op *op = op_find(call->args[0]->text);
    for (size_t i = 0; op && i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].op == op->id)
            *out = &shapes[i];
    if (*out && call->count - 1 >= (*out)->least && call->count - 1 <= (*out)->most)
        return STATUS_OK;
    if (*out && (*out)->op == OP_LINEAR_ATTENTION && call->count - 1 == 4)
        return refuse(call, "without 'causal' every query needs every key", error);
    if (*out)
        return error_at(error, call->source, call->mark, "Invalid call to %s", op->name);
    if (op && op->id == OP_SOFTMAX_ATTENTION)
        return refuse(call, "softmax needs every key again for each query", error);
    return refuse(call, "", error);
}

/* A use of name in e, not as the parameter of a function; recursion is bounded by
 * CODE_MAX_HEIGHT. */
static const Expr *find_use(const Expr *e, const char *name)
{
    if (e->kind == EXPR_NAME && strcmp(e->text, name) == 0)
        return e;
    for (size_t i = 0; e->kind == EXPR_FUNCTION && i < e->name_count; i++)
        if (strcmp(e->names[i], name) == 0)
            return NULL;
    for (size_t i = 0; i < e->count; i++) {
        const Expr *use = find_use(e->args[i], name);
        if (use)
            return use;
    }
    return NULL;
}

/* What is fed cannot be part of an expression as well. */
static Status check_expression(const LayerStream *s, const Expr *e, Error *error)
{
    for (size_t i = 0; i < STREAM_PARTS; i++) {
        const char *input = s->parts[i].input;
        const Expr *use = input ? find_use(e, input) : NULL;
        if (use)
            return error_at(error, use->source, use->mark,
                            "%s is read row by row: it can only stand alone, as %s", input,
                            part_names[i]);
    }
    return STATUS_OK;
}

static Status check_causal(const Expr *at, Error *error)
{
    if (at->kind == EXPR_TEXT && strcmp(at->text, "causal") == 0)
        return STATUS_OK;
    return error_at(error, at->source, at->mark, "'causal' is expected here");
}

static Status check_expressions(const LayerStream *s, Error *error)
{
    if (s->phi_at && check_expression(s, s->phi_at, error) != STATUS_OK)
        return STATUS_ERROR;
    for (size_t i = 0; i < STREAM_PARTS; i++) {
        const Part *part = &s->parts[i];
        if (!part->at || part->input)
            continue;
        if (i <= STREAM_V)
            return error_at(error, part->at->source, part->at->mark,
                            "%s must be a name that --load gives, to be read row by row",
                            part_names[i]);
        if (check_expression(s, part->at, error) != STATUS_OK)
            return STATUS_ERROR;
    }
    return STATUS_OK;
}

/* Sorts the arguments of the call. */
static Status take_arguments(LayerStream *s, const Shape *shape,
                             bool (*is_input)(void *, const char *), void *context, Error *error)
{
    for (size_t i = 1; i < s->call->count; i++) {
        const Expr *at = s->call->args[i];
        int place = shape->parts[i - 1];
        if (place == CAUSAL && check_causal(at, error) != STATUS_OK)
            return STATUS_ERROR;
        if (place == PHI)
            s->phi_at = at;
        if (place >= STREAM_PARTS)
            continue;
        bool fed = at->kind == EXPR_NAME && is_input(context, at->text);
        s->parts[place] = (Part){.at = at, .input = fed ? at->text : NULL};
    }
    return check_expressions(s, error);
}

Status layer_stream_new(const Code *code, bool (*is_input)(void *context, const char *name),
                        void *context, LayerStream **out, Error *error)
{
    const Body *body = &code->body;
    const Stmt *stmt = body->items[body->count > 1 ? 1 : 0];
    const Shape *shape = NULL;
    if (body->count > 1 || stmt->kind != STMT_EXPR)
        return error_at(error, stmt->source, stmt->span, STREAM_TAKES);
    if (find_shape(stmt->value, &shape, error) != STATUS_OK)
        return STATUS_ERROR;
    LayerStream *s = memory_zeros(1, sizeof *s);
    s->op = shape->op;
    s->call = stmt->value;
    *out = s;
    Status status = take_arguments(s, shape, is_input, context, error);
    if (status == STATUS_OK)
        return STATUS_OK;
    layer_stream_free(s);
    *out = NULL;
    return status;
}

void layer_stream_free(LayerStream *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < STREAM_PARTS; i++)
        matrix_unref(s->parts[i].whole);
    value_unref(s->phi);
    fast_linear_free(s->linear);
    fast_delta_free(s->delta);
    free(s);
}

/* --- what is not fed -------------------------------------------------------------------- */

Status layer_stream_set_rate(LayerStream *s, StreamPart part, const Matrix *rate, Error *error)
{
    Part *p = &s->parts[part];
    if (rate->rows != 1 && rate->cols != 1)
        return error_at(error, p->at->source, p->at->mark,
                        "%s must be one number, or one a token (it is %zux%zu)", part_names[part],
                        rate->rows, rate->cols);
    matrix_unref(p->whole);
    p->whole = matrix_ref(rate);
    p->input = NULL;
    return STATUS_OK;
}

static Status eval_rate(LayerStream *s, StreamPart part, Error *error)
{
    Value *v;
    const Expr *at = s->parts[part].at;
    if (interp_eval(s->interp, at, &v, error) != STATUS_OK)
        return STATUS_ERROR;
    Status status = v->kind == VALUE_MATRIX
                        ? layer_stream_set_rate(s, part, value_matrix(v), error)
                        : error_at(error, at->source, at->mark, "%s must be a number",
                                   part_names[part]);
    value_unref(v);
    return status;
}

Status layer_stream_begin(LayerStream *s, Interp *interp, Error *error)
{
    s->interp = interp;
    if (s->phi_at) {
        if (interp_eval(interp, s->phi_at, &s->phi, error) != STATUS_OK)
            return STATUS_ERROR;
        if (s->phi->kind != VALUE_FUNCTION)
            return error_at(error, s->phi_at->source, s->phi_at->mark,
                            "phi must be a function such as @elu1");
        s->mapped = !layer_fast_map(s->phi, &s->map);
    }
    for (StreamPart i = STREAM_ALPHA; i < STREAM_PARTS; i++)
        if (s->parts[i].at && !s->parts[i].input && eval_rate(s, i, error) != STATUS_OK)
            return STATUS_ERROR;
    return STATUS_OK;
}

/* --- feature maps ------------------------------------------------------------------------ */

static Status call_phi(LayerStream *s, const Matrix *x, Matrix **out, Error *error)
{
    Value *argument = value_new(matrix_ref(x)), *v;
    Status status = interp_call(s->interp, s->phi, s->phi_at, &argument, 1, &v, error);
    value_unref(argument);
    if (status != STATUS_OK)
        return status;
    if (v->kind != VALUE_MATRIX || v->rows.n != x->rows)
        status = error_at(error, s->phi_at->source, s->phi_at->mark,
                          "phi must give a matrix with as many rows as it gets");
    else
        *out = matrix_ref(value_matrix(v));
    value_unref(v);
    return status;
}

/* True if the last row of phi is the same when phi gets the last two rows of x alone: what it
 * must be, since where a block begins is no business of phi's. */
static Status check_rows(LayerStream *s, const Matrix *x, const Matrix *phi, Error *error)
{
    if (x->rows < 3)
        return STATUS_OK;
    Matrix *last, *two = matrix_from(2, x->cols, matrix_row(x, x->rows - 2));
    Status status = call_phi(s, two, &last, error);
    matrix_unref(two);
    if (status != STATUS_OK)
        return status;
    Matrix *alone = last->cols ? matrix_from(1, last->cols, matrix_row(last, 1)) : NULL;
    Matrix *among = phi->cols ? matrix_from(1, phi->cols, matrix_row(phi, phi->rows - 1)) : NULL;
    if (alone && among && !matrix_same(alone, among))
        status = error_at(error, s->phi_at->source, s->phi_at->mark,
                          "phi must map each row by itself: here a row depends on others, or on "
                          "its place");
    matrix_unref(alone);
    matrix_unref(among);
    matrix_unref(last);
    return status;
}

/* phi of x where the interpreter applies it, else x; a new reference. */
static Status map_block(LayerStream *s, const Matrix *x, Matrix **out, Error *error)
{
    *out = NULL;
    if (!s->mapped) {
        *out = matrix_ref(x);
        return STATUS_OK;
    }
    if (call_phi(s, x, out, error) == STATUS_OK && check_rows(s, x, *out, error) == STATUS_OK)
        return STATUS_OK;
    matrix_unref(*out);
    *out = NULL;
    return STATUS_ERROR;
}

/* --- feeding -------------------------------------------------------------------------------- */

static Status refuse_columns(const LayerStream *s, const char *a, size_t m, const char *b, size_t n,
                             Error *error)
{
    return error_at(error, s->call->source, s->call->mark,
                    "%s: nonconformant arguments (%s has %zu column%s, %s has %zu)",
                    op_get(s->op)->name, a, m, m == 1 ? "" : "s", b, n);
}

/* The layer of the first block's columns; later blocks must have the same. */
static Status begin_layer(LayerStream *s, const Matrix *q, const Matrix *k, const Matrix *v,
                          Error *error)
{
    const char *Q = s->mapped ? "phi(Q)" : "Q", *K = s->mapped ? "phi(K)" : "K";
    if (q->cols != k->cols)
        return refuse_columns(s, Q, q->cols, K, k->cols, error);
    if (s->begun && k->cols != s->f)
        return refuse_columns(s, K, k->cols, "the block before", s->f, error);
    if (s->begun)
        return STATUS_OK;
    if (!matrix_fits(k->cols, v->cols, MATRIX_MAX_CELLS))
        return error_at(error, s->call->source, s->call->mark, "too large: a state of %zu x %zu",
                        k->cols, v->cols);
    s->begun = true;
    s->f = k->cols;
    s->d_v = v->cols;
    FastLinearShape linear = {.f = s->f, .d_v = s->d_v, .map = s->map, .normalised = true};
    FastDeltaShape delta = {.d_k = s->f, .d_v = s->d_v};
    if (s->op == OP_LINEAR_ATTENTION)
        s->linear = fast_linear_new(&linear, NULL, NULL);
    else
        s->delta = fast_delta_new(&delta, NULL);
    return STATUS_OK;
}

/* The rate of the next n tokens, or *out NULL where the layer has none; *owned is to be freed. */
static Status next_rate(const LayerStream *s, StreamPart part, const Matrix *block, size_t n,
                        const double **out, double **owned, Error *error)
{
    const Part *p = &s->parts[part];
    *out = *owned = NULL;
    if (!p->at)
        return STATUS_OK;
    if (p->input) {
        *out = block->cells;
        if (block->cols == 1)
            return STATUS_OK;
        return error_at(error, p->at->source, p->at->mark,
                        "%s must be one number, or one a token (%s has %zu columns)",
                        part_names[part], p->input, block->cols);
    }
    size_t count = matrix_count(p->whole);
    if (count == 1) {
        *out = *owned = memory_alloc(n * sizeof **owned);
        for (size_t t = 0; t < n; t++)
            (*owned)[t] = p->whole->cells[0];
        return STATUS_OK;
    }
    *out = p->whole->cells + s->fed;
    if (count - s->fed >= n)
        return STATUS_OK;
    return error_at(error, p->at->source, p->at->mark,
                    "%s has %zu numbers, but there are more tokens", part_names[part], count);
}

/* The rows of the block through the layer, with the rates it has. */
static Status run_block(LayerStream *s, const Matrix *const blocks[STREAM_PARTS], const Matrix *q,
                        const Matrix *k, Pool *pool, Matrix **Y, Error *error)
{
    const Matrix *v = blocks[STREAM_V];
    const double *rates[STREAM_PARTS] = {0};
    double *owned[STREAM_PARTS] = {0};
    Status status = begin_layer(s, q, k, v, error);
    for (StreamPart i = STREAM_ALPHA; i < STREAM_PARTS && status == STATUS_OK; i++)
        status = next_rate(s, i, blocks[i], v->rows, &rates[i], &owned[i], error);
    if (status == STATUS_OK) {
        *Y = matrix_new(v->rows, v->cols);
        if (s->linear)
            fast_linear_feed(s->linear, v->rows, q->cells, k->cells, v->cells, rates[STREAM_GAMMA],
                             matrix_fill(*Y), NULL, pool);
        else
            fast_delta_feed(s->delta, v->rows, q->cells, k->cells, v->cells, rates[STREAM_BETA],
                            rates[STREAM_ALPHA], matrix_fill(*Y), pool);
        s->fed += v->rows;
    }
    for (size_t i = 0; i < STREAM_PARTS; i++)
        free(owned[i]);
    return status;
}

Status layer_stream_feed(LayerStream *s, const Matrix *const blocks[STREAM_PARTS], Pool *pool,
                         Matrix **Y, Error *error)
{
    const Matrix *Q = blocks[STREAM_Q], *K = blocks[STREAM_K];
    Matrix *q, *k;
    if (Q->cols != K->cols)
        return refuse_columns(s, "Q", Q->cols, "K", K->cols, error);
    if (map_block(s, Q, &q, error) != STATUS_OK)
        return STATUS_ERROR;
    Status status = map_block(s, K, &k, error);
    if (status == STATUS_OK)
        status = run_block(s, blocks, q, k, pool, Y, error);
    matrix_unref(q);
    matrix_unref(k);
    return status;
}

Status layer_stream_check(const LayerStream *s, size_t tokens, Error *error)
{
    for (size_t i = STREAM_ALPHA; i < STREAM_PARTS; i++) {
        const Part *p = &s->parts[i];
        size_t count = p->whole ? matrix_count(p->whole) : 1;
        if (count != 1 && count != tokens)
            return error_at(error, p->at->source, p->at->mark,
                            "%s has %zu numbers, but there are %zu tokens", part_names[i], count,
                            tokens);
    }
    return STATUS_OK;
}
