/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt: one line of text being typed.
 *
 * The walker owns one and gives it every input while it is open; what the text means is
 * the walker's business.  Prompt p = {0}; is closed. */
#ifndef APP_PROMPT_H
#define APP_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "app/input.h"
#include "base/str.h"

typedef enum {
    PROMPT_CLOSED,
    PROMPT_PLACE,
    PROMPT_SEARCH,
    PROMPT_EVAL,
    PROMPT_WRITE,
    PROMPT_EDIT,
    PROMPT_PARAM,
    PROMPT_GUESS
} PromptKind;

typedef struct {
    PromptKind kind;
    Str label; /* what stands before the text */
    Str text;
    size_t at; /* byte offset of the cursor */
} Prompt;

typedef enum { PROMPT_GOES_ON, PROMPT_ENTERED, PROMPT_LEFT } PromptState;

void prompt_open(Prompt *prompt, PromptKind kind, const char *label, const char *text);
void prompt_close(Prompt *prompt);

/* Edits the text.  Enter ends it, Esc (or Backspace in an empty line) leaves it; pasted: the
 * input is part of a paste, so it can only be text. */
PromptState prompt_input(Prompt *prompt, Input input, bool pasted);

/* Appends label and text as far as they fit width cells, so that the cursor is among
 * them; *cursor is its column. */
void prompt_add_line(const Prompt *prompt, Str *out, int width, int *cursor);

#endif
