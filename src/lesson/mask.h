/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mask: hides code spans and formulas from the Markdown parser.
 *
 * MD4C knows neither positions nor pandoc's rule for dollar signs, and would read
 * the '_' and '*' of a formula as emphasis.  So every code span and every formula
 * is replaced by one private-use character before it sees the text; what the
 * character stands for, and where, is kept here.  Only markdown.c uses this.
 *
 * pandoc's rule: a '$' opens a formula if a character other than a blank follows;
 * the next '$' of the paragraph closes it if no blank stands before it and no digit
 * after it; otherwise the first one was an ordinary dollar sign. */
#ifndef LESSON_MASK_H
#define LESSON_MASK_H

#include "base/error.h"
#include "base/source.h"
#include "base/str.h"

typedef enum {
    MASK_LITERAL, /* a character of the text that looks like one of ours */
    MASK_CODE,
    MASK_VALUE, /* a code span that begins with '=' */
    MASK_MATH
} MaskKind;

typedef struct {
    MaskKind kind;
    Span span;  /* in the source, delimiters included */
    Span inner; /* without them (and without the '=' of a value) */
    size_t at;  /* where its character stands in Masked.text */
} Mask;

typedef struct {
    Str text;
    size_t start; /* of the masked span in the source */
    Mask *items;
    size_t count, room;
    Span *loose; /* dollar signs that look like the beginning of a formula but are none */
    size_t loose_count, loose_room;
} Masked;

/* Masks span of source into *out, which must be empty.  Fails for "$$" in running
 * text and for more formulas than there are private-use characters. */
Status mask_text(const Source *source, Span span, Masked *out, Error *error);
/* Puts a mask of nothing at the start of *out, which must be empty: a line that
 * begins with it is running text, whatever follows. */
void mask_begin_line(Span span, Masked *out);
void masked_clear(Masked *masked);

/* Bytes that every character of ours takes. */
enum { MASK_BYTES = 4 };

/* The mask whose character begins at offset of the masked text, or NULL. */
const Mask *mask_find(const Masked *masked, size_t offset);

/* The offset in the source of what stands at offset of the masked text. */
size_t masked_raw(const Masked *masked, size_t offset);

#endif
