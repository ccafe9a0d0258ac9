/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse: fewer random cases where each of them is slow.  ctest sets
 * ATTNWALK_SPARSE for runs under valgrind, which look for wrong accesses and leaks;
 * the full counts are tried without it. */
#ifndef TESTS_SPARSE_H
#define TESTS_SPARSE_H

#include <stddef.h>
#include <stdlib.h>

/* count, or a hundredth of it (at least 1) in a sparse run. */
static inline size_t sparse(size_t count)
{
    return getenv("ATTNWALK_SPARSE") ? count / 100 + 1 : count;
}

#endif
