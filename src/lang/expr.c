/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/expr.h"

#include <stdlib.h>

void code_free(Code *code)
{
    if (!code)
        return;
    for (size_t i = 0; i < code->owned_count; i++)
        free(code->owned[i]);
    free(code->owned);
    free(code);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void add_squeezed(Str *out, const Source *source, Span span)
{
    bool blank = false;
    for (size_t i = span.start; i < span.end; i++) {
        char c = source->text[i];
        if (is_blank(c)) {
            blank = true;
            continue;
        }
        if (blank && out->length > 0)
            str_add_char(out, ' ');
        blank = false;
        str_add_char(out, c);
    }
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
