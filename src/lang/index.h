/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index: which cells A(i, j) means, for reading, assigning and explaining.
 *
 * An Index is one resolved subscript: positions from 0 along one dimension (or
 * along all entries, column by column, for A(k)).  Rules and messages are
 * GNU Octave's. */
#ifndef LANG_INDEX_H
#define LANG_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "lang/value.h"

typedef struct {
    bool colon;
    size_t count;
    size_t *items;     /* count positions from 0; NULL for a colon */
    size_t extent;     /* one more than the largest position */
    size_t rows, cols; /* the shape the subscript had */
    const Poly *name;  /* of count, borrowed, or NULL */
} Index;

/* What a subscript is part of, for messages: A(_, 3) of a 2x2. */
typedef struct {
    const Call *call;
    const char *name;      /* NULL: "index (…)" */
    size_t position, total; /* the subscript's place among total, from 0 */
} IndexPlace;

/* Resolves arg as a subscript along a dimension of size extent.  Positions are
 * not checked against extent (assignment may grow); see index_check. */
Status index_resolve(const IndexPlace *place, const Value *arg, Dim extent, Index *out);
void index_clear(Index *index);

/* Fails if a position lies beyond size; base is what is indexed. */
Status index_check(const IndexPlace *place, const Index *index, size_t size, const Value *base);

/* The position of the k-th cell that the subscript selects. */
static inline size_t index_item(const Index *index, size_t k)
{
    return index->colon ? k : index->items[k];
}

/* A(subscripts) = rhs as a new value: old with cells replaced, grown with zeros
 * where needed; old NULL counts as 0x0.  call->args are the subscripts; sizes that
 * do not fit are an error at equals, the place of the '='. */
Status index_assign(const Call *call, const char *name, Span equals, const Value *old,
                    const Value *rhs, Value **out);

#endif
