/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rope: rotary position embedding.  Su et al. 2021.
 *
 * Row t (from 0) has its pairs of columns rotated by t * 10000^(-2i/d), i = 0 ..
 * d/2-1.  Angles, sines and cosines are correctly rounded each. */
#ifndef CORE_ROPE_H
#define CORE_ROPE_H

#include "core/matrix.h"

/* Pairs are columns (2i, 2i+1).  (n,d) -> (n,d); d is even. */
Matrix *rope_interleaved(const Matrix *x);

/* Pairs are columns (i, i + d/2).  (n,d) -> (n,d); d is even. */
Matrix *rope_half(const Matrix *x);

#endif
