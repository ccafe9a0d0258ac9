/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/prompt.h"

#include <string.h>

#include "base/text.h"

/* What can be typed in one line. */
enum { PROMPT_MAX_BYTES = 4096 };

void prompt_open(Prompt *p, PromptKind kind, const char *label, const char *text)
{
    prompt_close(p);
    p->kind = kind;
    str_add(&p->label, label);
    str_add(&p->text, text);
    p->at = p->text.length;
}

void prompt_close(Prompt *p)
{
    str_clear(&p->label);
    str_clear(&p->text);
    *p = (Prompt){0};
}

static size_t before(const Prompt *p, size_t at)
{
    const char *text = str_text(&p->text);
    size_t last = 0;
    for (size_t i = 0; i < at; i += text_next_grapheme(text + i, p->text.length - i))
        last = i;
    return last;
}

static size_t after(const Prompt *p, size_t at)
{
    if (at >= p->text.length)
        return at;
    return at + text_next_grapheme(str_text(&p->text) + at, p->text.length - at);
}

static void replace(Prompt *p, size_t from, size_t to, const char *with)
{
    Str text = {0};
    str_add_bytes(&text, str_text(&p->text), from);
    str_add(&text, with);
    p->at = text.length;
    str_add(&text, str_text(&p->text) + to);
    str_clear(&p->text);
    p->text = text;
}

static void insert(Prompt *p, uint32_t c)
{
    Str one = {0};
    if (text_is_control((int32_t)c) || p->text.length >= PROMPT_MAX_BYTES)
        return;
    input_add_character(&one, c);
    replace(p, p->at, p->at, str_text(&one));
    str_clear(&one);
}

static size_t word_start(const Prompt *p)
{
    const char *text = str_text(&p->text);
    size_t at = p->at;
    while (at > 0 && text[at - 1] == ' ')
        at--;
    while (at > 0 && text[at - 1] != ' ')
        at--;
    return at;
}

static void control(Prompt *p, uint32_t c)
{
    if (c == 'A')
        p->at = 0;
    else if (c == 'E')
        p->at = p->text.length;
    else if (c == 'U')
        replace(p, 0, p->at, "");
    else if (c == 'K')
        str_cut(&p->text, p->at);
    else if (c == 'W')
        replace(p, word_start(p), p->at, "");
}

PromptState prompt_input(Prompt *p, Input input, bool pasted)
{
    if (input.kind == INPUT_CHAR) {
        insert(p, input.c);
        return PROMPT_GOES_ON;
    }
    if (pasted) { /* line ends and tabs of a paste become blanks */
        if (input.kind == INPUT_ENTER || input.kind == INPUT_TAB)
            insert(p, ' ');
        return PROMPT_GOES_ON;
    }
    switch (input.kind) {
    case INPUT_ENTER: return PROMPT_ENTERED;
    case INPUT_ESCAPE: return PROMPT_LEFT;
    case INPUT_BACKSPACE:
        if (p->text.length == 0)
            return PROMPT_LEFT;
        replace(p, before(p, p->at), p->at, "");
        break;
    case INPUT_DELETE: {
        size_t at = p->at;
        replace(p, at, after(p, at), "");
        break;
    }
    case INPUT_LEFT: p->at = before(p, p->at); break;
    case INPUT_RIGHT: p->at = after(p, p->at); break;
    case INPUT_HOME: p->at = 0; break;
    case INPUT_END: p->at = p->text.length; break;
    case INPUT_CONTROL: control(p, input.c); break;
    default: break;
    }
    return PROMPT_GOES_ON;
}

void prompt_add_line(const Prompt *p, Str *out, int width, int *cursor)
{
    const char *text = str_text(&p->text);
    size_t start = 0;
    int label = (int)text_width(str_text(&p->label), p->label.length);
    if (label > width / 2) /* too narrow for it */
        label = 0;
    else
        str_add(out, str_text(&p->label));
    int room = width - label - 1;
    while (start < p->at && (int)text_width(text + start, p->at - start) > room)
        start = after(p, start);
    *cursor = label + (int)text_width(text + start, p->at - start);
    str_add(out, text + start);
}
