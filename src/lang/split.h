/* SPDX-License-Identifier: GPL-3.0-or-later */
/* split: finds the separators of small grammars around expressions.
 *
 * The lines of views, checks and predictions hold expressions separated by ',',
 * '=', ':' or a word such as "when"; those count only outside brackets and
 * strings. The pieces are then parsed by code_parse_expr. */
#ifndef LANG_SPLIT_H
#define LANG_SPLIT_H

#include "base/source.h"

/* The first byte in span, at bracket depth 0 and outside strings, at which any of
 * the characters in set stands; span.end if there is none.  A quote counts as a
 * transpose where Octave would read one.  '=' is found only where it is not part
 * of == ~= != <= >=. */
size_t split_find(const Source *source, Span span, const char *set);

/* The same for a whole word of letters, such as "when". */
size_t split_find_word(const Source *source, Span span, const char *word);

#endif
