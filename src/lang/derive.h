/* SPDX-License-Identifier: GPL-3.0-or-later */
/* derive: the steps of a computed cell: products, sums, functions, softmax, rows.
 *
 * One function a kind of operation (ExplainRule); each checks the shapes it relies on and
 * declines what it does not know, so that explain can fall back on naming the operands. */
#ifndef LANG_DERIVE_H
#define LANG_DERIVE_H

#include "lang/sentence.h"

/* Writes the steps between the cell's name and its number, keeps the parts, and sets the
 * note.  False, with nothing written, if the operation has no such steps. */
bool derive_steps(Sentence *s);

/* The same for softmax by rows, and for functions of a row (derive_row.c). */
bool derive_softmax_steps(Sentence *s);
bool derive_row_steps(Sentence *s);

#endif
