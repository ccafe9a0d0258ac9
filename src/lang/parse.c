/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/parse.h"

#include <stdlib.h>

#include "base/memory.h"
#include "lang/parser.h"

/* --- statements -------------------------------------------------------------- */

static Status parse_body(Parser *p, const char *const *ends, Body *body);

static Stmt *new_stmt(Parser *p, StmtKind kind, size_t start)
{
    Stmt *s = parser_own(p, memory_zeros(1, sizeof *s));
    s->kind = kind;
    s->source = p->source;
    s->span = (Span){start, start};
    return s;
}

static const struct {
    const char *keyword, *what;
} refused_keywords[] = {
    {"function", "'function' is"},
    {"switch", "'switch' is"},
    {"do", "'do' is"},
    {"try", "'try' is"},
    {"unwind_protect", "'unwind_protect' is"},
    {"global", "'global' is"},
    {"break", "'break' is"},
    {"continue", "'continue' is"},
    {"persistent", "'persistent' is"},
    {"return", "'return' is"},
    {"parfor", "'parfor' is"},
    {"spmd", "'spmd' is"},
    {"classdef", "'classdef' is"},
};

/* The op of `+=` and its kin, or OP_COUNT. */
static OpId assignment_op(const Token *token)
{
    static const OpSpelling ops[] = {
        {"+=", OP_ADD},          {"-=", OP_SUBTRACT}, {"*=", OP_MULTIPLY}, {"/=", OP_RIGHT_DIVIDE},
        {"^=", OP_MATRIX_POWER}, {"|=", OP_OR},       {"&=", OP_AND},      {NULL, OP_COUNT}};
    for (size_t i = 0; ops[i].spelling; i++)
        if (token_is(token, ops[i].spelling))
            return ops[i].op;
    return OP_COUNT;
}

/* The index of the token after the bracket that closes the one at open. */
static size_t after_bracket(const Parser *p, size_t open)
{
    size_t depth = 0;
    for (size_t i = open; i < p->tokens.count; i++) {
        const Token *t = &p->tokens.items[i];
        if (token_is(t, "(") || token_is(t, "["))
            depth++;
        else if ((token_is(t, ")") || token_is(t, "]")) && --depth == 0)
            return i + 1;
    }
    return p->tokens.count - 1;
}

static bool is_assignment(const Token *token)
{
    return token_is(token, "=") || assignment_op(token) != OP_COUNT;
}

/* `x -1` or `hold on`: a name, a blank, and what looks like a word. */
static bool is_command_syntax(const Parser *p)
{
    const Token *name = parser_peek(p), *second = parser_peek_next(p);
    if (name->kind != TOKEN_NAME || !second->space_before)
        return false;
    if (second->kind == TOKEN_NAME || second->kind == TOKEN_NUMBER || second->kind == TOKEN_TEXT)
        return true;
    if (second->kind != TOKEN_OPERATOR || is_assignment(second) || token_is(second, "("))
        return false;
    const Token *third = &p->tokens.items[p->at + 2];
    return third->kind != TOKEN_END_OF_TEXT && third->kind != TOKEN_NEWLINE &&
           third->kind != TOKEN_SEMICOLON && !third->space_before && third->kind != TOKEN_COMMA;
}

/* The value of `name op= value` (or name(index) op= value). */
static Status desugar(Parser *p, Stmt *s, OpId op, Span mark, Expr *target)
{
    if (parser_new_binary(p, EXPR_OPERATOR, op, mark, target, s->value, &s->value))
        return STATUS_ERROR;
    s->value->in_place = target->kind == EXPR_NAME &&
                         (op == OP_ADD || op == OP_SUBTRACT || op == OP_AND || op == OP_OR);
    return STATUS_OK;
}

