/* SPDX-License-Identifier: GPL-3.0-or-later */
/* input: one thing the reader did: a key, a click, a change of the window.
 *
 * The screen makes them from what the terminal sends, the walker acts on them, tests
 * make them from names.  An Input is plain data. */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

typedef enum {
    INPUT_NONE,
    INPUT_CHAR,    /* c: a printable character */
    INPUT_CONTROL, /* c: 'L' for Ctrl-L */
    INPUT_LEFT,
    INPUT_RIGHT,
    INPUT_UP,
    INPUT_DOWN,
    INPUT_HOME,
    INPUT_END,
    INPUT_PAGE_UP,
    INPUT_PAGE_DOWN,
    INPUT_ENTER,
    INPUT_TAB,
    INPUT_BACK_TAB,
    INPUT_BACKSPACE,
    INPUT_DELETE,
    INPUT_ESCAPE,
    INPUT_CLICK, /* row, col */
    INPUT_WHEEL_UP,
    INPUT_WHEEL_DOWN,
    INPUT_PASTE_BEGIN, /* what follows, up to the end, was pasted: text, never keys */
    INPUT_PASTE_END,
    INPUT_RESIZE /* the window changed, or has to be painted afresh */
} InputKind;

typedef struct {
    InputKind kind;
    uint32_t c;   /* INPUT_CHAR, INPUT_CONTROL */
    int row, col; /* INPUT_CLICK, from 0 */
} Input;

bool input_same(Input a, Input b);

/* The key that the length bytes at name mean: one character, "Right", "Space", "C-l";
 * INPUT_NONE if none. */
Input input_parse(const char *name, size_t length);

/* Appends what the key is called on a screen: "→", "Space" (in ASCII: "Right"). */
void input_add_name(Str *out, Input input, bool ascii);

/* Appends the character c (a code point) in UTF-8. */
void input_add_character(Str *out, uint32_t c);

#endif
