/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete: what completes command lines of attnwalk in bash, zsh and fish.
 *
 * Commands, options and the kinds of their arguments come from the tables; lessons, steps
 * and parameters are asked of the program while a line is typed ('attnwalk list --places').
 * What an argument is called in the tables says what completes it: PLACE, LESSON, DIR,
 * NAME=VALUE (a parameter), NAME=FILE, a|b|c (one of these words); other names complete
 * to nothing. */
#ifndef APP_COMPLETE_H
#define APP_COMPLETE_H

#include "base/str.h"

void complete_add_bash(Str *out);
void complete_add_zsh(Str *out);
void complete_add_fish(Str *out);

#endif
