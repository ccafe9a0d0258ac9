/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open: the interactive program: a lesson at a place, or the menu. */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/color.h"
#include "app/command.h"
#include "app/open.h"
#include "app/options.h"
#include "app/output.h"
#include "app/screen.h"
#include "app/walker.h"

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1000LL * t.tv_sec + t.tv_nsec / 1000000;
}

static void draw(Walker *walker, Screen *screen, bool afresh)
{
    int row, col;
    Grid *grid = walker_draw(walker, screen_size(screen), &row, &col);
    screen_paint(screen, grid, walker_theme(walker), walker_is_projector(walker), row, col, afresh);
    grid_free(grid);
}

/* Inputs that have come while the last one was worked on are all taken before the next
 * page is drawn: a held key, a paste, a storm of changes of the window. */
static ScreenEvent take_inputs(Walker *walker, Screen *screen, int timeout)
{
    enum { MOST = 4096 };
    Input input;
    ScreenEvent event = screen_wait(screen, timeout, &input);
    if (event != SCREEN_INPUT)
        return event;
    for (int i = 0; i < MOST && event == SCREEN_INPUT && !walker_is_done(walker); i++) {
        walker_set_time(walker, now());
        walker_input(walker, input);
        event = screen_wait(screen, 0, &input);
    }
    return event == SCREEN_ENDED ? event : SCREEN_INPUT;
}

/* False if the terminal went away. */
static bool run(Walker *walker, Screen *screen)
{
    bool changed = true;
    while (!walker_is_done(walker)) {
        walker_set_time(walker, now());
        bool afresh = walker_take_redraw(walker);
        if (changed || afresh)
            draw(walker, screen, afresh);
        walker_set_time(walker, now());
        ScreenEvent event = take_inputs(walker, screen, walker_timeout(walker));
        if (event == SCREEN_ENDED)
            return false;
        walker_set_time(walker, now());
        changed = walker_tick(walker) || event == SCREEN_INPUT;
    }
    return true;
}

static bool read_walker_options(const Options *options, WalkerOptions *out)
{
    *out = (WalkerOptions){
        .ascii = options_has(options, OPTION_ASCII) || !text_equal(nl_langinfo(CODESET), "UTF-8"),
        .projector = options_has(options, OPTION_PROJECTOR),
        .keep = !options_has(options, OPTION_NO_RESUME),
    };
    return color_theme(options, &out->theme);
}

/* The place with --set and --load added. */
static Status open_first(Walker *walker, const Options *options, Error *error)
{
    Place place = {0};
    Status status = STATUS_OK;
    if (options->argument_count == 0)
        return STATUS_OK;
    if (place_parse(options->arguments[0], &place, error) ||
        open_add_settings(options, &place.settings, error) || walker_open(walker, &place, error))
        status = STATUS_ERROR;
    place_clear(&place);
    return status;
}

int command_open(const Options *options)
{
    WalkerOptions walker_options;
    ScreenOptions screen_options = {.mouse = !options_has(options, OPTION_NO_MOUSE)};
    ColorWhen when;
    if (!read_walker_options(options, &walker_options) || !color_when(options, &when))
        return EXIT_USAGE;
    screen_options.color = color_is_wanted(when, true);
    Walker *walker = walker_new(&walker_options);
    Screen *screen = NULL;
    Error error = {0};
    int status = EXIT_OK;
    if (open_first(walker, options, &error) || screen_open(&screen_options, &screen, &error)) {
        status = output_error(&error);
    } else {
        if (!run(walker, screen))
            status = EXIT_INPUT;
        screen_close(screen);
    }
    walker_free(walker);
    return status;
}
