/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random: numbers that depend on (seed, call) and nothing else.
 *
 * The k-th random call of a run has a generator of its own, seeded by a hash of
 * (seed, k), and fills its matrix row by row.  So more rows keep the rows that
 * were there, and replacing one input does not change another.  No libm is
 * involved: the same bits everywhere. */
#ifndef CORE_RANDOM_H
#define CORE_RANDOM_H

#include <stdint.h>

#include "core/matrix.h"

/* Standard normal numbers by GSL's ziggurat over the Mersenne Twister. */
Matrix *random_normal(uint64_t seed, uint64_t call, size_t rows, size_t cols);

/* Uniform numbers in the open interval (0,1), of 53 random bits. */
Matrix *random_uniform(uint64_t seed, uint64_t call, size_t rows, size_t cols);

#endif
