/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walker: the interactive program without its terminal.
 *
 * A Walker is given inputs and the time, and draws itself into a Grid of any size; the
 * screen shows that, tests look at it.  It holds the session, the cursor, the lists and
 * prompts, and what the reader chose to see.  Nothing here waits or prints. */
#ifndef APP_WALKER_H
#define APP_WALKER_H

#include <stdbool.h>

#include "app/input.h"
#include "base/error.h"
#include "lesson/place.h"
#include "page/grid.h"
#include "page/role.h"

typedef struct {
    bool ascii;
    bool projector;
    ThemeKind theme;
    bool keep; /* where the reader stopped is kept in a file */
} WalkerOptions;

typedef struct Walker Walker;

/* A walker that shows the menu of lessons. */
Walker *walker_new(const WalkerOptions *options);
void walker_free(Walker *walker);

/* Opens a place. */
Status walker_open(Walker *walker, const Place *place, Error *error);

/* What time it is, in milliseconds since anything; before an input or a tick. */
void walker_set_time(Walker *walker, long long now);

/* Acts on an input. */
void walker_input(Walker *walker, Input input);

/* How long at most until walker_tick wants to be called, in milliseconds; -1: not at
 * all. */
int walker_timeout(const Walker *walker);

/* Does what time brings: autoplay, reading a changed file again.  True if something is
 * to be drawn. */
bool walker_tick(Walker *walker);

/* Draws all of it; a new grid that the caller frees.  *cursor_row is -1 where no text is
 * being typed. */
Grid *walker_draw(Walker *walker, Size size, int *cursor_row, int *cursor_col);

bool walker_is_done(const Walker *walker);
ThemeKind walker_theme(const Walker *walker);
bool walker_is_projector(const Walker *walker);

/* True once after the reader asked for the whole screen to be painted afresh. */
bool walker_take_redraw(Walker *walker);

/* Appends the place shown, or nothing in the menu. */
void walker_add_place(const Walker *walker, Str *out);

#endif
