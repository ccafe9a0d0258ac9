/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/input.h"

#include <string.h>

#include "base/text.h"

static const struct {
    InputKind kind;
    uint32_t c;
    const char *name, *sign; /* in tables; on a Unicode screen */
} names[] = {
    {INPUT_LEFT, 0, "Left", "←"},         {INPUT_RIGHT, 0, "Right", "→"},
    {INPUT_UP, 0, "Up", "↑"},             {INPUT_DOWN, 0, "Down", "↓"},
    {INPUT_HOME, 0, "Home", "Home"},      {INPUT_END, 0, "End", "End"},
    {INPUT_PAGE_UP, 0, "PgUp", "PgUp"},   {INPUT_PAGE_DOWN, 0, "PgDn", "PgDn"},
    {INPUT_ENTER, 0, "Enter", "Enter"},   {INPUT_TAB, 0, "Tab", "Tab"},
    {INPUT_BACK_TAB, 0, "S-Tab", "S-Tab"}, {INPUT_BACKSPACE, 0, "Backspace", "Backspace"},
    {INPUT_DELETE, 0, "Delete", "Delete"}, {INPUT_ESCAPE, 0, "Esc", "Esc"},
    {INPUT_CHAR, ' ', "Space", "Space"},
};

enum { NAME_COUNT = sizeof names / sizeof *names };

bool input_same(Input a, Input b)
{
    return a.kind == b.kind && a.c == b.c;
}

Input input_parse(const char *name, size_t length)
{
    for (size_t i = 0; i < NAME_COUNT; i++)
        if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0)
            return (Input){.kind = names[i].kind, .c = names[i].c};
    if (length == 3 && name[0] == 'C' && name[1] == '-')
        return (Input){.kind = INPUT_CONTROL, .c = (uint32_t)name[2] & 0x5F};
    if (length && text_next(name, length) == length && !text_is_control(text_decode(name, length)))
        return (Input){.kind = INPUT_CHAR, .c = (uint32_t)text_decode(name, length)};
    return (Input){.kind = INPUT_NONE};
}

void input_add_name(Str *out, Input input, bool ascii)
{
    for (size_t i = 0; i < NAME_COUNT; i++)
        if (names[i].kind == input.kind && names[i].c == input.c) {
            str_add(out, ascii ? names[i].name : names[i].sign);
            return;
        }
    if (input.kind == INPUT_CONTROL)
        str_addf(out, "Ctrl-%c", (char)input.c);
    else
        input_add_character(out, input.c);
}

void input_add_character(Str *out, uint32_t c)
{
    static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
    int tails = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    str_add_char(out, (char)(leads[tails] | c >> (6 * tails)));
    while (tails-- > 0)
        str_add_char(out, (char)(0x80 | (c >> (6 * tails) & 0x3F)));
}
