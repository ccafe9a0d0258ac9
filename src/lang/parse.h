/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse: text to syntax tree, by GNU Octave's grammar and precedence.
 *
 * What Octave would accept and this language does not (several outputs, cells,
 * functions, command syntax, …) is refused by name, at its place. */
#ifndef LANG_PARSE_H
#define LANG_PARSE_H

#include "base/error.h"
#include "lang/expr.h"

/* Parses the statements in span of source.  *out is owned by the caller and
 * points into source, which must outlive it. */
Status code_parse(const Source *source, Span span, Code **out, Error *error);

/* Parses exactly one expression (out->expr). */
Status code_parse_expr(const Source *source, Span span, Code **out, Error *error);

#endif
