/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr: the syntax tree of the Octave subset.
 *
 * A Code owns every node of one parsed text and is freed as a whole (no
 * recursion).  Nodes are immutable after parsing and point into the Source they
 * came from; Values made by running a Code point at its nodes (their origin), so
 * the Code and the Source must outlive the Values. */
#ifndef LANG_EXPR_H
#define LANG_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/source.h"
#include "base/str.h"
#include "lang/op.h"

typedef enum {
    EXPR_NUMBER,   /* number */
    EXPR_TEXT,     /* text: a string literal, unescaped */
    EXPR_NAME,     /* text: a variable, or a function called without arguments */
    EXPR_COLON,    /* the bare ':' of A(:, j) */
    EXPR_END,      /* 'end' inside an index */
    EXPR_OPERATOR, /* op applied to args: unary, binary, transpose, range (2 or 3) */
    EXPR_AND,      /* args[0] && args[1], short-circuit */
    EXPR_OR,       /* args[0] || args[1] */
    EXPR_INDEX,    /* args[0] is indexed by, or called with, args[1..]; args[0] may be a name */
    EXPR_MATRIX,   /* [ ... ]: args row by row; row_counts */
    EXPR_HANDLE,   /* @text */
    EXPR_FUNCTION  /* @(names) args[0] */
} ExprKind;

typedef struct Expr Expr;
struct Expr {
    ExprKind kind;
    OpId op; /* EXPR_OPERATOR */
    bool in_place; /* the x + y of `x += y` */
    const Source *source;
    Span span; /* the whole expression, brackets included */
    Span mark; /* where an error points: the operator, the name, the first character */
    double number;
    char *text;
    Expr **args;
    size_t count;
    size_t *row_counts; /* EXPR_MATRIX: elements in each of the rows */
    size_t rows;
    char **names; /* EXPR_FUNCTION: its parameters */
    size_t name_count;
    size_t height; /* 1 for a leaf; at most CODE_MAX_HEIGHT */
};

typedef enum {
    STMT_EXPR,     /* value */
    STMT_ASSIGN,   /* name = value, or name(index...) = value */
    STMT_FOR,      /* for name = value, bodies[0] */
    STMT_WHILE,    /* while conditions[0], bodies[0] */
    STMT_IF        /* conditions[i] -> bodies[i]; one more body than conditions: else */
} StmtKind;

typedef struct Stmt Stmt;

typedef struct {
    Stmt **items;
    size_t count;
} Body;

struct Stmt {
    StmtKind kind;
    const Source *source;
    Span span;  /* without the final ; or newline */
    char *name; /* STMT_ASSIGN, STMT_FOR */
    Span name_span;
    Expr *target; /* STMT_ASSIGN to name(index…): the EXPR_INDEX on the left, else NULL */
    Span equals; /* the '=' (or '+=' …) of an assignment */
    Expr *value; /* `x += y` is stored as x = x + y */
    bool silent; /* a ';' follows */
    Expr **conditions;
    size_t condition_count;
    Body *bodies;
    size_t body_count;
};

/* Brackets and prefix operators may nest this deep; a tree may be this high;
 * statements may nest this deep. */
enum { CODE_MAX_NESTING = 64, CODE_MAX_HEIGHT = 256 };

typedef struct Code {
    const Source *source;
    Body body;   /* of code_parse */
    Expr *expr;  /* of code_parse_expr */
    void **owned; /* every allocation of the tree */
    size_t owned_count, owned_room;
} Code;

void code_free(Code *code);

/* Appends the text of the expression as it stands in its source, blanks and line
 * ends inside it squeezed to one blank. */
void expr_add_text(Str *out, const Expr *expr);

/* The same for the whole statement (headers only for `for`, `while`, `if`). */
void stmt_add_text(Str *out, const Stmt *stmt);

#endif
