/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/prose.h"

#include <stdlib.h>

void runs_clear(Runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        free(runs->items[i].text);
        free(runs->items[i].link);
        code_free(runs->items[i].code);
    }
    free(runs->items);
    *runs = (Runs){0};
}

void prose_clear(Prose *prose)
{
    for (size_t i = 0; i < prose->count; i++)
        runs_clear(&prose->items[i].runs);
    free(prose->items);
    *prose = (Prose){0};
}

static void add_value_source(Str *out, const Run *run)
{
    str_addf(out, "`=%s", run->text);
    if (run->format) {
        str_add(out, "|%");
        if (run->precision >= 0)
            str_addf(out, ".%d", run->precision);
        str_add_char(out, run->format);
    }
    str_add(out, "`");
}

void runs_add_source(Str *out, const Runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        const Run *run = &runs->items[i];
        if (run->kind == RUN_MATH)
            str_addf(out, "$%s$", run->text);
        else if (run->kind == RUN_VALUE)
            add_value_source(out, run);
        else if (run->kind == RUN_BREAK)
            str_add(out, " ");
        else
            str_add(out, run->text);
    }
}
