/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/draw_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "page/memo.h"
#include "page/tex.h"

/* Longer formulas may be broken at their blanks; a kept blank is U+00A0. */
enum { MAX_WHOLE = 24 };
#define KEPT_BLANK "\xC2\xA0"

void rich_clear(Rich *rich)
{
    str_clear(&rich->text);
    free(rich->roles);
    *rich = (Rich){.ascii = rich->ascii};
}

static void add_bytes(Rich *rich, const char *bytes, size_t length, Role role)
{
    size_t before = rich->text.length;
    str_add_bytes(&rich->text, bytes, length);
    while (rich->room < rich->text.length + 1) {
        rich->room = rich->room ? 2 * rich->room : 128;
        rich->roles = memory_resize(rich->roles, rich->room, 1);
    }
    memset(rich->roles + before, (int)role, length);
}

/* Appends text in the form the page shows; whole: with kept blanks. */
static void add_shown(Rich *rich, const char *text, Role role, bool whole)
{
    Str shown = {0}, kept = {0};
    if (rich->ascii)
        grid_add_ascii(&shown, text, strlen(text));
    else
        text_add_visible(&shown, text, strlen(text));
    whole = whole && text_width(str_text(&shown), shown.length) <= MAX_WHOLE;
    for (size_t i = 0; whole && i < shown.length; i++)
        if (shown.data[i] == ' ')
            str_add(&kept, KEPT_BLANK);
        else
            str_add_char(&kept, shown.data[i]);
    const Str *use = whole ? &kept : &shown;
    add_bytes(rich, str_text(use), use->length, role);
    str_clear(&shown);
    str_clear(&kept);
}

void rich_add(Rich *rich, const char *text, Role role)
{
    add_shown(rich, text, role, false);
}

void rich_add_whole(Rich *rich, const char *text, Role role)
{
    add_shown(rich, text, role, true);
}

/* A value, or as much space for as long as it is kept back. */
static void add_value(Rich *rich, const Run *run, const RunContext *context)
{
    const Fact *fact = memo_run(context->trace, context->frame, run);
    if (fact->failed) {
        rich_add_whole(rich, run->text, ROLE_ERROR);
    } else if (context->reached) {
        rich_add_whole(rich, fact->text, ROLE_VALUE);
    } else {
        Str space = {0};
        size_t width = text_width(fact->text, strlen(fact->text));
        str_add(&space, rich->ascii ? "?" : "…");
        str_add_repeat(&space, ' ', width > 1 ? width - 1 : 0);
        rich_add_whole(rich, str_text(&space), ROLE_MASKED);
        str_clear(&space);
    }
}

static void add_run(Rich *rich, const Run *run, const RunContext *context, Role role)
{
    Str formula = {0};
    switch (run->kind) {
    case RUN_TEXT:
        rich_add(rich, run->text, run->strong ? ROLE_STRONG : run->emphasis ? ROLE_EMPHASIS : role);
        break;
    case RUN_CODE:
        rich_add_whole(rich, run->text, ROLE_CODE_SPAN);
        break;
    case RUN_MATH:
        tex_add_source(&formula, run->text, strlen(run->text),
                       rich->ascii ? TEX_ASCII : TEX_UNICODE);
        rich_add_whole(rich, str_text(&formula), ROLE_FORMULA);
        str_clear(&formula);
        break;
    case RUN_VALUE:
        add_value(rich, run, context);
        break;
    case RUN_BREAK:
        add_bytes(rich, "\n", 1, role);
        break;
    }
}

void rich_add_runs(Rich *rich, const Runs *runs, const RunContext *context, Role role)
{
    for (size_t i = 0; i < runs->count; i++)
        add_run(rich, &runs->items[i], context, role);
}

int rich_width(const Rich *rich)
{
    return (int)text_width(str_text(&rich->text), rich->text.length);
}

/* ---- layout ---- */

/* Puts one line of wrapped text; *at walks along the text it came from, of which
 * wrapping has only dropped blanks and added the indent. */
static int put_line(Grid *grid, int row, const char *line, size_t length, const Rich *rich,
                    size_t *at)
{
    int col = 0;
    size_t i = 0;
    while (i < length && line[i] == ' ') {
        i++;
        col++;
    }
    while (i < length) {
        size_t bytes = text_next_grapheme(line + i, length - i);
        while (*at + bytes < rich->text.length &&
               memcmp(rich->text.data + *at, line + i, bytes) != 0)
            ++*at; /* a blank that was dropped */
        Role role = (Role)rich->roles[*at];
        bool kept = bytes == 2 && memcmp(line + i, KEPT_BLANK, 2) == 0;
        col += kept ? grid_put(grid, grid_rect(grid), row, col, " ", role)
                    : grid_put_bytes(grid, grid_rect(grid), row, col, line + i, bytes, role);
        i += bytes;
        *at += bytes;
    }
    return col;
}

