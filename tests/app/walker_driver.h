/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walker_driver: what tests of the walker share: keys in, grids out.  Include <cmocka.h>
 * and what it needs first. */
#ifndef TESTS_WALKER_DRIVER_H
#define TESTS_WALKER_DRIVER_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "app/walker.h"

static const Size usual = {24, 80};

/* ---- driving ---- */

static inline Grid *draw(Walker *w, Size size)
{
    int row, col;
    return walker_draw(w, size, &row, &col);
}

static inline Walker *open_at(const char *text)
{
    const WalkerOptions options = {.theme = THEME_DARK};
    Walker *w = walker_new(&options);
    Place place = {0};
    Error error = {0};
    assert_int_equal(place_parse(text, &place, &error), STATUS_OK);
    if (walker_open(w, &place, &error))
        fail_msg("%s: %s", text, error.message);
    place_clear(&place);
    grid_free(draw(w, usual));
    return w;
}

/* Names of keys separated by blanks; a word that is none is typed. */
static inline void press(Walker *w, const char *keys)
{
    for (const char *at = keys; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        Input key = input_parse(at, length);
        if (key.kind != INPUT_NONE)
            walker_input(w, key);
        else
            for (size_t i = 0; i < length; i++)
                walker_input(w, input_parse(at + i, 1));
        at += length;
        grid_free(draw(w, usual));
    }
}

static inline char *text_of(Walker *w, Size size)
{
    Str text = {0};
    Grid *grid = draw(w, size);
    grid_add_text(&text, grid);
    grid_free(grid);
    return str_take(&text);
}

static inline bool has(Walker *w, const char *what)
{
    char *text = text_of(w, usual);
    bool found = strstr(text, what) != NULL;
    free(text);
    return found;
}

static inline bool shows(Walker *w, const char *what)
{
    bool found = has(w, what);
    if (!found)
        print_message("not on the screen: %s\n", what);
    return found;
}

static inline void assert_place(Walker *w, const char *place)
{
    Str text = {0};
    walker_add_place(w, &text);
    assert_string_equal(str_text(&text), place);
    str_clear(&text);
}

static inline char *place_of(Walker *w)
{
    Str text = {0};
    walker_add_place(w, &text);
    return str_take(&text);
}

#endif
