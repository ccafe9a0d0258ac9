/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meter: says on the terminal that long work goes on, and how far it has come.
 *
 * A second after meter_begin a line appears, and is written anew a few times a second until
 * meter_end wipes it: by a timer's signal, so that no work has to be divided for it.  There is
 * one terminal and one meter. */
#ifndef APP_METER_H
#define APP_METER_H

#include <stdbool.h>

/* Work begins: a line of stderr, if that is a terminal. */
void meter_begin(void);

/* The same on a page that is shown: the bytes before and after it put the line there and bring
 * the terminal's state back (both stay the caller's, until meter_end). */
void meter_begin_on_page(const char *before, const char *after);

/* The work is over.  True if a line of a page was written over. */
bool meter_end(void);

/* Nothing is written from meter_pause to meter_resume, and what stood there is wiped: somebody
 * else writes to the terminal, or it is the reader who is waited for.  Pairs may nest. */
void meter_pause(void);
void meter_resume(void);

/* What is counted until meter_count_end ("rows"; a constant), and how many there will be (0:
 * nobody knows).  to_stdout: data goes there meanwhile; the meter pauses if to a terminal. */
void meter_count(const char *unit, double total, bool to_stdout);

/* So many of them are done. */
void meter_show(double done);
void meter_count_end(void);

#endif