/* True if token ends the body it stands in, as in `if x, y = 1 end`. */
static bool ends_body(const Token *token)
{
    static const char *const ends[] = {"end", "endfor", "endwhile", "endif", "else", "elseif"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (token_is(token, ends[i]))
            return true;
    return false;
}

static Status expect_statement_end(Parser *p, Stmt *s)
{
    s->span.end = p->tokens.items[p->at - 1].span.end;
    const Token *token = parser_peek(p);
    if (ends_body(token))
        return STATUS_OK;
    switch (token->kind) {
    case TOKEN_SEMICOLON:
        s->silent = true;
        p->at++;
        return STATUS_OK;
    case TOKEN_COMMA:
    case TOKEN_NEWLINE:
        p->at++;
        return STATUS_OK;
    case TOKEN_END_OF_TEXT:
        return STATUS_OK;
    default:
        if (is_assignment(token))
            return error_at(p->error, p->source, token->span,
                            "parse error: only a name or name(index) can be assigned to");
        return parser_unexpected(p, "the end of the statement");
    }
}

/* assignment -> NAME [ arguments ] ("=" | "+=" | …) expr */
static Status parse_assignment(Parser *p, Stmt **out)
{
    const Token *name = parser_peek(p);
    Stmt *s = *out = new_stmt(p, STMT_ASSIGN, name->span.start);
    s->name = parser_own_text(p, name->text);
    s->name_span = name->span;
    Expr *target = parser_new_expr(p, EXPR_NAME, name->span, name->span);
    target->text = s->name;
    p->at++;
    if (parser_at(p, "(")) {
        if (parser_index_of(p, target, &target))
            return STATUS_ERROR;
        s->target = target;
        if (parser_at(p, "("))
            return parser_refuse(p, parser_peek(p)->span, "assigning to a chained index is");
    }
    s->equals = parser_peek(p)->span;
    OpId op = assignment_op(parser_peek(p));
    p->at++;
    if (parser_at(p, "[") && token_is(parser_peek_next(p), "]") && s->target && op == OP_COUNT &&
        (p->tokens.items[p->at + 2].kind == TOKEN_SEMICOLON ||
         p->tokens.items[p->at + 2].kind == TOKEN_NEWLINE ||
         p->tokens.items[p->at + 2].kind == TOKEN_END_OF_TEXT))
        return parser_refuse(p, s->name_span, "deletion A(…) = [] is");
    if (parser_expr(p, &s->value))
        return STATUS_ERROR;
    if (is_assignment(parser_peek(p)))
        return error_at(p->error, p->source, parser_peek(p)->span,
                        "an assignment cannot be part of an expression");
    if (op != OP_COUNT && desugar(p, s, op, s->equals, target))
        return STATUS_ERROR;
    return expect_statement_end(p, s);
}

/* A header's condition or range ends at a line end, a comma or a semicolon. */
static void skip_header_end(Parser *p)
{
    TokenKind kind = parser_peek(p)->kind;
    if (kind == TOKEN_COMMA || kind == TOKEN_SEMICOLON || kind == TOKEN_NEWLINE)
        p->at++;
}

/* Steps over the "end" of a statement with bodies and the separator behind it; there is
 * none where a body around it ends too. */
static Status leave_block(Parser *p)
{
    p->at++;
    const Token *token = parser_peek(p);
    if (token->kind == TOKEN_END_OF_TEXT || ends_body(token))
        return STATUS_OK;
    size_t at = p->at;
    skip_header_end(p);
    return p->at > at ? STATUS_OK : parser_unexpected(p, "the end of the statement");
}

/* for -> "for" [ "(" ] NAME "=" expr [ ")" ] body ("end" | "endfor") */
static Status parse_for(Parser *p, Stmt **out)
{
    static const char *const ends[] = {"end", "endfor", NULL};
    Stmt *s = *out = new_stmt(p, STMT_FOR, parser_peek(p)->span.start);
    p->at++;
    bool bracket = parser_at(p, "(");
    if (bracket)
        p->at++;
    if (parser_peek(p)->kind != TOKEN_NAME)
        return parser_unexpected(p, "the loop's variable");
    s->name = parser_own_text(p, parser_peek(p)->text);
    s->name_span = parser_peek(p)->span;
    p->at++;
    s->equals = parser_peek(p)->span;
    if (parser_expect(p, "=") || parser_expr(p, &s->value))
        return STATUS_ERROR;
    if (bracket && parser_expect(p, ")"))
        return STATUS_ERROR;
    s->span.end = p->tokens.items[p->at - 1].span.end;
    skip_header_end(p);
    s->bodies = parser_own_array(p, &(Body){0}, 1, sizeof(Body));
    s->body_count = 1;
    if (parse_body(p, ends, &s->bodies[0]))
        return STATUS_ERROR;
    return leave_block(p);
}

/* while -> "while" expr body ("end" | "endwhile") */
static Status parse_while(Parser *p, Stmt **out)
{
    static const char *const ends[] = {"end", "endwhile", NULL};
    Stmt *s = *out = new_stmt(p, STMT_WHILE, parser_peek(p)->span.start);
    p->at++;
    Expr *condition = NULL;
    if (parser_expr(p, &condition))
        return STATUS_ERROR;
    s->span.end = p->tokens.items[p->at - 1].span.end;
    s->conditions = parser_own_array(p, &condition, 1, sizeof condition);
    s->condition_count = 1;
    skip_header_end(p);
    s->bodies = parser_own_array(p, &(Body){0}, 1, sizeof(Body));
    s->body_count = 1;
    if (parse_body(p, ends, &s->bodies[0]))
        return STATUS_ERROR;
    return leave_block(p);
}

/* if -> "if" expr body { "elseif" expr body } [ "else" body ] ("end" | "endif") */
static Status parse_if(Parser *p, Stmt **out)
{
    static const char *const ends[] = {"elseif", "else", "end", "endif", NULL};
    static const char *const last_ends[] = {"end", "endif", NULL};
    Stmt *s = *out = new_stmt(p, STMT_IF, parser_peek(p)->span.start);
    ExprList conditions = {0};
    Body *bodies = NULL;
    size_t count = 0, room = 0;
    bool has_else = false;
    Status status = STATUS_OK;
    do { /* at "if", "elseif" or "else" */
        has_else = parser_at(p, "else");
        p->at++;
        Expr *condition = NULL;
        if (!has_else) {
            status = parser_expr(p, &condition);
            if (status)
                break;
            parser_list_add(&conditions, condition);
            if (count == 0)
                s->span.end = p->tokens.items[p->at - 1].span.end;
        }
        skip_header_end(p);
        MEMORY_GROW(bodies, count, room);
        bodies[count] = (Body){0};
        status = parse_body(p, has_else ? last_ends : ends, &bodies[count++]);
    } while (status == STATUS_OK && (parser_at(p, "elseif") || parser_at(p, "else")));
    if (status == STATUS_OK)
        status = leave_block(p);
    if (status == STATUS_OK) {
        s->conditions =
            parser_own_array(p, conditions.items, conditions.count, sizeof *conditions.items);
        s->condition_count = conditions.count;
        s->bodies = parser_own_array(p, bodies, count, sizeof *bodies);
        s->body_count = count;
    }
    free(conditions.items);
    free(bodies);
    return status;
}

static Status parse_keyword(Parser *p, Stmt **out)
{
    const Token *token = parser_peek(p);
    for (size_t i = 0; i < sizeof refused_keywords / sizeof *refused_keywords; i++)
        if (token_is(token, refused_keywords[i].keyword))
            return parser_refuse(p, token->span, refused_keywords[i].what);
    Status status;
    if (parser_enter(p))
        return STATUS_ERROR;
    if (token_is(token, "for"))
        status = parse_for(p, out);
    else if (token_is(token, "while"))
        status = parse_while(p, out);
    else if (token_is(token, "if"))
        status = parse_if(p, out);
    else
        status = parser_unexpected(p, "a statement");
    if (status == STATUS_OK)
        parser_leave(p);
    return status;
}

/* statement -> keyword … | assignment | increment | expr */
static Status parse_statement(Parser *p, Stmt **out)
{
    const Token *token = parser_peek(p);
    if (token->kind == TOKEN_KEYWORD)
        return parse_keyword(p, out);
    if (token_is(token, "[")) {
        size_t after = after_bracket(p, p->at);
        if (token_is(&p->tokens.items[after], "="))
            return parser_refuse(p, token->span, "several outputs [a,b] = … are");
    }
    if (token->kind == TOKEN_NAME) {
        const Token *next = parser_peek_next(p);
        size_t after = token_is(next, "(") ? after_bracket(p, p->at + 1) : p->at + 1;
        if (is_assignment(&p->tokens.items[after]) && after > p->at)
            return parse_assignment(p, out);
        if (is_command_syntax(p))
            return parser_refuse(p, token->span, "command syntax (a name, a blank, a word) is");
    }
    Stmt *s = *out = new_stmt(p, STMT_EXPR, token->span.start);
    if (parser_expr(p, &s->value))
        return STATUS_ERROR;
    return expect_statement_end(p, s);
}

/* body -> { statement }, up to one of the keywords in ends (NULL: the end of the
 * text), which is left for the caller. */
static Status parse_body(Parser *p, const char *const *ends, Body *body)
{
    Stmt **items = NULL;
    size_t count = 0, room = 0;
    Status status = STATUS_OK;
    while (status == STATUS_OK) {
        const Token *token = parser_peek(p);
        if (token->kind == TOKEN_NEWLINE || token->kind == TOKEN_SEMICOLON ||
            token->kind == TOKEN_COMMA) {
            p->at++;
            continue;
        }
        bool ended = token->kind == TOKEN_END_OF_TEXT && !ends;
        for (size_t i = 0; ends && ends[i]; i++)
            ended = ended || token_is(token, ends[i]);
        if (ended)
            break;
        if (token->kind == TOKEN_END_OF_TEXT) {
            status = parser_unexpected(p, "'end'");
            break;
        }
        Stmt *s = NULL;
        status = parse_statement(p, &s);
        if (status)
            break;
        MEMORY_GROW(items, count, room);
        items[count++] = s;
    }
    body->items = parser_own_array(p, items, count, sizeof *items);
    body->count = count;
    free(items);
    return status;
}

/* --- entry points ------------------------------------------------------------ */

static Status parse(const Source *source, Span span, bool expression, Code **out, Error *error)
{
    Parser p = {.source = source, .error = error};
    *out = NULL;
    if (token_scan(source, span, &p.tokens, error))
        return STATUS_ERROR;
    p.code = memory_zeros(1, sizeof *p.code);
    p.code->source = source;
    Status status;
    if (expression) {
        status = parser_expr(&p, &p.code->expr);
        if (status == STATUS_OK && parser_peek(&p)->kind != TOKEN_END_OF_TEXT)
            status = parser_unexpected(&p, "the end of the expression");
    } else {
        status = parse_body(&p, NULL, &p.code->body);
    }
    token_list_clear(&p.tokens);
    if (status) {
        code_free(p.code);
        return status;
    }
    *out = p.code;
    return STATUS_OK;
}

Status code_parse(const Source *source, Span span, Code **out, Error *error)
{
    return parse(source, span, false, out, error);
}

Status code_parse_expr(const Source *source, Span span, Code **out, Error *error)
{
    return parse(source, span, true, out, error);
}
