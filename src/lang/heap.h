/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heap: what an allocation takes, for those who count what a run keeps.
 *
 * The values of a lesson are small and many: of what they take, a third is the heap's own
 * share, so a count of their sizes alone would be no limit. */
#ifndef LANG_HEAP_H
#define LANG_HEAP_H

#include <stddef.h>
#include <string.h>

/* What the heap keeps beside a block, rounding included, at most. */
enum { HEAP_SHARE = 16 };

/* Bytes of the heap for a block of size bytes: as glibc's malloc on a 64-bit machine, which adds
 * 8, rounds up to 16 and gives 32 at least.  A rule and not a question to the heap, so that a
 * lesson is refused on every machine or on none. */
static inline size_t heap_bytes(size_t size)
{
    size_t taken = (size + 8 + 15) / 16 * 16;
    return taken < 32 ? 32 : taken;
}

/* The same for a copy of text. */
static inline size_t heap_text_bytes(const char *text)
{
    return heap_bytes(strlen(text) + 1);
}

#endif
