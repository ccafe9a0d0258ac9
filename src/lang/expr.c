/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/expr.h"

#include <stdlib.h>

#include "base/text.h"
#include "lang/token.h"

void code_free(Code *code)
{
    if (!code)
        return;
    for (size_t i = 0; i < code->owned_count; i++)
        free(code->owned[i]);
    free(code->owned);
    free(code);
}

/* A line end inside [ ] is a semicolon that is not written as one. */
static bool is_line_end(const Source *source, const Token *token)
{
    char c = source->text[token->span.start];
    return token->kind == TOKEN_SEMICOLON && (c == '\n' || c == '\r');
}

/* True if another separator stands for this one: a line end at a bracket or beside a semicolon,
 * a comma before a line end, the blank between two elements.  last: what was written before. */
static bool is_left_out(const Source *source, const Token *token, const Token *last)
{
    const Token *next = token + 1;
    if (token->kind == TOKEN_COMMA)
        return token->span.start == token->span.end || is_line_end(source, next);
    return is_line_end(source, token) &&
           (token_is(next, "]") || next->kind == TOKEN_SEMICOLON || !last ||
            last->kind == TOKEN_SEMICOLON || token_is(last, "["));
}

/* True if the token before the k-th is the sign of an element of [ ]: no blank may follow it,
 * though a continuation did, or it would subtract (or add). */
static bool follows_sign(const TokenList *list, size_t k)
{
    if (k < 2 || !(token_is(&list->items[k - 1], "-") || token_is(&list->items[k - 1], "+")))
        return false;
    const Token *comma = &list->items[k - 2];
    return comma->kind == TOKEN_COMMA && comma->span.start == comma->span.end;
}

static void add_tokens(Str *out, const Source *source, const TokenList *list)
{
    const Token *last = NULL;
    bool blank = false;
    for (size_t k = 0; k + 1 < list->count; k++) {
        const Token *token = &list->items[k];
        bool line_end = is_line_end(source, token);
        blank = (blank || (token->space_before && !line_end)) && !follows_sign(list, k);
        if (is_left_out(source, token, last))
            continue;
        if (blank && last && !token_is(last, "[") && !token_is(token, "]") && !line_end)
            str_add_char(out, ' ');
        if (line_end)
            str_add_char(out, ';');
        else
            text_add_visible(out, source->text + token->span.start, /* a string may hold anything */
                             token->span.end - token->span.start);
        blank = line_end;
        last = token;
    }
}

/* Appends span on one line: blanks squeezed to one, comments and continuations left
 * out, a line end inside [ ] as the ';' it stands for. */
static void add_squeezed(Str *out, const Source *source, Span span)
{
    TokenList list = {0};
    Error error = {0};
    if (token_scan_part(source, span, &list, &error) == STATUS_OK) {
        add_tokens(out, source, &list);
    } else { /* not to be expected of what was parsed: as it stands */
        text_add_visible(out, source->text + span.start, span.end - span.start);
        error_clear(&error);
    }
    token_list_clear(&list);
}

void expr_add_text(Str *out, const Expr *expr)
{
    Str text = {0};
    add_squeezed(&text, expr->source, expr->span);
    str_add(out, str_text(&text));
    str_clear(&text);
}

void stmt_add_text(Str *out, const Stmt *stmt)
{
    Str text = {0};
    add_squeezed(&text, stmt->source, stmt->span);
    str_add(out, str_text(&text));
    str_clear(&text);
}