/* Cells and lines of wrapped text. */
static Size wrapped_size(const Str *wrapped)
{
    Size size = {0, 0};
    for (const char *line = str_text(wrapped);; size.rows++) {
        size_t length = strcspn(line, "\n");
        int width = (int)text_width(line, length);
        size.cols = width > size.cols ? width : size.cols;
        if (!line[length])
            break;
        line += length + 1;
    }
    size.rows++;
    return size;
}

Grid *rich_layout(const Rich *rich, int width, int indent)
{
    if (rich->text.length == 0)
        return grid_new(0, 0, rich->ascii);
    if (width < 1)
        width = 1;
    Str wrapped = {0};
    text_add_wrapped(&wrapped, str_text(&rich->text), (size_t)width, (size_t)indent);
    Size size = wrapped_size(&wrapped);
    Grid *grid = grid_new(size.rows, size.cols > width ? width : size.cols, rich->ascii);
    size_t at = 0;
    const char *line = str_text(&wrapped);
    for (int row = 0; row < size.rows; row++) {
        size_t length = strcspn(line, "\n");
        put_line(grid, row, line, length, rich, &at);
        line += length + 1;
    }
    str_clear(&wrapped);
    return grid;
}

Grid *grid_stack(Grid **parts, size_t count, int gap, bool ascii)
{
    int rows = 0, cols = 0;
    for (size_t i = 0; i < count; i++) {
        if (!parts[i] || parts[i]->rows == 0)
            continue;
        rows += (rows ? gap : 0) + parts[i]->rows;
        cols = parts[i]->cols > cols ? parts[i]->cols : cols;
    }
    Grid *all = grid_new(rows, cols, ascii);
    int row = 0;
    for (size_t i = 0; i < count; i++) {
        if (parts[i] && parts[i]->rows > 0) {
            row += row ? gap : 0;
            grid_copy(all, grid_rect(all), row, 0, parts[i], grid_rect(parts[i]));
            row += parts[i]->rows;
        }
        grid_free(parts[i]);
    }
    return all;
}

/* One paragraph, with its marker if it begins an item; *item is the width of the last
 * item's marker, under whose text its later paragraphs stand. */
static Grid *paragraph_layout(const Paragraph *p, const RunContext *context, int width, bool ascii,
                              int *item)
{
    Rich rich = {.ascii = ascii};
    Str marker = {0};
    int margin = 2 * (p->depth > 0 ? (int)p->depth - 1 : 0);
    if (margin > width / 2)
        margin = width / 2;
    if (p->kind == PARAGRAPH_RULE)
        str_add(&marker, ascii ? "---" : "───");
    else if (p->quote && p->kind != PARAGRAPH_ITEM)
        str_add(&marker, ascii ? "| " : "│ ");
    else if (p->kind == PARAGRAPH_ITEM && !p->first)
        str_add_repeat(&marker, ' ', (size_t)*item);
    else if (p->kind == PARAGRAPH_ITEM && p->number)
        str_addf(&marker, "%zu. ", p->number);
    else if (p->kind == PARAGRAPH_ITEM)
        str_add(&marker, ascii ? "* " : "• ");
    if (p->kind == PARAGRAPH_ITEM)
        *item = (int)text_width(str_text(&marker), marker.length);
    for (int i = 0; i < margin; i++)
        add_bytes(&rich, KEPT_BLANK, 2, ROLE_PROSE);
    if (marker.length)
        add_shown(&rich, str_text(&marker), ROLE_LABEL, true);
    int indent = margin + (int)text_width(str_text(&marker), marker.length);
    rich_add_runs(&rich, &p->runs, context,
                  p->kind == PARAGRAPH_HEADING ? ROLE_STRONG : ROLE_PROSE);
    Grid *grid = rich_layout(&rich, width, indent < width ? indent : 0);
    rich_clear(&rich);
    str_clear(&marker);
    return grid;
}

Grid *prose_layout(const Prose *prose, const RunContext *context, int width, bool airy, bool ascii)
{
    Grid **parts = memory_zeros(2 * prose->count + 1, sizeof(Grid *));
    size_t count = 0;
    int item = 2;
    for (size_t i = 0; i < prose->count; i++) {
        const Paragraph *p = &prose->items[i];
        if (i && airy && !p->tight)
            parts[count++] = grid_new(1, 0, ascii);
        parts[count++] = paragraph_layout(p, context, width, ascii, &item);
    }
    Grid *all = grid_stack(parts, count, 0, ascii);
    free(parts);
    return all;
}
