/* SPDX-License-Identifier: GPL-3.0-or-later */
/* color: whether there is to be colour, and which theme: --color, --theme, NO_COLOR,
 * COLORFGBG.  open and show ask. */
#ifndef APP_COLOR_H
#define APP_COLOR_H

#include <stdbool.h>

#include "app/options.h"
#include "page/role.h"

typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorWhen;

/* What --color says; false (and a line on stderr) if it is none of the three. */
bool color_when(const Options *options, ColorWhen *out);

/* True if colour is wanted where `able` says whether it can be seen: always, or auto
 * unless NO_COLOR is set to something. */
bool color_is_wanted(ColorWhen when, bool able);

/* What --theme says, else what COLORFGBG says about the background, else dark; false (and
 * a line on stderr) if --theme names none. */
bool color_theme(const Options *options, ThemeKind *out);

/* How many colours the environment promises for what is only written: 256, 16, 8. */
int color_count(void);

#endif
