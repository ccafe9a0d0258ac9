/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output: data on stdout, talk on stderr, and the exit statuses that go with them.
 *
 * Every command ends in one of these.  What reaches stderr has its control
 * characters made visible. */
#ifndef APP_OUTPUT_H
#define APP_OUTPUT_H

#include <stdbool.h>

#include "app/command.h"
#include "base/error.h"
#include "base/str.h"

/* True if human text on stdout has to be ASCII: asked for, or stdout is a terminal
 * whose locale is not UTF-8.  Pipes and files always get UTF-8, so that the bytes
 * do not depend on the locale. */
bool output_is_ascii(bool asked);

/* Writes data to stdout.  EXIT_OK, also when the reader has closed the pipe;
 * EXIT_INPUT with a message when it cannot be written. */
int output_data(const Str *data);

/* Says error ("file:line:col: …", or "attnwalk: …" if it has no place), clears it,
 * and returns EXIT_INPUT. */
int output_error(Error *error);

/* Says "attnwalk: …" on stderr. */
void output_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says "attnwalk COMMAND: … (see attnwalk COMMAND --help)" on stderr, with text for
 * the %s of what, its control characters made visible (command may be NULL), and
 * returns EXIT_USAGE. */
int output_usage(const Command *command, const char *what, const char *text);

/* Writes text to stderr as it is; characters beyond ASCII are spelt where stderr is
 * a terminal that cannot show them. */
void output_talk(const char *text);

#endif
