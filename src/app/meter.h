/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meter: how far long work has come, on a line of stderr that is written over.
 *
 * Only where stderr is a terminal and data does not go to one; the first time after a second,
 * then a few times a second.  meter_end wipes the line before anything else is said. */
#ifndef APP_METER_H
#define APP_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

typedef struct {
    const char *unit; /* what is counted: "rows" */
    double total;     /* 0: not known */
    bool wanted;
    struct timespec next; /* when to write again */
    size_t width;         /* of what stands there now */
} Meter;

/* Begins to count units up to total (0: nobody knows); to_stdout: data goes there meanwhile. */
void meter_begin(Meter *meter, const char *unit, double total, bool to_stdout);

/* Shows that done of them are done, if it is time to. */
void meter_show(Meter *meter, double done);

void meter_end(Meter *meter);

#endif
