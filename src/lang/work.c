/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/work.h"

/* The operand at k if it is a matrix, or NULL. */
static const Value *operand(const Value *v, size_t k)
{
    const Origin *origin = v->origin;
    return k < origin->count && origin->operands[k]->kind == VALUE_MATRIX ? origin->operands[k]
                                                                          : NULL;
}

static bool scalar_operand(const Value *v, size_t k)
{
    return operand(v, k) != NULL && value_is_scalar(operand(v, k));
}

/* Of two dimensions that agree, the one with a name. */
static Dim named(Dim a, Dim b)
{
    return a.name != NULL ? a : b;
}

static CostFigure times3(Dim a, Dim b, Dim c)
{
    return amount_times(amount_times(amount_dim(a), amount_dim(b)), amount_dim(c));
}

/* (m,k)(k,n): m k n.  A single number times a matrix: one a cell. */
static void work_product(const Value *v, Work *work)
{
    const Value *a = operand(v, 0), *b = operand(v, 1);
    if (a->cols.n == b->rows.n)
        amount_set(&work->multiply_adds, times3(a->rows, named(a->cols, b->rows), b->cols));
    else
        amount_set(&work->multiply_adds, amount_cells(v));
}

/* Squares are products; any other power counts as an elementary function. */
static void work_power(const Value *v, Work *work)
{
    bool square = scalar_operand(v, 1) && value_number(operand(v, 1)) == 2.0;
    amount_set(square ? &work->multiply_adds : &work->exponentials, amount_cells(v));
}

/* How many pairs of tokens attention looks at: n², causal (or with a window as long as the
 * text) n(n+1)/2, and with a window of w tokens nw - w(w-1)/2. */
static CostFigure attention_pairs(const Value *v, Dim n)
{
    const Origin *origin = v->origin;
    const Value *option = origin->count > 3 ? origin->operands[3] : NULL;
    CostFigure pairs = amount_times(amount_dim(n), amount_dim(n));
    if (option == NULL)
        return pairs;
    double w = option->kind == VALUE_MATRIX && value_is_scalar(option) ? value_number(option) : 0;
    if (option->kind == VALUE_TEXT || w >= (double)n.n) {
        amount_add(&pairs, amount_dim(n));
        return amount_scale(pairs, 0.5);
    }
    if (!(w >= 1))
        return pairs;
    amount_clear(&pairs);
    CostFigure row = amount_dim(n); /* n + 1/2 - w/2 */
    amount_add(&row, amount_number(0.5));
    amount_add(&row, amount_scale(amount_of(w, poly_ref(option->number)), -0.5));
    return amount_times(amount_of(w, poly_ref(option->number)), row);
}

/* softmax_attention(Q, K, V[, 'causal' | w]): pairs (d_k + d_v) and an exponential a pair. */
static void work_softmax_attention(const Value *v, Work *work)
{
    const Value *Q = operand(v, 0), *V = operand(v, 2);
    CostFigure width = amount_dim(Q->cols);
    amount_add(&width, amount_dim(V->cols));
    amount_set(&work->exponentials, attention_pairs(v, Q->rows));
    amount_set(&work->multiply_adds, amount_times(attention_pairs(v, Q->rows), width));
}

/* The width f of phi(K) and whether phi takes exponentials; false if phi is no operation. */
static bool feature_width(const Value *phi, Dim d, CostFigure *width, bool *exponential)
{
    const Op *op = phi->kind == VALUE_FUNCTION ? phi->function->op : NULL;
    *width = amount_dim(d);
    *exponential = op != NULL && (op->id == OP_ELU1 || op->id == OP_EXP);
    if (op != NULL && op->id == OP_QUADRATIC) {
        amount_add(width, amount_number(1));
        *width = amount_scale(amount_times(*width, amount_dim(d)), 0.5);
    }
    return op != NULL;
}

