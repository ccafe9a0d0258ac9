/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lang/parser.h"

/* --- memory: everything belongs to the Code --------------------------------- */

void *parser_own(Parser *p, void *block)
{
    Code *code = p->code;
    MEMORY_GROW(code->owned, code->owned_count, code->owned_room);
    code->owned[code->owned_count++] = block;
    return block;
}

void *parser_own_array(Parser *p, const void *items, size_t count, size_t size)
{
    void *copy = memory_zeros(count, size);
    if (count)
        memcpy(copy, items, count * size);
    return parser_own(p, copy);
}

char *parser_own_text(Parser *p, const char *text)
{
    return parser_own(p, memory_copy_text(text));
}

/* --- tokens ------------------------------------------------------------------ */

const Token *parser_peek(const Parser *p)
{
    return &p->tokens.items[p->at];
}

const Token *parser_peek_next(const Parser *p)
{
    return parser_peek(p)->kind == TOKEN_END_OF_TEXT ? parser_peek(p) : &p->tokens.items[p->at + 1];
}

bool parser_at(const Parser *p, const char *spelling)
{
    return token_is(parser_peek(p), spelling);
}

static bool accept(Parser *p, const char *spelling)
{
    if (!parser_at(p, spelling))
        return false;
    p->at++;
    return true;
}

Status parser_unexpected(Parser *p, const char *wanted)
{
    static const char *const foreign[] = {"**", "++", "--"};
    const Token *token = parser_peek(p);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (token_is(token, foreign[i]))
            return error_at(p->error, p->source, token->span, "'%s' is not part of this language",
                            foreign[i]);
    if (token->kind == TOKEN_END_OF_TEXT)
        return error_at(p->error, p->source, token->span,
                        "parse error: %s expected, the text ends here", wanted);
    if (token->kind == TOKEN_NEWLINE || token->kind == TOKEN_SEMICOLON)
        return error_at(p->error, p->source, token->span,
                        "parse error: %s expected, the %s ends here", wanted,
                        token->kind == TOKEN_NEWLINE ? "line" : "statement");
    Str shown = {0};
    text_add_visible(&shown, p->source->text + token->span.start,
                     token->span.end - token->span.start);
    error_at(p->error, p->source, token->span, "parse error: %s expected, found '%s'", wanted,
             str_text(&shown));
    str_clear(&shown);
    return STATUS_ERROR;
}

Status parser_expect(Parser *p, const char *spelling)
{
    if (accept(p, spelling))
        return STATUS_OK;
    char wanted[32] = "'"; /* spellings are our own, at most 12 bytes */
    strncat(wanted, spelling, 20);
    strcat(wanted, "'");
    return parser_unexpected(p, wanted);
}

Status parser_refuse(Parser *p, Span span, const char *what)
{
    return error_at(p->error, p->source, span, "%s not part of this language", what);
}

Status parser_enter(Parser *p)
{
    if (p->depth == CODE_MAX_NESTING)
        return error_at(p->error, p->source, parser_peek(p)->span, "nested too deeply (limit %d)",
                        CODE_MAX_NESTING);
    p->depth++;
    return STATUS_OK;
}

void parser_leave(Parser *p)
{
    assert(p->depth > 0);
    p->depth--;
}

static Status open_bracket(Parser *p)
{
    p->brackets++;
    return parser_enter(p);
}

static void close_bracket(Parser *p)
{
    p->brackets--;
    parser_leave(p);
}

/* --- nodes ------------------------------------------------------------------- */

Expr *parser_new_expr(Parser *p, ExprKind kind, Span span, Span mark)
{
    Expr *e = parser_own(p, memory_zeros(1, sizeof *e));
    e->kind = kind;
    e->source = p->source;
    e->span = span;
    e->mark = mark;
    e->height = 1;
    return e;
}

static Status set_args(Parser *p, Expr *e, Expr *const *args, size_t count)
{
    e->args = parser_own_array(p, args, count, sizeof *args);
    e->count = count;
    for (size_t i = 0; i < count; i++)
        if (args[i]->height >= e->height)
            e->height = args[i]->height + 1;
    if (e->height > CODE_MAX_HEIGHT)
        return error_at(p->error, p->source, e->mark, "nested too deeply (limit %d operators)",
                        CODE_MAX_HEIGHT);
    return STATUS_OK;
}

