/* SPDX-License-Identifier: GPL-3.0-or-later */
/* op: the table of operations.  One row of ops.def is one operation: its
 * identifier, its name in the language, how many arguments it takes, its kernel,
 * how its cost is counted, how a cell of its result is explained, and its help.
 *
 * A new operation is one row there, a kernel, and a test. */
#ifndef LANG_OP_H
#define LANG_OP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct Value;
struct Expr;
struct Interp;

typedef enum {
#define OP(id, ...) OP_##id,
#define SYNTAX(id, ...) OP_##id,
#include "lang/ops.def"
#undef OP
#undef SYNTAX
    OP_COUNT
} OpId;

/* How the multiply-adds and exponentials of a result are counted (cost.c). */
typedef enum {
    COST_FREE,      /* moves or names numbers: transpose, index, reshape, input */
    COST_CELLS,     /* one operation a cell of the result, not a multiply-add: + - compare abs */
    COST_MULTIPLY,  /* one multiplication a cell of the result: .* ./ */
    COST_EXP,       /* one exponential (or other elementary function) a cell of the result */
    COST_PRODUCT,   /* (m,k)(k,n): m k n */
    COST_REDUCE,    /* one addition a cell of the argument */
    COST_SOFTMAX,   /* one exponential a cell, one division a cell */
    COST_QUADRATIC, /* one multiplication a cell of the result */
    COST_FAVOR,     /* X (n,d), W (m,d): n m d multiply-adds and n m exponentials */
    COST_SOFTMAX_ATTENTION, /* n² d_k + n² d_v multiply-adds, n² exponentials */
    COST_LINEAR_ATTENTION,  /* n f d_v twice, n f for the normaliser */
    COST_DELTA,             /* read, write and query: 3 n d_k d_v */
    COST_SCAN,              /* 3 n c N multiply-adds, n c N exponentials */
    COST_OPAQUE             /* not counted: decompositions; said so */
} CostRule;

/* How one cell of a result is explained (explain.c). */
typedef enum {
    EXPLAIN_INPUT,    /* a literal, a draw, a load, a parameter: there is nothing behind it */
    EXPLAIN_UNARY,    /* -A, !A: one cell of one operand */
    EXPLAIN_BINARY,   /* A + B with broadcasting: one cell of each operand */
    EXPLAIN_DOT,      /* A * B: a row times a column */
    EXPLAIN_CELLWISE, /* f(A): exp, sqrt, elu1: one cell */
    EXPLAIN_TRANSPOSE,
    EXPLAIN_INDEX,     /* A(i, j): a cell of A */
    EXPLAIN_SET_INDEX, /* A(i, j) = B: a cell of B, or of the A before */
    EXPLAIN_CONCAT,    /* [A, B; C]: a cell of one of them */
    EXPLAIN_RANGE,     /* base:step:limit */
    EXPLAIN_REDUCE,    /* sum, mean, prod, max, min, any, all, norm over a row, column or all */
    EXPLAIN_RUNNING,   /* cumsum, cumprod */
    EXPLAIN_MOVE,    /* reshape, repmat, circshift, diag, tril, triu, kron, sort: from which cell */
    EXPLAIN_SOFTMAX, /* exp(s - max) / sum */
    EXPLAIN_ROW,     /* a function of one row: entropy, l2rows, rope, quadratic, favor */
    EXPLAIN_OPAQUE   /* names its operands and the formula */
} ExplainRule;

/* One call of an operation.  The kernel checks shapes (messages follow Octave's
 * wording), and stores a new value in *out, with its dimensions named; it does not
 * set the origin.  Errors point at call->at->mark unless said otherwise. */
typedef struct Call {
    struct Interp *interp;
    const struct Op *op;
    const struct Expr *at;
    struct Value *const *args; /* borrowed */
    size_t count;
    struct Value **out;
    Error *error;
} Call;

typedef Status Kernel(const Call *call);

/* The kernels, declared from the table itself: arith.c has the operators, index.c
 * indexing; the functions stand by theme in make.c, cellwise.c, reduce.c, norm.c,
 * rearrange.c, field.c and layer.c. */
#define OP(id, name, min, max, kernel, ...) Kernel kernel;
#define SYNTAX(id, ...)
#include "lang/ops.def"
#undef OP
#undef SYNTAX

typedef struct Op {
    OpId id;
    const char *name;          /* "*", "softmax" */
    size_t min_args, max_args; /* max_args OP_UNBOUNDED: no upper bound */
    Kernel *kernel;            /* NULL: handled by the evaluator itself */
    CostRule cost;
    ExplainRule explain;
    const char *help; /* with shapes */
} Op;

enum { OP_UNBOUNDED = 1000000 };

/* The row of id. */
const Op *op_get(OpId id);

/* The function of that name, or NULL.  Operators are not found by name. */
const Op *op_find(const char *name);

/* True for well-known functions of Octave that this language leaves out: a
 * message then says so instead of "undefined". */
bool op_is_foreign(const char *name);

#endif
