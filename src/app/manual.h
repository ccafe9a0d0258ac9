/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manual: the manual page, made from the tables of commands, options and actions.
 *
 * The command manual prints it, the build writes it to attnwalk.1.  What the tables do not
 * hold (places, exit statuses, environment, files) stands in manual.c, a row a thing. */
#ifndef APP_MANUAL_H
#define APP_MANUAL_H

#include "base/str.h"

/* Appends the page attnwalk(1) in roff with the macros of man(7), ASCII only. */
void manual_add_page(Str *out);

#endif
