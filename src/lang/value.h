/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value: what an expression is worth, and where it came from.
 *
 * A Value is immutable once it is shared, and reference-counted; it owns a
 * reference to its matrix and to its Origin's operands.  Chains of origins are as
 * long as a lesson's loops, so freeing uses a work list, never recursion. */
#ifndef LANG_VALUE_H
#define LANG_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/matrix.h"
#include "lang/expr.h"
#include "lang/op.h"
#include "lang/poly.h"

/* A size and what it is called: 6, "n".  name NULL: only the number is known. */
typedef struct {
    size_t n;
    Poly *name; /* owned by the Value that holds the Dim */
} Dim;

/* The dimension with its name as a polynomial, a constant if it has none; a new
 * reference. */
Poly *dim_poly(Dim dim);

typedef struct Value Value;
typedef struct Function Function;

/* One running `for`, shared by the origins of what was computed in it. */
typedef struct Loop {
    size_t refs;
    const Stmt *stmt;
    Dim trips; /* how often its body runs */
    struct Loop *parent;
} Loop;

/* A run of stmt over the columns of range, inside parent (or NULL), to which it takes a
 * reference. */
Loop *loop_new(const Stmt *stmt, const Value *range, Loop *parent);
Loop *loop_ref(Loop *loop);
void loop_unref(Loop *loop);

/* Which operation made a value, of what. */
typedef struct Origin {
    const Op *op;
    const Expr *at;   /* the source text; NULL for what no expression made (a parameter) */
    Loop *loop;       /* the innermost running loop, or NULL */
    uint64_t serial;  /* values are numbered in the order they are made, from 1 */
    char *note;       /* OP_LOAD: the file; OP_PARAMETER: the name; else NULL */
    size_t count;
    Value *operands[]; /* owned references; a bare ':' is a VALUE_COLON */
} Origin;

typedef enum { VALUE_MATRIX, VALUE_TEXT, VALUE_FUNCTION, VALUE_COLON } ValueKind;

struct Value {
    size_t refs;
    ValueKind kind;
    bool logical;
    Dim rows, cols;
    Matrix *matrix;     /* VALUE_MATRIX; read it through value_matrix */
    Poly *number;       /* a 1x1 value that is a polynomial in parameters, or NULL */
    char *text;         /* VALUE_TEXT */
    Function *function; /* VALUE_FUNCTION */
    Origin *origin;     /* NULL where values are made without origins */
    const Stmt *bound;  /* the first assignment that bound it to a name, or NULL */
};

/* A name and what it stands for. */
typedef struct {
    char *name;
    Value *value;
} Binding;

/* What @exp or @(x) x + 1 is: an operation, or a body with what it captured. */
struct Function {
    size_t refs;
    const Op *op;       /* @name, or NULL */
    const Expr *expr;   /* EXPR_FUNCTION, or NULL */
    Binding *captured;  /* by value, when the handle was made */
    size_t captured_count;
};

/* A value that takes over the reference to m; dimensions without names. */
Value *value_new(Matrix *m);
Value *value_scalar(double x);
Value *value_logical(Matrix *m); /* value_new, marked as logical */
Value *value_text(const char *text);
Value *value_colon(void);
Value *value_function_op(const Op *op);
/* Takes over the captured array (and its names and values). */
Value *value_function_expr(const Expr *expr, Binding *captured, size_t count);

/* A new value with the content of v (its matrix is shared) and no origin. */
Value *value_share(const Value *v);

/* One more reference / one less (NULL is allowed for unref). */
Value *value_ref(const Value *v);
void value_unref(const Value *v);

/* The one door to a value's numbers; v must be VALUE_MATRIX.  Borrowed. */
const Matrix *value_matrix(const Value *v);
bool value_is_scalar(const Value *v);
/* The entry of a 1x1 value. */
double value_number(const Value *v);

/* Names the dimensions of a value that nobody else holds yet (poly NULL: no name). */
void value_name_rows(Value *v, const Poly *name);
void value_name_cols(Value *v, const Poly *name);

/* Gives v (unshared, without one) an origin that holds new references to the
 * operands. */
void value_set_origin(Value *v, const Op *op, const Expr *at, Loop *loop, Value *const *operands,
                      size_t count);

/* True if v is an input: it has no origin, or its operation is one that computes
 * nothing (a literal, a random call, a load, a parameter: EXPLAIN_INPUT). */
bool value_is_input(const Value *v);

/* Bytes of the heap that all values now alive take, with their matrices, origins, polynomials,
 * texts and functions, and the loops they were made in. */
size_t value_live_bytes(void);

/* "3x4", as Octave's messages write it. */
void value_add_size(Str *out, const Value *v);

#endif
