/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench: what each form of attention costs on this machine, measured point by point.
 *
 * A point is one form at one length.  Lengths double from BENCH_LEAST_N on; forms take turns,
 * so that whatever else the machine does falls on all of them.  bench_step measures the next
 * point and returns, so that the caller can show progress, read keys, or stop: what was
 * measured stays.  A point is left out, and said to be, where it would not fit the budget.
 *
 * Times are the median of several runs: of one thread its CPU time, which other programs
 * disturb least, of more threads wall clock.  A fit is the least-squares line through the
 * logarithms; slopes are those of lengths whose matrices stay in the caches. */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "app/bench_form.h"
#include "base/str.h"

enum {
    BENCH_LEAST_N = 16,
    BENCH_MOST_N = 1 << 20,
    BENCH_SLOPE_FROM = 256, /* lengths that slopes are fitted to: longer ones leave the caches */
    BENCH_SLOPE_TO = 2048,
    BENCH_ALL_FORMS = (1 << BENCH_FORMS) - 1
};

typedef struct {
    size_t d;           /* width of keys and values */
    size_t max_n;       /* the longest layer */
    unsigned forms;     /* bit i: form i is measured */
    size_t threads;     /* at least 1 */
    double seconds;     /* budget of all measuring */
    double point;       /* … and of the runs of one point, beyond the first */
    const volatile sig_atomic_t *stop; /* set: ends as soon as it can; may be NULL */
} BenchOptions;

typedef struct {
    size_t form, n;
    size_t runs;        /* how many the time is the median of */
    double seconds;     /* of one run */
    double multiply_adds, exponentials;
    double bytes;       /* held above the inputs at most, outputs included; NaN: not known */
} BenchPoint;

typedef struct Bench Bench;

Bench *bench_new(const BenchOptions *options);
void bench_free(Bench *bench);

/* Measures the next point; false if there is none left, or the budget or the caller ended it. */
bool bench_step(Bench *bench);

/* How many points there will be if all fit the budget, and what comes next: "softmax, n = 4096". */
size_t bench_planned(const Bench *bench);
void bench_add_next(const Bench *bench, Str *out);

const BenchOptions *bench_options(const Bench *bench);

/* The points so far, in the order of measuring. */
const BenchPoint *bench_points(const Bench *bench, size_t *count);
/* The point of a form at n, or NULL. */
const BenchPoint *bench_find(const Bench *bench, size_t form, size_t n);

/* The first length of a form that did not fit the budget, or 0. */
size_t bench_left_out(const Bench *bench, size_t form);

/* The length whose points are shown one by one: BENCH_SLOPE_TO, or the longest below it that
 * every form has which may be so long; 0 if there is none. */
size_t bench_common_n(const Bench *bench);

/* Multiply-adds a second of one thread that touches no memory; 0 before the first step. */
double bench_peak(const Bench *bench);
/* The share of the peak of all threads that a point reaches. */
double bench_share_of_peak(const Bench *bench, const BenchPoint *point);

/* The power of n that the time (or the memory) of a form grows with, by the points that have
 * it; NaN for fewer than two. */
double bench_slope(const Bench *bench, size_t form);
double bench_memory_slope(const Bench *bench, size_t form);

/* The length *n, and the seconds both take there, from which on `slow` takes longer than
 * `fast`, between two measured lengths; false if there is none. */
bool bench_crossover(const Bench *bench, size_t slow, size_t fast, double *n, double *seconds);

#endif