static Status new_operator(Parser *p, OpId op, Span mark, Expr *const *args, size_t count,
                           Span span, Expr **out)
{
    *out = parser_new_expr(p, EXPR_OPERATOR, span, mark);
    (*out)->op = op;
    return set_args(p, *out, args, count);
}

Status parser_new_binary(Parser *p, ExprKind kind, OpId op, Span mark, Expr *left, Expr *right,
                         Expr **out)
{
    Expr *args[] = {left, right};
    *out = parser_new_expr(p, kind, (Span){left->span.start, right->span.end}, mark);
    (*out)->op = op;
    return set_args(p, *out, args, 2);
}

void parser_list_add(ExprList *list, Expr *e)
{
    MEMORY_GROW(list->items, list->count, list->room);
    list->items[list->count++] = e;
}

/* --- expressions ------------------------------------------------------------- */

static const OpSpelling compare_ops[] = {
    {"==", OP_EQUAL},  {"!=", OP_NOT_EQUAL},  {"~=", OP_NOT_EQUAL},     {"<", OP_LESS},
    {">", OP_GREATER}, {"<=", OP_LESS_EQUAL}, {">=", OP_GREATER_EQUAL}, {NULL, OP_COUNT}};
static const OpSpelling sum_ops[] = {{"+", OP_ADD}, {"-", OP_SUBTRACT}, {NULL, OP_COUNT}};
static const OpSpelling product_ops[] = {{"*", OP_MULTIPLY},     {".*", OP_TIMES},
                                         {"/", OP_RIGHT_DIVIDE}, {"./", OP_DIVIDE},
                                         {"\\", OP_LEFT_DIVIDE}, {NULL, OP_COUNT}};
static const OpSpelling prefix_ops[] = {
    {"-", OP_NEGATE}, {"+", OP_PLUS_SIGN}, {"!", OP_NOT}, {"~", OP_NOT}, {NULL, OP_COUNT}};
static const OpSpelling power_ops[] = {{"^", OP_MATRIX_POWER}, {".^", OP_POWER}, {NULL, OP_COUNT}};

static OpId find_op(const Parser *p, const OpSpelling *ops)
{
    for (; ops->spelling; ops++)
        if (parser_at(p, ops->spelling))
            return ops->op;
    return OP_COUNT;
}

/* arguments -> "(" [ (":" | expr) { "," (":" | expr) } ] ")" */
static Status parse_arguments(Parser *p, ExprList *args, Span *whole)
{
    whole->start = parser_peek(p)->span.start;
    if (parser_expect(p, "(") || open_bracket(p))
        return STATUS_ERROR;
    while (!parser_at(p, ")")) {
        Expr *arg = NULL;
        const Token *next = parser_peek_next(p);
        if (parser_at(p, ":") && (token_is(next, ")") || next->kind == TOKEN_COMMA)) {
            arg = parser_new_expr(p, EXPR_COLON, parser_peek(p)->span, parser_peek(p)->span);
            p->at++;
        } else if (parser_expr(p, &arg)) {
            return STATUS_ERROR;
        }
        parser_list_add(args, arg);
        if (parser_at(p, ")"))
            break;
        if (parser_peek(p)->kind != TOKEN_COMMA)
            return parser_unexpected(p, "',' or ')'");
        p->at++;
        if (parser_at(p, ")"))
            return parser_unexpected(p, "an argument");
    }
    close_bracket(p);
    whole->end = parser_peek(p)->span.end;
    p->at++;
    return STATUS_OK;
}

/* index -> primary { arguments } */
Status parser_index_of(Parser *p, Expr *base, Expr **out)
{
    ExprList list = {0};
    parser_list_add(&list, base);
    Span span = {0, 0};
    Status status = parse_arguments(p, &list, &span);
    if (status == STATUS_OK) {
        *out = parser_new_expr(p, EXPR_INDEX, (Span){base->span.start, span.end}, base->span);
        status = set_args(p, *out, list.items, list.count);
    }
    free(list.items);
    return status;
}

