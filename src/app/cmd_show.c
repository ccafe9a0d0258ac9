/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show: pages as text, one of a place or all of a lesson. */
#include <string.h>
#include <unistd.h>

#include "app/color.h"
#include "app/command.h"
#include "app/open.h"
#include "app/options.h"
#include "app/output.h"
#include "page/page.h"

enum { MOST_SIDE = 1000, USUAL_ROWS = 24, USUAL_COLS = 80 };

typedef struct {
    PageOptions page;
    bool color, roles;
    Theme theme;
} Show;

/* Reads "100x30" (columns x rows). */
static bool read_size(const char *text, Size *out)
{
    int numbers[2] = {0, 0};
    size_t k = 0;
    for (; *text; text++) {
        if (*text == 'x' && k == 0 && numbers[0] > 0)
            k = 1;
        else if (*text >= '0' && *text <= '9' && numbers[k] <= MOST_SIDE)
            numbers[k] = 10 * numbers[k] + (*text - '0');
        else
            return false;
    }
    *out = (Size){numbers[1], numbers[0]};
    return numbers[1] >= 1 && numbers[0] <= MOST_SIDE && numbers[1] <= MOST_SIDE;
}

static bool refuse_size(const Options *options, const char *text)
{
    output_usage(options->command, "--size takes COLUMNSxROWS from 1x1 to 1000x1000, not '%s'",
                 text);
    return false;
}

static bool read_options(const Options *options, Show *show)
{
    const char *size = options_text(options, OPTION_SIZE);
    ThemeKind kind;
    ColorWhen when;
    *show = (Show){.page = {.size = {USUAL_ROWS, USUAL_COLS}, .scroll = PAGE_SCROLL_AUTO}};
    if (size && !read_size(size, &show->page.size))
        return refuse_size(options, size);
    if (!color_when(options, &when) || !color_theme(options, &kind))
        return false;
    show->page.ascii = output_is_ascii(options_has(options, OPTION_ASCII));
    show->page.projector = options_has(options, OPTION_PROJECTOR);
    show->page.show_notes = options_has(options, OPTION_NOTES);
    show->roles = options_has(options, OPTION_ROLES);
    show->color = color_is_wanted(when, isatty(STDOUT_FILENO));
    theme_init(&show->theme, kind, show->color ? color_count() : 0, show->page.projector);
    return true;
}

static void add_page(const Show *show, const Trace *trace, Position position, Str *out)
{
    Page page;
    page_draw(trace, position, &show->page, &page);
    if (show->color)
        grid_add_ansi(out, page.grid, &show->theme);
    else
        grid_add_text(out, page.grid);
    if (show->roles)
        grid_add_roles(out, page.grid);
    page_clear(&page);
}

/* A place without a step is the whole lesson: every stop, a form feed's width apart. */
static Status add_pages(const Show *show, const Opened *opened, Str *out, Error *error)
{
    Position position;
    if (opened->place.step) {
        if (trace_resolve(opened->trace, &opened->place, &position, error))
            return STATUS_ERROR;
        add_page(show, opened->trace, position, out);
        return STATUS_OK;
    }
    for (size_t i = 0; i < trace_stop_count(opened->trace); i++) {
        if (i > 0)
            str_add_char(out, '\n');
        add_page(show, opened->trace, (Position){i, trace_stop(opened->trace, i)->last}, out);
    }
    return STATUS_OK;
}

int command_show(const Options *options)
{
    Show show;
    Opened opened;
    Str out = {0};
    Error error = {0};
    int status;
    if (!read_options(options, &show))
        return EXIT_USAGE;
    if (open_place(options, options->arguments[0], NULL, &opened, &error) ||
        add_pages(&show, &opened, &out, &error))
        status = output_error(&error);
    else
        status = output_data(&out);
    open_close(&opened);
    str_clear(&out);
    return status;
}
