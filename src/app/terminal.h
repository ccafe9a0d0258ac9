/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal: giving the terminal back, from wherever the program ends.
 *
 * The screen says what has to be undone as soon as it switches it on; signal handlers,
 * the out-of-memory hook and the orderly end all go through terminal_give_back.  There
 * is one terminal, so this module has state of its own. */
#ifndef APP_TERMINAL_H
#define APP_TERMINAL_H

#include <stddef.h>

/* Writes all of it, waiting where the terminal is full.  What fails again and again is gone with
 * its terminal: reading will say so.  Async-signal-safe. */
void terminal_write(int fd, const char *bytes, size_t length);

/* Remembers the modes of the terminal at fd and the bytes that undo what will be
 * switched on (copied). */
void terminal_remember(int fd, const char *undo);

/* The bytes that switch on and off what curses does not know of (bracketed paste); ""
 * if the terminal has none.  Both are constants. */
void terminal_set_extra(const char *on, const char *off);

/* Writes them: when the program is stopped and when it goes on. */
void terminal_extra_on(void);
void terminal_extra_off(void);

/* Undoes everything, once; async-signal-safe. */
void terminal_give_back(void);

/* Nothing is left to undo: the screen has done it. */
void terminal_forget(void);

#endif
