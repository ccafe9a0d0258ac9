/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse: fewer random cases where each of them is slow.  ctest sets
 * ATTNWALK_SPARSE for runs under valgrind, which look for wrong accesses and leaks;
 * the full counts are tried without it. */
#ifndef TESTS_SPARSE_H
#define TESTS_SPARSE_H

#include <stddef.h>
#include <stdlib.h>

/* count, or one part of it in `parts` (at least 1) in a sparse run. */
static inline size_t sparse_part(size_t count, size_t parts)
{
    return getenv("ATTNWALK_SPARSE") ? count / parts + 1 : count;
}

/* The same with a hundred parts. */
static inline size_t sparse(size_t count)
{
    return sparse_part(count, 100);
}

#endif