/* matrix -> "[" [ row { ";" row } ] "]" ;  row -> [ expr { "," expr } ] */
static Status parse_matrix(Parser *p, Expr **out)
{
    Span open = parser_peek(p)->span;
    if (open_bracket(p))
        return STATUS_ERROR;
    p->at++;
    ExprList list = {0};
    size_t *counts = NULL, rows = 0, room = 0, in_row = 0;
    Status status = STATUS_OK;
    while (status == STATUS_OK) {
        const Token *token = parser_peek(p);
        bool row_ends = token->kind == TOKEN_SEMICOLON || token_is(token, "]");
        if (row_ends && in_row > 0) {
            MEMORY_GROW(counts, rows, room);
            counts[rows++] = in_row;
            in_row = 0;
        }
        if (token_is(token, "]"))
            break;
        if (row_ends) {
            p->at++;
        } else if (token->kind == TOKEN_COMMA) {
            if (in_row == 0 || p->tokens.items[p->at - 1].kind == TOKEN_COMMA)
                status = parser_unexpected(p, "an element");
            p->at++;
        } else {
            Expr *element = NULL;
            status = parser_expr(p, &element);
            if (status)
                break;
            parser_list_add(&list, element);
            in_row++;
            const Token *next = parser_peek(p);
            if (next->kind != TOKEN_COMMA && next->kind != TOKEN_SEMICOLON && !token_is(next, "]"))
                status = parser_unexpected(p, "',', ';' or ']'");
        }
    }
    if (status == STATUS_OK) {
        *out = parser_new_expr(p, EXPR_MATRIX, (Span){open.start, parser_peek(p)->span.end}, open);
        (*out)->row_counts = parser_own_array(p, counts, rows, sizeof *counts);
        (*out)->rows = rows;
        status = set_args(p, *out, list.items, list.count);
        p->at++;
        close_bracket(p);
    }
    free(list.items);
    free(counts);
    return status;
}

/* handle -> "@" NAME | "@" "(" [ NAME { "," NAME } ] ")" expr */
static Status parse_handle(Parser *p, Expr **out)
{
    Span at = parser_peek(p)->span;
    p->at++;
    if (parser_peek(p)->kind == TOKEN_NAME) {
        *out = parser_new_expr(p, EXPR_HANDLE, (Span){at.start, parser_peek(p)->span.end},
                               parser_peek(p)->span);
        (*out)->text = parser_own_text(p, parser_peek(p)->text);
        p->at++;
        return STATUS_OK;
    }
    if (!parser_at(p, "("))
        return parser_unexpected(p, "a function's name or '(' after '@'");
    p->at++;
    char **names = NULL;
    size_t count = 0, room = 0;
    while (count > 0 || !parser_at(p, ")")) {
        if (parser_peek(p)->kind != TOKEN_NAME) {
            free(names);
            return parser_unexpected(p, "a parameter's name");
        }
        MEMORY_GROW(names, count, room);
        names[count++] = parser_own_text(p, parser_peek(p)->text);
        p->at++;
        if (parser_at(p, ")"))
            break;
        if (parser_peek(p)->kind != TOKEN_COMMA) {
            free(names);
            return parser_unexpected(p, "',' or ')'");
        }
        p->at++;
    }
    p->at++;
    char **kept = parser_own_array(p, names, count, sizeof *names);
    free(names);
    Expr *body = NULL;
    if (parser_enter(p) || parser_expr(p, &body))
        return STATUS_ERROR;
    parser_leave(p);
    *out = parser_new_expr(p, EXPR_FUNCTION, (Span){at.start, body->span.end}, at);
    (*out)->names = kept;
    (*out)->name_count = count;
    return set_args(p, *out, &body, 1);
}

/* parenthesis -> "(" expr ")" */
static Status parse_parenthesis(Parser *p, Expr **out)
{
    Span open = parser_peek(p)->span;
    if (open_bracket(p))
        return STATUS_ERROR;
    p->at++;
    Expr *inner = NULL;
    if (parser_expr(p, &inner))
        return STATUS_ERROR;
    if (parser_at(p, "="))
        return error_at(p->error, p->source, parser_peek(p)->span,
                        "an assignment cannot be part of an expression");
    Span close = parser_peek(p)->span;
    if (parser_expect(p, ")"))
        return STATUS_ERROR;
    close_bracket(p);
    /* the brackets belong to the text of the expression */
    *out = inner;
    inner->span = (Span){open.start, close.end};
    return STATUS_OK;
}

