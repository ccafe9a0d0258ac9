/* SPDX-License-Identifier: GPL-3.0-or-later */
/* screen: the terminal, by way of curses; the only file that includes <curses.h>.
 *
 * Paints Grids and reads Inputs.  One screen can be open at a time; from screen_open to
 * screen_close the terminal is ours, and every way out in between gives it back (see
 * terminal.h, signals.h). */
#ifndef APP_SCREEN_H
#define APP_SCREEN_H

#include <stdbool.h>

#include "app/input.h"
#include "base/error.h"
#include "page/grid.h"
#include "page/role.h"

typedef struct {
    bool color; /* as many colours as the terminal has; false: none */
    bool mouse;
} ScreenOptions;

typedef struct Screen Screen;

typedef enum {
    SCREEN_INPUT,
    SCREEN_TIMEOUT,
    SCREEN_ENDED /* the terminal is gone */
} ScreenEvent;

/* Opens it.  Fails if standard output is no terminal, if no keys can be read from standard
 * input or /dev/tty, or if the terminal's type is unknown or cannot place the cursor. */
Status screen_open(const ScreenOptions *options, Screen **out, Error *error);

/* Gives the terminal back. */
void screen_close(Screen *screen);

Size screen_size(const Screen *screen);

/* Shows the grid; the (invisible) cursor is put at row, col unless row is -1.  afresh:
 * every cell is sent again. */
void screen_paint(Screen *screen, const Grid *grid, ThemeKind theme, bool projector, int row,
                  int col, bool afresh);

/* Waits for an input at most timeout milliseconds (-1: for ever). */
ScreenEvent screen_wait(Screen *screen, int timeout, Input *out);

#endif