/* linear_attention(phi, Q, K, V, …): phi(K)'*V and phi(Q)*(…): 2 n f d_v; phi(Q)*z: n f. */
static void work_linear_attention(const Value *v, Work *work)
{
    const Value *Q = operand(v, 1), *V = operand(v, 3);
    CostFigure width, products = amount_scale(amount_dim(V->cols), 2);
    bool exponential;
    work->opaque = !feature_width(v->origin->operands[0], Q->cols, &width, &exponential);
    amount_add(&products, amount_number(1));
    amount_set(&work->multiply_adds,
               amount_times(amount_times(amount_dim(Q->rows), width), products));
    if (exponential)
        amount_set(&work->exponentials,
                   amount_scale(amount_times(amount_dim(Q->rows), amount_dim(Q->cols)), 2));
}

/* Whole layers, each with as many matrix operands as it names. */
static void work_layer(const Value *v, Work *work)
{
    const Value *a = operand(v, 0), *b = operand(v, 1), *c = operand(v, 2);
    switch (v->origin->op->cost) {
    case COST_FAVOR: /* X (n,d), W (m,d) */
        amount_set(&work->multiply_adds, times3(a->rows, named(a->cols, b->cols), b->rows));
        amount_set(&work->exponentials, amount_times(amount_dim(a->rows), amount_dim(b->rows)));
        break;
    case COST_SOFTMAX_ATTENTION:
        work_softmax_attention(v, work);
        break;
    case COST_LINEAR_ATTENTION:
        work_linear_attention(v, work);
        break;
    case COST_DELTA: /* Q, K (n,d_k), V (n,d_v) */
        amount_set(&work->multiply_adds, amount_scale(times3(a->rows, a->cols, c->cols), 3));
        break;
    default: /* COST_SCAN: x, delta (n,c), A (c,N) */
        amount_set(&work->multiply_adds, amount_scale(times3(a->rows, a->cols, c->cols), 3));
        amount_set(&work->exponentials, times3(a->rows, a->cols, c->cols));
        break;
    }
}

/* Divisions and powers are opaque only where they are those of matrices. */
static void work_opaque(const Value *v, Work *work)
{
    OpId id = v->origin->op->id;
    if ((id == OP_RIGHT_DIVIDE && scalar_operand(v, 1)) ||
        (id == OP_LEFT_DIVIDE && scalar_operand(v, 0)))
        amount_set(&work->multiply_adds, amount_cells(v));
    else if (id == OP_MATRIX_POWER && scalar_operand(v, 0) && scalar_operand(v, 1))
        work_power(v, work);
    else
        work->opaque = true;
}

/* True if the first count operands, from first on, are matrices. */
static bool has_operands(const Value *v, size_t first, size_t count)
{
    for (size_t k = first; k < count; k++)
        if (operand(v, k) == NULL)
            return false;
    return true;
}

static bool operands_fit(const Value *v)
{
    switch (v->origin->op->cost) {
    case COST_PRODUCT:
    case COST_FAVOR:
        return has_operands(v, 0, 2);
    case COST_SOFTMAX_ATTENTION:
    case COST_DELTA:
    case COST_SCAN:
        return has_operands(v, 0, 3);
    case COST_LINEAR_ATTENTION:
        return has_operands(v, 1, 4);
    default:
        return true;
    }
}

Work work_of(const Value *v)
{
    Work work = {amount_number(0), amount_number(0), false};
    const Op *op = v->origin->op;
    /* What a measure does it does a cell of its argument, not of its one result. */
    bool measure = op->id == OP_DOT || op->id == OP_RELATIVE_ERROR || op->id == OP_ENTROPY;
    const Value *cells = measure && operand(v, 0) != NULL ? operand(v, 0) : v;
    if (!operands_fit(v)) {
        work.opaque = true;
        return work;
    }
    switch (op->cost) {
    case COST_FREE:
    case COST_CELLS:
    case COST_REDUCE:
        break;
    case COST_MULTIPLY:
    case COST_QUADRATIC:
        amount_set(&work.multiply_adds, amount_cells(cells));
        break;
    case COST_EXP:
        if (op->id == OP_POWER)
            work_power(v, &work);
        else
            amount_set(&work.exponentials, amount_cells(cells));
        break;
    case COST_SOFTMAX:
        amount_set(&work.multiply_adds, amount_cells(v));
        amount_set(&work.exponentials, amount_cells(v));
        break;
    case COST_PRODUCT:
        work_product(v, &work);
        break;
    case COST_OPAQUE:
        work_opaque(v, &work);
        break;
    default:
        work_layer(v, &work);
        break;
    }
    return work;
}