/* primary -> NUMBER | TEXT | NAME | "end" | parenthesis | matrix | handle */
static Status parse_primary(Parser *p, Expr **out)
{
    const Token *token = parser_peek(p);
    Span span = token->span;
    switch (token->kind) {
    case TOKEN_NUMBER:
        *out = parser_new_expr(p, EXPR_NUMBER, span, span);
        (*out)->number = token->number;
        p->at++;
        return STATUS_OK;
    case TOKEN_TEXT:
        *out = parser_new_expr(p, EXPR_TEXT, span, span);
        (*out)->text = parser_own_text(p, token->text);
        p->at++;
        return STATUS_OK;
    case TOKEN_NAME:
        *out = parser_new_expr(p, EXPR_NAME, span, span);
        (*out)->text = parser_own_text(p, token->text);
        p->at++;
        if (parser_at(p, "{"))
            return parser_refuse(p, parser_peek(p)->span, "cells {} are");
        if (parser_at(p, "."))
            return parser_refuse(p, parser_peek(p)->span, "fields a.b are");
        return STATUS_OK;
    default:
        break;
    }
    if (token_is(token, "end") && p->brackets > 0) {
        *out = parser_new_expr(p, EXPR_END, span, span);
        p->at++;
        return STATUS_OK;
    }
    if (token_is(token, "("))
        return parse_parenthesis(p, out);
    if (token_is(token, "["))
        return parse_matrix(p, out);
    if (token_is(token, "@"))
        return parse_handle(p, out);
    if (token_is(token, "{"))
        return parser_refuse(p, span, "cells {} are");
    return parser_unexpected(p, "an expression");
}

/* A '(' directly after an operand indexes or calls it. */
static Status parse_indexed(Parser *p, Expr **out)
{
    if (parse_primary(p, out))
        return STATUS_ERROR;
    while (parser_at(p, "("))
        if (parser_index_of(p, *out, out))
            return STATUS_ERROR;
    return STATUS_OK;
}

/* exponent -> { "+" | "-" | "!" | "~" } indexed */
static Status parse_exponent(Parser *p, Expr **out)
{
    OpId op = find_op(p, prefix_ops);
    if (op == OP_COUNT)
        return parse_indexed(p, out);
    Span mark = parser_peek(p)->span;
    if (parser_enter(p))
        return STATUS_ERROR;
    p->at++;
    Expr *operand = NULL;
    if (parse_exponent(p, &operand))
        return STATUS_ERROR;
    parser_leave(p);
    return new_operator(p, op, mark, &operand, 1, (Span){mark.start, operand->span.end}, out);
}

/* power -> indexed { "'" | ".'" | arguments | ("^" | ".^") exponent } */
static Status parse_power(Parser *p, Expr **out)
{
    if (parse_indexed(p, out))
        return STATUS_ERROR;
    for (;;) {
        Span mark = parser_peek(p)->span;
        OpId op = find_op(p, power_ops);
        if (op != OP_COUNT) {
            p->at++;
            Expr *exponent = NULL;
            if (parse_exponent(p, &exponent) ||
                parser_new_binary(p, EXPR_OPERATOR, op, mark, *out, exponent, out))
                return STATUS_ERROR;
        } else if (parser_at(p, "'") || parser_at(p, ".'")) {
            p->at++;
            Expr *operand = *out;
            if (new_operator(p, OP_TRANSPOSE, mark, &operand, 1,
                             (Span){operand->span.start, mark.end}, out))
                return STATUS_ERROR;
        } else if (parser_at(p, "(")) {
            if (parser_index_of(p, *out, out))
                return STATUS_ERROR;
        } else {
            return STATUS_OK;
        }
    }
}

