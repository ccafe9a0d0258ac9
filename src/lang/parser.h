/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parser: what the two halves of the parser share (parse_expr.c: expressions,
 * parse.c: statements and the entry points).  Private to them. */
#ifndef LANG_PARSER_H
#define LANG_PARSER_H

#include "lang/parse.h"
#include "lang/token.h"

typedef struct {
    const Source *source;
    TokenList tokens;
    size_t at;
    Code *code;
    size_t depth;    /* of recursion: brackets, prefix operators, statements */
    size_t brackets; /* open here: 'end' is an index, not a keyword */
    Error *error;
} Parser;

/* Children collected before their number is known. */
typedef struct {
    Expr **items;
    size_t count, room;
} ExprList;


typedef struct {
    const char *spelling;
    OpId op;
} OpSpelling;

/* A block, or a copy of an array or a text, that belongs to the Code. */
void *parser_own(Parser *p, void *block);
void *parser_own_array(Parser *p, const void *items, size_t count, size_t size);
char *parser_own_text(Parser *p, const char *text);

/* The token at hand, and the one after it. */
const Token *parser_peek(const Parser *p);
const Token *parser_peek_next(const Parser *p);
bool parser_at(const Parser *p, const char *spelling);

/* Steps over the operator or keyword, or fails saying that it is expected. */
Status parser_expect(Parser *p, const char *spelling);

/* "parse error: … expected, found …" and "… not part of this language". */
Status parser_unexpected(Parser *p, const char *wanted);
Status parser_refuse(Parser *p, Span span, const char *what);

/* One level deeper, within CODE_MAX_NESTING, and back. */
Status parser_enter(Parser *p);
void parser_leave(Parser *p);

Expr *parser_new_expr(Parser *p, ExprKind kind, Span span, Span mark);
Status parser_new_binary(Parser *p, ExprKind kind, OpId op, Span mark, Expr *left, Expr *right,
                         Expr **out);
void parser_list_add(ExprList *list, Expr *e);

/* The grammar's entry points into expressions. */
Status parser_expr(Parser *p, Expr **out);
/* base "(" arguments ")" */
Status parser_index_of(Parser *p, Expr *base, Expr **out);

#endif
