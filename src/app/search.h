/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search: words in a lesson's text, and where a reader sees them.
 *
 * The text searched is that of the file: titles, prose, formulas as their TeX, code,
 * checks; notes are left out.  Letters A-Z match in either case. */
#ifndef APP_SEARCH_H
#define APP_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "app/session.h"

/* Where the page at the reader's position begins in the text. */
size_t search_origin(const Session *session);

/* The first match behind (forward) or before byte offset `from`, going round at the end;
 * false if there is none.  *at is its offset, *round whether it went round, *position
 * where it is to be seen. */
bool search_find(const Session *session, const char *words, size_t from, bool forward, size_t *at,
                 bool *round, Position *position);

#endif
