/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_level: which build of the kernels runs: the widest instruction set of this processor.
 *
 * The kernels are compiled several times from one source (fast_simd.h).  The products of
 * product.h and the exp of elementary.h give the same bits in every build; the whole-layer
 * forms agree within rounding. */
#ifndef CORE_FAST_LEVEL_H
#define CORE_FAST_LEVEL_H

#include <stdbool.h>

typedef enum {
    FAST_PORTABLE, /* what the compiler's plain target has */
    FAST_V3,       /* x86-64-v3: AVX2 and FMA */
    FAST_V4,       /* x86-64-v4: AVX-512 */
    FAST_LEVELS
} FastLevel;

/* True if this program has that build and this processor can run it. */
bool fast_level_supported(FastLevel level);

/* The level now in use: the highest that is supported unless fast_level_set was called. */
FastLevel fast_level(void);

/* Use this level, which must be supported, from now on; not while a layer runs. */
void fast_level_set(FastLevel level);

/* "portable", "x86-64-v3", "x86-64-v4". */
const char *fast_level_name(FastLevel level);

/* The supported level of that name; false if there is none. */
bool fast_level_find(const char *name, FastLevel *level);

#endif
