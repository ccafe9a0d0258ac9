/* SPDX-License-Identifier: GPL-3.0-or-later */
/* startup: what the program does once before its first command, and once at its end. */
#ifndef APP_STARTUP_H
#define APP_STARTUP_H

#include <stdbool.h>

/* Makes sure descriptors 0 to 2 are open; sets the locale, numbers always as in C; a
 * closed pipe becomes an error of write; being out of memory, or told to end by a
 * signal, removes temporaries; starts core/, with the kernels that ATTNWALK_CPU names if it
 * does.  False, with a message, if it names none that this processor runs. */
bool startup_begin(void);

/* Gives back what the libraries keep. */
void startup_end(void);

#endif
