/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places and settings: what is parsed and printed parses again and prints the same. */
#include "fuzz.h"
#include "lesson/place.h"

static Status parse(const char *text, Place *place)
{
    Error error = {0};
    Status status = place_parse(text, place, &error);
    if (status)
        fuzz_end_error(&error);
    return status;
}

static void try_place(const char *text)
{
    Place place, again;
    Str first = {0}, second = {0}, shell = {0};
    if (parse(text, &place))
        return;
    place_add_text(&first, &place, false);
    place_add_text(&shell, &place, true);
    fuzz_demand(!parse(str_text(&first), &again), "a printed place parses");
    place_add_text(&second, &again, false);
    fuzz_demand(text_equal(str_text(&first), str_text(&second)), "a printed place means the same");
    place_clear(&place);
    place_clear(&again);
    str_clear(&first);
    str_clear(&second);
    str_clear(&shell);
}

/* Each line is a setting. */
static void try_settings(const char *text)
{
    Settings settings = {0}, copy = {0};
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        char *one = memory_copy_slice(line, length);
        Error error = {0};
        if (settings_add(&settings, one, &error))
            fuzz_end_error(&error);
        free(one);
        line += length + (line[length] == '\n');
    }
    settings_copy(&copy, &settings);
    settings_clear(&settings);
    settings_clear(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = memory_copy_slice((const char *)data, size);
    try_place(text);
    try_settings(text);
    free(text);
    return 0;
}
