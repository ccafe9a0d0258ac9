/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signals: what ends or stops the program while it owns the terminal.
 *
 * Every signal that ends it first gives the terminal back and removes temporaries, then
 * the program dies by that signal, so that the shell sees the truth.  Being stopped
 * (Ctrl-Z) is curses' business, but for what curses does not know of. */
#ifndef APP_SIGNALS_H
#define APP_SIGNALS_H

#include <stdbool.h>

/* Takes over the signals that end the program; before curses is started, which may crash
 * for want of memory.  A signal that is ignored stays so. */
void signals_catch(void);

/* What a crash (SIGSEGV) says from here on before it ends with EXIT_FAILURE instead of the
 * signal; a constant, or NULL: nothing. */
void signals_explain_crash(const char *message);

/* The same as signals_catch for being stopped; after curses has installed its own handlers. */
void signals_catch_stop(void);

/* Puts back what was there before both. */
void signals_release(void);

/* What has happened since the last call. */
typedef enum {
    SIGNALS_NOTHING,
    SIGNALS_CONTINUED, /* stopped and continued by way of curses, which has painted again */
    SIGNALS_WOKEN      /* continued after a stop that could not be caught (SIGSTOP) */
} SignalsNews;

SignalsNews signals_take_news(void);

#endif
