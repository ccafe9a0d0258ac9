/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid_write: a grid as text, as roles, with colours, and text in ASCII. */
#include <string.h>

#include "base/text.h"
#include "page/grid.h"
#include "page/tex.h"

/* One past the last cell of the row that is not a plain blank. */
static int row_end(const Grid *grid, int row, bool text_only)
{
    int end = grid->cols;
    while (end > 0) {
        const Cell *cell = grid_cell(grid, row, end - 1);
        if (cell->text != ' ' || cell->width != 1)
            break;
        if (!text_only && (cell->role != ROLE_PLAIN || cell->mark != MARK_NONE))
            break;
        end--;
    }
    return end;
}

void grid_add_text(Str *out, const Grid *grid)
{
    for (int i = 0; i < grid->rows; i++) {
        int end = row_end(grid, i, true);
        for (int j = 0; j < end; j++)
            grid_add_cell(out, grid, grid_cell(grid, i, j));
        str_add_char(out, '\n');
    }
}

void grid_add_roles(Str *out, const Grid *grid)
{
    for (int i = 0; i < grid->rows; i++) {
        size_t start = out->length;
        for (int j = 0; j < grid->cols; j++) {
            const Cell *cell = grid_cell(grid, i, j);
            str_add_char(out, cell->mark != MARK_NONE ? mark_letter((Mark)cell->mark)
                                                      : role_letter((Role)cell->role));
        }
        while (out->length > start && out->data[out->length - 1] == ' ')
            str_cut(out, out->length - 1);
        str_add_char(out, '\n');
    }
}

static void add_color(Str *out, int color, bool paper)
{
    if (color < 0)
        return;
    if (color < 8)
        str_addf(out, ";%d", (paper ? 40 : 30) + color);
    else if (color < 16)
        str_addf(out, ";%d", (paper ? 100 : 90) + color - 8);
    else
        str_addf(out, ";%d;5;%d", paper ? 48 : 38, color);
}

static void add_style(Str *out, Style style)
{
    str_add(out, "\033[0");
    if (style.attributes & STYLE_BOLD)
        str_add(out, ";1");
    if (style.attributes & STYLE_UNDERLINE)
        str_add(out, ";4");
    if (style.attributes & STYLE_REVERSE)
        str_add(out, ";7");
    add_color(out, style.ink, false);
    add_color(out, style.paper, true);
    str_add_char(out, 'm');
}

static bool same_style(Style a, Style b)
{
    return a.ink == b.ink && a.paper == b.paper && a.attributes == b.attributes;
}

void grid_add_ansi(Str *out, const Grid *grid, const Theme *theme)
{
    static const Style none = {COLOR_OF_TERMINAL, COLOR_OF_TERMINAL, 0};
    for (int i = 0; i < grid->rows; i++) {
        Style now = none;
        int end = row_end(grid, i, false);
        for (int j = 0; j < end; j++) {
            const Cell *cell = grid_cell(grid, i, j);
            Style style = theme_style(theme, (Role)cell->role, (Mark)cell->mark);
            if (cell->width > 0 && !same_style(style, now)) {
                add_style(out, style);
                now = style;
            }
            grid_add_cell(out, grid, cell);
        }
        if (!same_style(now, none))
            str_add(out, "\033[0m");
        str_add_char(out, '\n');
    }
}

/* ---- ASCII ---- */

typedef struct {
    const char *unicode, *ascii;
} Spelling;

static const Spelling spellings[] = {
    {"–", "-"},   {"—", "--"},  {"‘", "'"},   {"’", "'"},   {"“", "\""},  {"”", "\""},
    {"…", "..."}, {"·", "."},   {"•", "*"},   {"×", "x"},   {"−", "-"},   {"²", "^2"},
    {"³", "^3"},  {"½", "0.5"}, {"\u00A0", " "}, {"«", "<<"},  {"»", ">>"},  {"ß", "ss"},
    {"æ", "ae"},  {"Æ", "AE"},  {"ø", "o"},   {"Ø", "O"},   {"œ", "oe"},  {"Œ", "OE"},
    {"ł", "l"},   {"Ł", "L"},   {"đ", "d"},   {"þ", "th"},  {"→", "->"},  {"←", "<-"},
    {"✓", "ok"},  {"✗", "x"},   {"▸", ">"},   {"◂", "<"},   {"▼", "v"},   {"▲", "^"},
    {"⏎", "Enter"}, {"⌫", "Bksp"}, {"│", "|"}, {"─", "-"},  {"√", "sqrt"}, {"″", "\""},
};

/* Letters of Latin-1 and Latin Extended-A without their accents: base letters for
 * U+00C0 … U+017F, '?' where there is none. */
static const char accents[] =
    "AAAAAA?CEEEEIIIIDNOOOOO*OUUUUY??aaaaaa?ceeeeiiiidnooooo/ouuuuy?y"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi??JjKkkLlLlLlLlLlNnNnNnnNnOoOoOo??RrRrRr"
    "SsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";

static const char *find_spelling(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (strlen(spellings[i].unicode) == length &&
            memcmp(spellings[i].unicode, text, length) == 0)
            return spellings[i].ascii;
    const TexSymbol *symbol = tex_symbol_find_character(text, length);
    return symbol ? symbol->ascii : NULL;
}

/* The marks of a grapheme have no form of their own: its base stands for it. */
static void add_base(Str *out, const char *text, size_t grapheme)
{
    size_t base = text_next(text, grapheme);
    int32_t c = text_decode(text, base);
    const char *spelling = c >= 0x80 ? find_spelling(text, base) : NULL;
    if (spelling)
        str_add(out, spelling);
    else if (c >= 0x20 && c < 0x7F)
        str_add_char(out, (char)c);
    else if (c >= 0 && c < 0x20)
        str_addf(out, "^%c", '@' + (char)c);
    else if (c >= 0xC0 && c - 0xC0 < (int32_t)sizeof accents - 1)
        str_add_char(out, accents[c - 0xC0]);
    else if (c >= 0 && text_is_control(c))
        text_add_visible(out, text, base); /* <U+XXXX> */
    else
        str_add_repeat(out, '?', text_width(text, grapheme));
}

void grid_add_ascii(Str *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        if (text[i] >= ' ' && text[i] <= '~') {
            size_t plain = text_next_grapheme(text + i, length - i);
            str_add_char(out, text[i]);
            i += plain;
            continue;
        }
        size_t bytes = text_next_grapheme(text + i, length - i);
        add_base(out, text + i, bytes);
        i += bytes;
    }
}
