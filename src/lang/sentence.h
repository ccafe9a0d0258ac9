/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sentence: an explanation while it is written.
 *
 * A sentence is a chain of steps, "A(2,3) = Q(2,:)·K(3,:)' = 0·0 + 1·2 = 2": explain
 * writes each step into `step` and ends it; a step that says what the last one said
 * is dropped.  Operands are mentioned as regions: rectangles of cells, seen through
 * transposes and indexing down to what has a name. */
#ifndef LANG_SENTENCE_H
#define LANG_SENTENCE_H

#include "lang/explanation.h"
#include "lang/phrase.h"

typedef struct {
    const Value *value; /* what is explained: a matrix, and the place of a cell in it */
    size_t i, j;
    double cell;
    Style style;
    Str text, step, last;
    Str note; /* what follows the number: ": 0/0 is not a number" */
    Explanation *to;
    size_t part_room;
} Sentence;

/* A rectangle of an operand; flipped: it stands transposed in the expression. */
typedef struct {
    const Value *value;
    const Expr *expr; /* what the operand was written as, or NULL */
    size_t row, rows, col, cols;
    bool flipped;
} Region;

/* Appends what an operand is called: see explain_add_name. */
void sentence_add_name(Str *out, const Value *operand, const Expr *expr);

/* Ends the step, if anything was written into it. */
void sentence_end_step(Sentence *s);

/* Writes x as the last step, with the note. */
void sentence_end(Sentence *s, double x);

/* The operation that made the value, which is no input. */
static inline OpId sentence_op(const Sentence *s)
{
    return s->value->origin->op->id;
}

/* Writes x into the step; as an operand: in brackets if it is negative. */
void sentence_add_number(Sentence *s, double x);
void sentence_add_operand(Sentence *s, double x);

/* The operand at k if it is a matrix, or NULL. */
const Value *sentence_operand(const Sentence *s, size_t k);

/* The rectangle of operand k (a matrix), seen through transposes and indices. */
Region sentence_region(const Sentence *s, size_t k, size_t row, size_t rows, size_t col,
                       size_t cols);

/* One cell of operand k. */
Region sentence_cell(const Sentence *s, size_t k, size_t row, size_t col);

/* Writes "Q(2,:)" into the step / adds the region to the parts of the explanation / both. */
void sentence_say(Sentence *s, const Region *region);
void sentence_keep(Sentence *s, const Region *region);
void sentence_mention(Sentence *s, const Region *region);

/* As sentence_say between the brackets of a call, where brackets of its own are dropped. */
void sentence_say_argument(Sentence *s, const Region *region);

/* Writes "sum(A(:,2))" as a step of its own and keeps the region; nothing for an empty one. */
void sentence_call(Sentence *s, const char *name, const Region *region);

/* Appends the name with what of value is meant: "Q(2,:)", "Q(2:4,1)"; just the name of a 1x1
 * value and of a whole matrix.  flipped: as a transpose. */
void sentence_add_cells(Str *out, const char *name, const Value *value, size_t row, size_t rows,
                        size_t col, size_t cols, bool flipped);

#endif
