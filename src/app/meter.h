/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meter: one line on stderr that says how far long work is, where stderr is a terminal. */
#ifndef APP_METER_H
#define APP_METER_H

/* Shows text in place of what was shown; no line end, control characters made visible. */
void meter_show(const char *text);

/* Takes it away again; before anything else is said. */
void meter_clear(void);

#endif
