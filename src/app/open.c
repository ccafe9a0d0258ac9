/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/open.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --load NAME=FILE; the table of options has made sure of the '='. */
static Status add_load(Settings *settings, const char *text, Error *error)
{
    const char *equals = strchr(text, '=');
    char *name = memory_copy_slice(text, (size_t)(equals - text));
    Status status = settings_add_load(settings, name, equals + 1, error);
    free(name);
    return status;
}

Status open_add_settings(const Options *options, Settings *settings, Error *error)
{
    const OptionValues *sets = &options->given[OPTION_SET];
    const OptionValues *loads = &options->given[OPTION_LOAD];
    for (size_t i = 0; i < sets->count; i++)
        if (settings_add(settings, sets->items[i], error))
            return STATUS_ERROR;
    for (size_t i = 0; i < loads->count; i++)
        if (add_load(settings, loads->items[i], error))
            return STATUS_ERROR;
    return STATUS_OK;
}

Status open_place(const Options *options, const char *text, const RunHooks *hooks, Opened *opened,
                  Error *error)
{
    *opened = (Opened){0};
    if (place_parse(text, &opened->place, error) ||
        open_add_settings(options, &opened->place.settings, error) ||
        lesson_load(opened->place.lesson, &opened->lesson, error))
        return STATUS_ERROR;
    return lesson_run(opened->lesson, &opened->place.settings, hooks, &opened->trace, error);
}

void open_close(Opened *opened)
{
    if (opened->trace)
        trace_free(opened->trace);
    if (opened->lesson)
        lesson_free(opened->lesson);
    place_clear(&opened->place);
    *opened = (Opened){0};
}
