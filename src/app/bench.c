/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/bench.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "app/bench_memory.h"
#include "base/memory.h"
#include "core/fast_peak.h"

enum { MOST_RUNS = 7, PEAK_RUNS = 7, PEAK_ROUNDS = 100000 };

/* A run is repeated until it takes so long that the clock is no matter, and runs until their
 * median is steady or enough time is spent; in seconds. */
#define LEAST_RUN 0.005

struct Bench {
    BenchOptions options;
    Pool *pool;
    double begun;          /* 0: not yet */
    double peak;
    size_t n, form;        /* what is measured next */
    BenchInputs inputs;    /* of n tokens; n == 0: not made */
    BenchPoint *points;
    size_t count, room;
    size_t left_out[BENCH_FORMS]; /* 0, or the length from which on a form is left out */
    bool ended;
};

Bench *bench_new(const BenchOptions *options)
{
    Bench *b = memory_zeros(1, sizeof *b);
    b->options = *options;
    b->n = BENCH_LEAST_N;
    b->pool = pool_new(options->threads);
    b->options.threads = pool_threads(b->pool);
    return b;
}

void bench_free(Bench *b)
{
    if (!b)
        return;
    bench_inputs_clear(&b->inputs);
    pool_free(b->pool);
    free(b->points);
    free(b);
}

/* ---- the clock ---- */

static double read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What the budget is spent by. */
static double now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

/* What points are measured by. */
static double spent(const Bench *b)
{
    return read_clock(b->options.threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC);
}

static bool is_stopped(const Bench *b)
{
    return b->options.stop && *b->options.stop;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, size_t count)
{
    qsort(x, count, sizeof *x, compare);
    return count % 2 ? x[count / 2] : (x[count / 2 - 1] + x[count / 2]) / 2;
}

/* The best of a few: whatever disturbs makes it less. */
static double measure_peak(void)
{
    double best = 0;
    volatile double kept = 0;
    for (size_t i = 0; i < PEAK_RUNS; i++) {
        double begun = read_clock(CLOCK_THREAD_CPUTIME_ID), sum;
        double done = fast_peak_run(PEAK_ROUNDS, &sum);
        double rate = done / (read_clock(CLOCK_THREAD_CPUTIME_ID) - begun);
        kept = kept + sum;
        best = rate > best ? rate : best;
    }
    return best;
}

/* ---- one point ---- */

typedef struct {
    Bench *bench;
    const BenchForm *form;
} Job;

static void run(void *argument)
{
    const Job *job = argument;
    matrix_unref(job->form->run(&job->bench->inputs, job->bench->pool));
}

/* Seconds of one run: the median of point->runs, each of several where it is short. */
static void measure_time(Job *job, double first, BenchPoint *point)
{
    double took[MOST_RUNS], begun = now();
    size_t repeats = first < LEAST_RUN ? (size_t)(LEAST_RUN / (first + 1e-9)) + 1 : 1;
    while (point->runs < MOST_RUNS && !is_stopped(job->bench) &&
           (point->runs == 0 || now() - begun < job->bench->options.point)) {
        double start = spent(job->bench);
        for (size_t i = 0; i < repeats; i++)
            run(job);
        took[point->runs++] = (spent(job->bench) - start) / (double)repeats;
    }
    point->seconds = point->runs ? median(took, point->runs) : NAN;
}

/* Adds the point that is due; not if the caller stopped it before its first run was over. */
static void measure_point(Bench *b)
{
    const BenchForm *form = bench_form(b->form);
    Job job = {b, form};
    BenchPoint point = {.form = b->form,
                        .n = b->n,
                        .multiply_adds = form->multiply_adds((double)b->n, (double)b->inputs.d),
                        .exponentials = form->exponentials((double)b->n, (double)b->inputs.d)};
    point.bytes = bench_memory_peak(run, &job);
    double begun = spent(b);
    run(&job);
    measure_time(&job, spent(b) - begun, &point);
    if (point.runs == 0)
        return;
    MEMORY_GROW(b->points, b->count, b->room);
    b->points[b->count++] = point;
}

/* ---- the plan ---- */

/* What the point that is due will take, by the last one of its form: runs, and two before. */
static double expected_seconds(const Bench *b)
{
    const BenchPoint *last = bench_find(b, b->form, b->n / 2);
    if (!last)
        return 0;
    double once = last->seconds * pow(2, bench_form(b->form)->order);
    double runs = fmin(MOST_RUNS, fmax(1, b->options.point / once));
    return (2 + runs) * fmax(once, LEAST_RUN);
}

static bool may_be_so_long(const BenchForm *form, size_t n)
{
    return form->most_n == 0 || n <= form->most_n;
}

static bool is_wanted(const Bench *b)
{
    return (b->options.forms >> b->form & 1) && b->left_out[b->form] == 0 &&
           may_be_so_long(bench_form(b->form), b->n);
}

