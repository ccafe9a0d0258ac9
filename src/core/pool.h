/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool: threads that wait for work, so that a job does not pay for starting them.
 *
 * The fast whole-layer forms (fast_*.h) take a Pool * and split a layer into tasks; NULL
 * stands for a pool of one thread everywhere, the caller's own.  Waiting threads sleep.  A
 * pool belongs to the thread that made it and runs one job at a time. */
#ifndef CORE_POOL_H
#define CORE_POOL_H

#include <stddef.h>

typedef struct Pool Pool;

/* One task of a job: index counts the tasks, worker (below pool_threads) says which thread
 * runs it, so that each may have scratch memory of its own. */
typedef void (*PoolTask)(void *job, size_t index, size_t worker);

/* A pool of `threads` threads, the caller's included (0: one for each processor); fewer if
 * the system does not give that many.  To be given back with pool_free (NULL is allowed). */
Pool *pool_new(size_t threads);
void pool_free(Pool *pool);

/* How many threads a job may run on, at least 1. */
size_t pool_threads(const Pool *pool);

/* Calls task(job, index, worker) once for every index below count, in any order, each on
 * whichever thread is free; returns when all have returned. */
void pool_run(Pool *pool, size_t count, PoolTask task, void *job);

/* The pool itself if work of about that many multiply-adds is worth more than one thread
 * (about 2 ms of one), else NULL. */
Pool *pool_if_worth(Pool *pool, double multiply_adds);

#endif
