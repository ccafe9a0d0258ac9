/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number: doubles as text and back, the same in every locale.
 *
 * The one reader and the one writer of numbers in the program; nothing else
 * calls strtod, scanf or printf's %f %e %g on data (a test looks for them). */
#ifndef IO_NUMBER_H
#define IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Appends the shortest decimal that reads back to the same double: integers
 * below 1e21 without a point ("3", "-0"), otherwise d.ddd or d.ddde-07 by
 * whichever C's %g rule picks for 17 digits; "nan", "inf", "-inf". */
void number_add(Str *out, double x);

/* The same into the NUMBER_ROOM bytes at out; returns how many it takes.  There is no NUL
 * behind them, and the rest of the room may be written on. */
enum { NUMBER_ROOM = 32 }; /* the longest is -1.2345678901234567e-308 */
size_t number_put(char *out, double x);

/* Appends x with printf's %.*f, %.*e or %.*g (kind 'f', 'e', 'g'; precision
 * below 0 means printf's default), with a point as decimal mark; NaN, Inf and
 * -Inf are written so. */
void number_add_format(Str *out, double x, char kind, int precision);

typedef enum { NUMBER_OK, NUMBER_JUNK, NUMBER_OUT_OF_RANGE } NumberStatus;

/* Reads a number that takes exactly the length bytes at text:
 *
 *     [+-] ( digits [ "." digits? ] | "." digits ) [ (e|E) [+-] digits ]
 *     [+-] ( nan | inf | infinity )              in any case of letters
 *
 * correctly rounded.  Hexadecimal, blanks, nan(...), 1.#INF, digits other than
 * ASCII are junk; a finite decimal that would become infinite is out of range;
 * one that becomes 0 or subnormal is fine. */
NumberStatus number_read(const char *text, size_t length, double *x);

/* Reads the decimal that the length bytes at text begin with, whatever follows it, if that
 * can be done quickly, and returns how many bytes it takes; otherwise 0: number_read then
 * says what is there. */
size_t number_take(const char *text, size_t length, double *x);

#endif
