/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/meter.h"

#include <unistd.h>

#include "app/output.h"

enum { FIRST_MS = 1000, AGAIN_MS = 200 };

static bool is_before(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

static struct timespec later(struct timespec t, long milliseconds)
{
    t.tv_sec += milliseconds / 1000;
    t.tv_nsec += milliseconds % 1000 * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

static struct timespec now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t;
}

void meter_begin(Meter *meter, const char *unit, double total, bool to_stdout)
{
    *meter = (Meter){.unit = unit, .total = total};
    meter->wanted = isatty(STDERR_FILENO) && !(to_stdout && isatty(STDOUT_FILENO));
    if (meter->wanted)
        meter->next = later(now(), FIRST_MS);
}

void meter_show(Meter *meter, double done)
{
    if (!meter->wanted || is_before(now(), meter->next))
        return;
    meter->next = later(now(), AGAIN_MS);
    Str line = {0};
    str_addf(&line, "\rattnwalk: %.0f ", done);
    if (meter->total > 0)
        str_addf(&line, "of %.0f ", meter->total);
    str_add(&line, meter->unit);
    if (meter->total > 0)
        str_addf(&line, " (%.0f%%)", 100 * done / meter->total);
    size_t width = line.length;
    if (width < meter->width) /* what stood there before */
        str_add_repeat(&line, ' ', meter->width - width);
    meter->width = width;
    output_talk(str_text(&line));
    str_clear(&line);
}

void meter_end(Meter *meter)
{
    if (meter->width == 0)
        return;
    Str line = {0};
    str_add_char(&line, '\r');
    str_add_repeat(&line, ' ', meter->width);
    str_add_char(&line, '\r');
    output_talk(str_text(&line));
    str_clear(&line);
    meter->width = 0;
}
