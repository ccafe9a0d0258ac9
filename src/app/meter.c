/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/meter.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/output.h"
#include "base/str.h"
#include "base/text.h"

static size_t shown; /* cells of what stands there */

/* Writes over what was there, blanks over what is longer. */
static void put(const Str *text)
{
    size_t width = text_width(str_text(text), text->length);
    Str line = {0};
    str_addf(&line, "\r%s", str_text(text));
    str_add_repeat(&line, ' ', width < shown ? shown - width : 0);
    str_add(&line, width == 0 ? "\r" : "");
    output_talk(str_text(&line));
    fflush(stderr);
    shown = width;
    str_clear(&line);
}

void meter_show(const char *text)
{
    Str visible = {0};
    if (!isatty(STDERR_FILENO))
        return;
    text_add_visible(&visible, text, strlen(text));
    put(&visible);
    str_clear(&visible);
}

void meter_clear(void)
{
    Str nothing = {0};
    if (shown > 0)
        put(&nothing);
}