/* The next form, or the first at twice the length. */
static void move_on(Bench *b)
{
    if (++b->form < BENCH_FORMS)
        return;
    b->form = 0;
    b->n *= 2;
    bench_inputs_clear(&b->inputs);
}

/* Leaves out what does not fit the budget, up to a point that does; false if none is left. */
static bool find_next(Bench *b)
{
    for (; b->n <= b->options.max_n; move_on(b)) {
        if (!is_wanted(b))
            continue;
        if (now() - b->begun + expected_seconds(b) <= b->options.seconds)
            return true;
        b->left_out[b->form] = b->n;
    }
    return false;
}

bool bench_step(Bench *b)
{
    if (b->begun == 0) {
        b->begun = now();
        b->peak = measure_peak();
    }
    if (b->ended || is_stopped(b) || !find_next(b)) {
        b->ended = true;
        return false;
    }
    if (b->inputs.n != b->n)
        b->inputs = bench_inputs_new(b->n, b->options.d);
    measure_point(b);
    move_on(b);
    b->ended = is_stopped(b) || !find_next(b);
    return !b->ended;
}

size_t bench_planned(const Bench *b)
{
    size_t count = 0;
    for (size_t n = BENCH_LEAST_N; n <= b->options.max_n; n *= 2)
        for (size_t form = 0; form < BENCH_FORMS; form++)
            count += (b->options.forms >> form & 1) && may_be_so_long(bench_form(form), n);
    return count;
}

void bench_add_next(const Bench *b, Str *out)
{
    if (b->ended)
        return;
    str_addf(out, "%s, n = %zu", bench_form(b->form)->id, b->n);
}

/* ---- what was measured ---- */

const BenchOptions *bench_options(const Bench *b)
{
    return &b->options;
}

const BenchPoint *bench_points(const Bench *b, size_t *count)
{
    *count = b->count;
    return b->points;
}

const BenchPoint *bench_find(const Bench *b, size_t form, size_t n)
{
    for (size_t i = 0; i < b->count; i++)
        if (b->points[i].form == form && b->points[i].n == n)
            return &b->points[i];
    return NULL;
}

size_t bench_left_out(const Bench *b, size_t form)
{
    return b->left_out[form];
}

size_t bench_common_n(const Bench *b)
{
    for (size_t n = BENCH_SLOPE_TO; n >= BENCH_LEAST_N; n /= 2) {
        size_t form = 0;
        while (form < BENCH_FORMS &&
               (bench_find(b, form, n) || !may_be_so_long(bench_form(form), n)))
            form++;
        if (form == BENCH_FORMS)
            return n;
    }
    return 0;
}

double bench_peak(const Bench *b)
{
    return b->peak;
}

double bench_share_of_peak(const Bench *b, const BenchPoint *point)
{
    return point->multiply_adds / point->seconds / (b->peak * (double)b->options.threads);
}

/* The slope of the least-squares line through (log n, log of what `of` says), points without
 * it left out. */
static double fit(const Bench *b, size_t form, double (*of)(const BenchPoint *))
{
    double count = 0, x_sum = 0, y_sum = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < b->count; i++) {
        const BenchPoint *p = &b->points[i];
        if (p->form != form || p->n < BENCH_SLOPE_FROM || p->n > BENCH_SLOPE_TO)
            continue;
        double x = log((double)p->n), y = log(of(p));
        if (isnan(y))
            continue;
        count++;
        x_sum += x;
        y_sum += y;
        xx += x * x;
        xy += x * y;
    }
    return count < 2 ? NAN : (count * xy - x_sum * y_sum) / (count * xx - x_sum * x_sum);
}

static double seconds_of(const BenchPoint *point)
{
    return point->seconds;
}

static double bytes_of(const BenchPoint *point)
{
    return point->bytes > 0 ? point->bytes : NAN;
}

double bench_slope(const Bench *b, size_t form)
{
    return fit(b, form, seconds_of);
}

double bench_memory_slope(const Bench *b, size_t form)
{
    return fit(b, form, bytes_of);
}

bool bench_crossover(const Bench *b, size_t slow, size_t fast, double *n, double *seconds)
{
    bool found = false;
    for (size_t k = BENCH_LEAST_N; k <= b->options.max_n / 2; k *= 2) {
        const BenchPoint *p[4] = {bench_find(b, slow, k), bench_find(b, fast, k),
                                  bench_find(b, slow, 2 * k), bench_find(b, fast, 2 * k)};
        if (!p[0] || !p[1] || !p[2] || !p[3])
            continue;
        double before = log(p[0]->seconds / p[1]->seconds);
        double after = log(p[2]->seconds / p[3]->seconds);
        if (before > 0 || after <= 0)
            continue;
        double part = before / (before - after); /* of the way from k to 2k, in logarithms */
        *n = (double)k * pow(2, part);
        *seconds = p[1]->seconds * pow(p[3]->seconds / p[1]->seconds, part);
        found = true; /* the last one counts */
    }
    return found;
}
