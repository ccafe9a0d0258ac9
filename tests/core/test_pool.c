/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pool: every task once, each worker's memory its own. */
#include "support.h"

#include "core/pool.h"

enum { TASKS = 1000, WORKERS = 4 };

typedef struct {
    int runs[TASKS];
    long sums[WORKERS][16]; /* far apart: each is written by one thread only */
} Count;

static void count_task(void *job, size_t index, size_t worker)
{
    Count *count = job;
    if (worker >= WORKERS)
        abort(); /* a failed assertion may not leave a thread of the pool */
    count->runs[index]++;
    count->sums[worker][0] += (long)index;
}

static void run_jobs(Pool *pool)
{
    Count count = {0};
    for (int job = 1; job <= 50; job++) {
        pool_run(pool, TASKS, count_task, &count);
        for (size_t i = 0; i < TASKS; i++)
            assert_int_equal(count.runs[i], job);
    }
    long sum = 0;
    for (size_t w = 0; w < WORKERS; w++)
        sum += count.sums[w][0];
    assert_int_equal(sum, 50L * TASKS * (TASKS - 1) / 2);
}

static void every_task_runs_once(void **state)
{
    (void)state;
    for (size_t threads = 1; threads <= WORKERS; threads++) {
        Pool *pool = pool_new(threads);
        assert_int_equal(pool_threads(pool), threads);
        run_jobs(pool);
        pool_run(pool, 0, count_task, NULL);
        pool_free(pool);
    }
}

static void no_pool_is_one_thread(void **state)
{
    (void)state;
    assert_int_equal(pool_threads(NULL), 1);
    run_jobs(NULL);
    pool_free(NULL);
}

static void as_many_threads_as_processors(void **state)
{
    (void)state;
    Pool *pool = pool_new(0);
    assert_true(pool_threads(pool) >= 1);
    pool_free(pool);
}

static void an_idle_pool_ends(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        pool_free(pool_new(3));
}

static void small_work_stays_on_one_thread(void **state)
{
    (void)state;
    Pool *pool = pool_new(2);
    assert_null(pool_if_worth(pool, 1e6));
    assert_ptr_equal(pool_if_worth(pool, 1e9), pool);
    assert_null(pool_if_worth(NULL, 1e9));
    pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once),           cmocka_unit_test(no_pool_is_one_thread),
        cmocka_unit_test(as_many_threads_as_processors),  cmocka_unit_test(an_idle_pool_ends),
        cmocka_unit_test(small_work_stays_on_one_thread),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
