/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_memory: how much memory a piece of work holds at most. */
#ifndef APP_BENCH_MEMORY_H
#define APP_BENCH_MEMORY_H

/* Bytes that work(job) made this program's resident memory grow by at most, in whole pages
 * (a few of which the kernel counts late); NaN where the kernel does not tell. */
double bench_memory_peak(void (*work)(void *job), void *job);

#endif
