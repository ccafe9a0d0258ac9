/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/pool.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"

typedef struct {
    Pool *pool;
    size_t number; /* from 1: the caller is worker 0 */
    pthread_t thread;
} Worker;

struct Pool {
    size_t threads;
    Worker *workers; /* threads - 1 of them */
    pthread_mutex_t lock;
    pthread_cond_t begun, done;
    /* All below under the lock. */
    PoolTask task;
    void *job;
    size_t next, count; /* the task to begin next, and how many there are */
    size_t running;     /* tasks begun and not ended */
    bool ending;
};

/* Runs tasks until none is left to begin.  The lock is held on entry and on return. */
static void work(Pool *pool, size_t worker)
{
    while (pool->next < pool->count) {
        size_t index = pool->next++;
        PoolTask task = pool->task;
        void *job = pool->job;
        pool->running++;
        pthread_mutex_unlock(&pool->lock);
        task(job, index, worker);
        pthread_mutex_lock(&pool->lock);
        pool->running--;
    }
    if (pool->running == 0)
        pthread_cond_signal(&pool->done);
}

static void *run_worker(void *argument)
{
    Worker *self = argument;
    Pool *pool = self->pool;
    pthread_mutex_lock(&pool->lock);
    while (!pool->ending) {
        work(pool, self->number);
        while (!pool->ending && pool->next == pool->count)
            pthread_cond_wait(&pool->begun, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static size_t count_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (size_t)count;
}

Pool *pool_new(size_t threads)
{
    if (threads == 0)
        threads = count_processors();
    Pool *pool = memory_zeros(1, sizeof *pool);
    pool->workers = memory_zeros(threads - 1, sizeof *pool->workers);
    pool->threads = 1;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begun, NULL);
    pthread_cond_init(&pool->done, NULL);
    sigset_t all, before; /* signals are for the caller's thread */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (pool->threads < threads) {
        Worker *worker = &pool->workers[pool->threads - 1];
        worker->pool = pool;
        worker->number = pool->threads;
        if (pthread_create(&worker->thread, NULL, run_worker, worker) != 0)
            break;
        pool->threads++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pool;
}

void pool_free(Pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i + 1 < pool->threads; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->begun);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    free(pool->workers);
    free(pool);
}

size_t pool_threads(const Pool *pool)
{
    return pool ? pool->threads : 1;
}

void pool_run(Pool *pool, size_t count, PoolTask task, void *job)
{
    if (!pool || pool->threads == 1 || count < 2) {
        for (size_t i = 0; i < count; i++)
            task(job, i, 0);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    assert(pool->next == pool->count && pool->running == 0);
    pool->task = task;
    pool->job = job;
    pool->next = 0;
    pool->count = count;
    pthread_cond_broadcast(&pool->begun);
    work(pool, 0);
    while (pool->running > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

Pool *pool_if_worth(Pool *pool, double multiply_adds)
{
    const double worth = 5e7; /* 2 ms at 25e9 a second */
    return multiply_adds >= worth ? pool : NULL;
}
