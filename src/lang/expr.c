/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/expr.h"

#include <stdlib.h>

#include "base/text.h"

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

static bool ends_operand(char c)
{
    return c == ')' || c == ']' || c == '\'' || c == '.' || c == '_' || (c >= '0' && c <= '9') ||
           (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The end of the string that begins at i. */
static size_t skip_text(const char *text, size_t i, size_t end)
{
    char quote = text[i++];
    while (i < end && text[i] != quote)
        i++;
    return i < end ? i + 1 : end;
}

static bool at_continuation(const char *text, size_t i, size_t end)
{
    return end - i >= 3 && text[i] == '.' && text[i + 1] == '.' && text[i + 2] == '.';
}

/* Appends span on one line: blanks squeezed to one, comments and continuations left
 * out, a line end inside [ ] as the ';' it stands for. */
static void add_squeezed(Str *out, const Source *source, Span span)
{
    const char *text = source->text;
    size_t matrices = 0;
    bool blank = false;
    for (size_t i = span.start; i < span.end;) {
        char c = text[i], last = out->length ? out->data[out->length - 1] : ' ';
        size_t next = i + text_next(text + i, span.end - i);
        if (at_continuation(text, i, span.end) || c == '%' || c == '#') {
            bool continued = c == '.';
            while (next < span.end && text[next] != '\n' && text[next] != '\r')
                next++;
            i = continued && next < span.end ? next + 1 : next;
            blank = true;
            continue;
        }
        if (is_blank(c)) {
            if ((c == '\n' || c == '\r') && matrices > 0 && last != ';' && last != ',' &&
                last != '[')
                str_add_char(out, ';');
            blank = true;
            i = next;
            continue;
        }
        if (c == '"' || (c == '\'' && (blank || !ends_operand(last))))
            next = skip_text(text, i, span.end);
        matrices += c == '[';
        matrices -= c == ']' && matrices > 0;
        if (blank && out->length > 0 && !(last == '[' || c == ']'))
            str_add_char(out, ' ');
        blank = false;
        text_add_visible(out, text + i, next - i); /* a string may hold anything */
        i = next;
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