/* unary -> ("-" | "+" | "!" | "~") unary | power */
static Status parse_unary(Parser *p, Expr **out)
{
    OpId op = find_op(p, prefix_ops);
    if (op == OP_COUNT)
        return parse_power(p, out);
    Span mark = parser_peek(p)->span;
    if (parser_enter(p))
        return STATUS_ERROR;
    p->at++;
    Expr *operand = NULL;
    if (parse_unary(p, &operand))
        return STATUS_ERROR;
    parser_leave(p);
    return new_operator(p, op, mark, &operand, 1, (Span){mark.start, operand->span.end}, out);
}

/* A left-associative level: operand { op operand }. */
static Status parse_level(Parser *p, const OpSpelling *ops, Status (*operand)(Parser *, Expr **),
                          Expr **out)
{
    if (operand(p, out))
        return STATUS_ERROR;
    OpId op;
    while ((op = find_op(p, ops)) != OP_COUNT) {
        Span mark = parser_peek(p)->span;
        p->at++;
        Expr *right = NULL;
        if (operand(p, &right) || parser_new_binary(p, EXPR_OPERATOR, op, mark, *out, right, out))
            return STATUS_ERROR;
    }
    return STATUS_OK;
}

/* product -> unary { ("*" | ".*" | "/" | "./" | "\") unary } */
static Status parse_product(Parser *p, Expr **out)
{
    return parse_level(p, product_ops, parse_unary, out);
}

/* sum -> product { ("+" | "-") product } */
static Status parse_sum(Parser *p, Expr **out)
{
    return parse_level(p, sum_ops, parse_product, out);
}

/* range -> sum [ ":" sum [ ":" sum ] ] */
static Status parse_range(Parser *p, Expr **out)
{
    Expr *parts[3] = {NULL};
    if (parse_sum(p, &parts[0]))
        return STATUS_ERROR;
    *out = parts[0];
    size_t count = 1;
    Span mark = parser_peek(p)->span;
    while (count < 3 && parser_at(p, ":")) {
        const Token *next = parser_peek_next(p);
        if (token_is(next, ")") || next->kind == TOKEN_COMMA)
            break;
        p->at++;
        if (parse_sum(p, &parts[count++]))
            return STATUS_ERROR;
    }
    if (count == 1)
        return STATUS_OK;
    return new_operator(p, OP_RANGE, mark, parts, count,
                        (Span){parts[0]->span.start, parts[count - 1]->span.end}, out);
}

/* comparison -> range { ("==" | "!=" | "~=" | "<" | ">" | "<=" | ">=") range } */
static Status parse_comparison(Parser *p, Expr **out)
{
    return parse_level(p, compare_ops, parse_range, out);
}

/* element_and -> comparison { "&" comparison } */
static Status parse_element_and(Parser *p, Expr **out)
{
    static const OpSpelling ops[] = {{"&", OP_AND}, {NULL, OP_COUNT}};
    return parse_level(p, ops, parse_comparison, out);
}

/* element_or -> element_and { "|" element_and } */
static Status parse_element_or(Parser *p, Expr **out)
{
    static const OpSpelling ops[] = {{"|", OP_OR}, {NULL, OP_COUNT}};
    return parse_level(p, ops, parse_element_and, out);
}

/* A short-circuit level: operand { spelling operand }. */
static Status parse_short_circuit(Parser *p, const char *spelling, ExprKind kind,
                                  Status (*operand)(Parser *, Expr **), Expr **out)
{
    if (operand(p, out))
        return STATUS_ERROR;
    while (parser_at(p, spelling)) {
        Span mark = parser_peek(p)->span;
        p->at++;
        Expr *right = NULL;
        if (operand(p, &right) || parser_new_binary(p, kind, OP_COUNT, mark, *out, right, out))
            return STATUS_ERROR;
    }
    return STATUS_OK;
}

/* and -> element_or { "&&" element_or } */
static Status parse_and(Parser *p, Expr **out)
{
    return parse_short_circuit(p, "&&", EXPR_AND, parse_element_or, out);
}

/* expr -> and { "||" and } */
Status parser_expr(Parser *p, Expr **out)
{
    return parse_short_circuit(p, "||", EXPR_OR, parse_and, out);
}
