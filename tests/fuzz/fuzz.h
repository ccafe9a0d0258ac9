/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz: what every fuzz target shares.
 *
 * A target is one file with one function that takes any bytes, hands them to a part of
 * attnwalk and demands what has to hold for every input.  libFuzzer calls it in a build
 * with -DATTNWALK_FUZZ=ON; replay.c calls it with kept files in every build. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/str.h"
#include "base/text.h"
#include "core/start.h"

/* Tries the size bytes at data; returns 0, or does not return: what is wrong ends the program. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program, as a sanitizer would, if what must hold does not. */
static inline void fuzz_demand(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: does not hold: %s\n", what);
    abort();
}

/* A text for a terminal holds no control characters but line ends. */
static inline void fuzz_demand_visible(const Str *text, const char *what)
{
    for (size_t at = 0; at < text->length; at += text_next(text->data + at, text->length - at)) {
        int32_t c = text_decode(text->data + at, text->length - at);
        fuzz_demand(c == '\n' || (c >= 0 && !text_is_control(c)), what);
    }
}

/* An error that was returned says something, and prints without control characters. */
static inline void fuzz_end_error(Error *error)
{
    Str text = {0};
    fuzz_demand(error->message && *error->message, "an error has a message");
    fuzz_demand(error->file || error->line == 0, "an error with a line names its file");
    error_print(error, &text);
    fuzz_demand_visible(&text, "an error prints without control characters");
    str_clear(&text);
    error_clear(error);
}

#endif
