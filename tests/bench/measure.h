/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure: what the measured programs of tests/bench share: inputs, timing, one result line.
 *
 * The inputs are a Weyl sequence, the same bits here and in peer_numpy.py: entry i is
 * 2 frac(0.6180339887498949 i + start) - 1. */
#ifndef TESTS_BENCH_MEASURE_H
#define TESTS_BENCH_MEASURE_H

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    double wall_ms, cpu_ms;
} Timing;

static inline void measure_weyl(double *x, size_t count, double start)
{
    for (size_t i = 0; i < count; i++) {
        double v = (double)i * 0.6180339887498949 + start;
        x[i] = 2 * (v - floor(v)) - 1;
    }
}

/* Queries, keys (of length 1 for the delta rules), values, beta and alpha. */
static inline void measure_inputs(double *q, double *k, double *v, double *beta, double *alpha,
                                  size_t n, size_t d, int unit_keys)
{
    measure_weyl(q, n * d, 0.1);
    measure_weyl(k, n * d, 0.3);
    measure_weyl(v, n * d, 0.5);
    measure_weyl(beta, n, 0.7);
    measure_weyl(alpha, n, 0.9);
    for (size_t t = 0; t < n; t++) {
        double square = 0;
        for (size_t i = 0; unit_keys && i < d; i++)
            square += k[t * d + i] * k[t * d + i];
        for (size_t i = 0; unit_keys && i < d; i++)
            k[t * d + i] /= sqrt(square);
        beta[t] = 0.5 + 0.4 * beta[t];
        alpha[t] = 0.95 + 0.04 * alpha[t];
    }
}

static inline double measure_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* The peak of this program's memory; getrusage would count the parent's before exec too. */
static inline double measure_peak_mb(void)
{
    char line[256];
    long peak = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            peak = strtol(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return (double)peak / 1024;
}

static inline int measure_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Runs work(job) once to warm up, then `runs` times, each repeated for 20 ms at least;
 * the medians of one call. */
static inline Timing measure_run(void (*work)(void *), void *job, size_t runs)
{
    double *wall = calloc(runs, sizeof *wall), *cpu = calloc(runs, sizeof *cpu);
    if (!wall || !cpu)
        exit(1);
    double start = measure_clock(CLOCK_MONOTONIC);
    work(job);
    double first = measure_clock(CLOCK_MONOTONIC) - start;
    size_t inner = first > 20 ? 1 : (size_t)(20 / (first + 1e-6)) + 1;
    for (size_t r = 0; r < runs; r++) {
        double begun = measure_clock(CLOCK_MONOTONIC);
        double spent = measure_clock(CLOCK_PROCESS_CPUTIME_ID);
        for (size_t i = 0; i < inner; i++)
            work(job);
        cpu[r] = (measure_clock(CLOCK_PROCESS_CPUTIME_ID) - spent) / (double)inner;
        wall[r] = (measure_clock(CLOCK_MONOTONIC) - begun) / (double)inner;
    }
    qsort(wall, runs, sizeof *wall, measure_compare);
    qsort(cpu, runs, sizeof *cpu, measure_compare);
    Timing t = {wall[runs / 2], cpu[runs / 2]};
    free(wall);
    free(cpu);
    return t;
}

/* who,case,n,d,wall_ms,cpu_ms,peak_mb,above_mb,checksum */
static inline void measure_print(const char *who, const char *name, size_t n, size_t d, Timing t,
                                 double base_mb, double checksum)
{
    double peak = measure_peak_mb();
    printf("%s,%s,%zu,%zu,%.4f,%.4f,%.1f,%.1f,%.13g\n", who, name, n, d, t.wall_ms, t.cpu_ms, peak,
           peak - base_mb, checksum);
}

#endif
