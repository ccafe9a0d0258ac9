/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_peak: what the processor's arithmetic can do at most, to hold the fast forms against. */
#ifndef CORE_FAST_PEAK_H
#define CORE_FAST_PEAK_H

#include <stddef.h>

/* Multiply-adds on vector registers and nothing else, `rounds` times over, by the caller's
 * thread; returns how many they were.  *sum depends on all of them, so that none is left out. */
double fast_peak_run(size_t rounds, double *sum);

#endif
