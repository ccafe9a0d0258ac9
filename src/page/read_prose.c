/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running text of `read`: runs, paragraphs, lists, wrapping. */
#include <string.h>

#include "base/text.h"
#include "lesson/eval.h"
#include "page/grid.h"
#include "page/read_part.h"

/* A blank that text_add_wrapped does not break at; reader_wrap makes it a blank. */
static const char NO_BREAK[] = "\xC2\xA0";

/* Formulas and code up to this width stay on one line. */
enum { KEEP_TOGETHER = 30 };

void reader_add_clean(const Reader *r, Str *out, const char *text, size_t length)
{
    if (r->ascii)
        grid_add_ascii(out, text, length);
    else
        text_add_visible(out, text, length);
}

void reader_add_expr(const Reader *r, Str *out, const Expr *expr)
{
    Str text = {0};
    expr_add_text(&text, expr);
    reader_add_clean(r, out, str_text(&text), text.length);
    str_clear(&text);
}

void reader_add_tex(const Reader *r, Str *out, const char *tex)
{
    Str line = {0};
    tex_add_source(&line, tex, strlen(tex), r->ascii ? TEX_ASCII : TEX_UNICODE);
    reader_add_clean(r, out, str_text(&line), line.length);
    str_clear(&line);
}

/* Appends text so that it does not break, if it is short. */
static void add_together(Str *out, const Str *text)
{
    bool keep = text_width(str_text(text), text->length) <= KEEP_TOGETHER;
    for (size_t i = 0; i < text->length; i++) {
        if (keep && text->data[i] == ' ')
            str_add(out, NO_BREAK);
        else
            str_add_char(out, text->data[i]);
    }
}

static Status add_run(Reader *r, Str *out, const Run *run, size_t frame)
{
    Str piece = {0};
    Status status = STATUS_OK;
    switch (run->kind) {
    case RUN_TEXT:
        reader_add_clean(r, out, run->text, strlen(run->text));
        break;
    case RUN_CODE:
        str_add_char(&piece, '`');
        reader_add_clean(r, &piece, run->text, strlen(run->text));
        str_add_char(&piece, '`');
        add_together(out, &piece);
        break;
    case RUN_MATH:
        reader_add_tex(r, &piece, run->text);
        add_together(out, &piece);
        break;
    case RUN_VALUE: {
        Str value = {0};
        status = lesson_eval_run(r->trace, frame, run, &value, r->error);
        reader_add_clean(r, &piece, str_text(&value), value.length);
        add_together(out, &piece);
        str_clear(&value);
        break;
    }
    case RUN_BREAK:
        str_add_char(out, '\n');
        break;
    }
    str_clear(&piece);
    return status;
}

/* True if a link ends with run i: its address follows the text. */
static bool ends_link(const Runs *runs, size_t i)
{
    const char *link = runs->items[i].link;
    if (!link || text_equal(link, runs->items[i].text))
        return false;
    const char *next = i + 1 < runs->count ? runs->items[i + 1].link : NULL;
    return !next || !text_equal(link, next);
}

Status reader_add_runs(Reader *r, Str *out, const Runs *runs, size_t frame)
{
    for (size_t i = 0; i < runs->count; i++) {
        const Run *run = &runs->items[i];
        if (add_run(r, out, run, frame) != STATUS_OK)
            return STATUS_ERROR;
        if (ends_link(runs, i)) {
            str_add(out, " (");
            reader_add_clean(r, out, run->link, strlen(run->link));
            str_add_char(out, ')');
        }
    }
    return STATUS_OK;
}

void reader_wrap(Reader *r, const char *head, const char *text)
{
    Str whole = {0}, wrapped = {0};
    str_add(&whole, head);
    str_add(&whole, text);
    size_t indent = text_width(head, strlen(head));
    text_add_wrapped(&wrapped, str_text(&whole), r->width, indent);
    for (size_t i = 0; i < wrapped.length; i++) {
        if (i + 1 < wrapped.length && memcmp(wrapped.data + i, NO_BREAK, 2) == 0) {
            str_add_char(r->out, ' ');
            i++;
        } else {
            str_add_char(r->out, wrapped.data[i]);
        }
    }
    str_add_char(r->out, '\n');
    str_clear(&whole), str_clear(&wrapped);
}

/* What stands before a paragraph: its indent, a list marker, the sign of a quotation. */
static void add_head(const Reader *r, Str *head, const Paragraph *p, size_t indent)
{
    bool item = p->kind == PARAGRAPH_ITEM;
    size_t depth = (item || p->quote) && p->depth ? p->depth - 1 : p->depth;
    str_add_repeat(head, ' ', indent + 2 * depth);
    if (p->quote)
        str_add(head, "> ");
    if (!item)
        return;
    if (!p->first)
        str_add(head, "  ");
    else if (p->number)
        str_addf(head, "%zu. ", p->number);
    else
        str_add(head, r->ascii ? "* " : "• ");
}

Status reader_print_prose(Reader *r, const Prose *prose, size_t indent, size_t frame)
{
    for (size_t i = 0; i < prose->count; i++) {
        const Paragraph *p = &prose->items[i];
        if (i && !p->tight)
            str_add_char(r->out, '\n');
        if (p->kind == PARAGRAPH_RULE)
            continue;
        Str head = {0}, text = {0};
        add_head(r, &head, p, indent);
        Status status = reader_add_runs(r, &text, &p->runs, frame);
        if (status == STATUS_OK)
            reader_wrap(r, str_text(&head), str_text(&text));
        str_clear(&head), str_clear(&text);
        if (status != STATUS_OK)
            return STATUS_ERROR;
    }
    return STATUS_OK;
}
