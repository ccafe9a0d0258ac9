/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_chunk: the chunked forms on the tile kernels, for fast_linear.c and fast_delta.c.
 *
 * At widths up to about 128 they are slower than token by token with the state in the cache:
 * they are here to be measured beside it.  They run on the caller's thread. */
#ifndef CORE_FAST_CHUNK_H
#define CORE_FAST_CHUNK_H

#include "core/fast_kernels.h"

/* The job's rows in chunks of `chunk` > 0 tokens.  job->S is one panel, rows of
 * fast_round_up(max(d_v, 1)); z (f) is changed in place, job->z and job->z_after are not read. */
void fast_chunk_linear(const LinearJob *job, size_t chunk, double *z);

/* The same for the delta rules, by the WY form: with the errors of the chunk scaled by beta,
 * (I + L) E = diag(beta) (V - diag(before) K S), L(i,j) = beta_i (k_i.k_j) g_(j+1)..g_i below
 * the diagonal, by forward substitution without pivoting.  Yang et al. 2024 and 2025. */
void fast_chunk_delta(const DeltaJob *job, size_t chunk);

#endif
