/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text: the bytes read as a number, and eight of them taken for one. */
#include <errno.h>
#include <math.h>

#include "fuzz.h"
#include "io/number.h"

static bool same_bits(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void try_double(double x)
{
    Str text = {0};
    double back = 0;
    number_add(&text, x);
    fuzz_demand(text.length <= NUMBER_ROOM, "a number fits its room");
    fuzz_demand(number_read(text.data, text.length, &back) == NUMBER_OK && same_bits(x, back),
                "a written number reads back the same");
    str_clear(&text);
    static const char kinds[] = "feg";
    for (size_t i = 0; i < 3; i++)
        for (int precision = -1; precision < 20; precision += 5)
            number_add_format(&text, x, kinds[i], precision);
    str_clear(&text);
}

/* What number_read takes, strtod takes and rounds to the same double. */
static void try_text(const char *text, size_t length)
{
    double x = 0;
    NumberStatus status = number_read(text, length, &x);
    if (status == NUMBER_JUNK)
        return;
    char *copy = memory_copy_slice(text, length), *end;
    double other = strtod(copy, &end);
    fuzz_demand(end == copy + length, "strtod takes the same text");
    fuzz_demand(status == NUMBER_OK ? same_bits(x, other) : isinf(other),
                "strtod reads the same number");
    if (status == NUMBER_OK)
        try_double(x);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double x;
    try_text((const char *)data, size);
    if (size >= sizeof x) {
        memcpy(&x, data, sizeof x);
        try_double(x);
    }
    return 0;
}
