/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer_blas: the delta rules as a loop of matrix-vector calls into the system's CBLAS.
 *
 *     peer_blas delta|gated N [D=64] [RUNS=7] [LIBRARY=libblas.so.3]
 *
 * The library is opened when it runs, so that building needs none. */
#include <dlfcn.h>
#include <string.h>

#include "measure.h"

typedef struct {
    size_t n, d;
    int gated;
    double *q, *k, *v, *beta, *alpha, *y, *S, *err;
} Job;

enum { ROW_MAJOR = 101, TRANSPOSED = 112 };

static void (*dgemv)(int, int, int, int, double, const double *, int, const double *, int, double,
                     double *, int);
static void (*dger)(int, int, int, double, const double *, int, const double *, int, double *, int);
static void (*dscal)(int, double, double *, int);

static void run(void *argument)
{
    Job *job = argument;
    int d = (int)job->d;
    memset(job->S, 0, job->d * job->d * sizeof *job->S);
    for (size_t t = 0; t < job->n; t++) {
        const double *k = job->k + t * job->d;
        if (job->gated)
            dscal(d * d, job->alpha[t], job->S, 1);
        memcpy(job->err, job->v + t * job->d, job->d * sizeof *job->err);
        dgemv(ROW_MAJOR, TRANSPOSED, d, d, -1, job->S, d, k, 1, 1, job->err, 1);
        dger(ROW_MAJOR, d, d, job->beta[t], k, 1, job->err, 1, job->S, d);
        dgemv(ROW_MAJOR, TRANSPOSED, d, d, 1, job->S, d, job->q + t * job->d, 1, 0,
              job->y + t * job->d, 1);
    }
}

/* The function called name, copied into the pointer at `to`. */
static void find_function(void *library, const char *name, void *to)
{
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "%s\n", dlerror());
        exit(77);
    }
    memcpy(to, &found, sizeof found);
}

static double *numbers(size_t count)
{
    double *x = calloc(count, sizeof *x);
    if (!x)
        exit(1);
    return x;
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fputs("usage: peer_blas delta|gated N [D] [RUNS] [LIBRARY]\n", stderr);
        return 2;
    }
    void *library = dlopen(count > 5 ? arguments[5] : "libblas.so.3", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 77;
    }
    find_function(library, "cblas_dgemv", &dgemv);
    find_function(library, "cblas_dger", &dger);
    find_function(library, "cblas_dscal", &dscal);
    Job job = {.n = strtoul(arguments[2], NULL, 10), .d = 64};
    if (count > 3)
        job.d = strtoul(arguments[3], NULL, 10);
    size_t runs = count > 4 ? strtoul(arguments[4], NULL, 10) : 7, cells = job.n * job.d;
    job.gated = strcmp(arguments[1], "gated") == 0;
    double *memory = numbers(4 * cells + 2 * job.n + job.d * job.d + job.d);
    job.q = memory;
    job.k = job.q + cells;
    job.v = job.k + cells;
    job.y = job.v + cells;
    job.beta = job.y + cells;
    job.alpha = job.beta + job.n;
    job.S = job.alpha + job.n;
    job.err = job.S + job.d * job.d;
    measure_inputs(job.q, job.k, job.v, job.beta, job.alpha, job.n, job.d, 1);
    double base = measure_peak_mb(), checksum = 0;
    Timing t = measure_run(run, &job, runs ? runs : 1);
    for (size_t i = 0; i < cells; i++)
        checksum += fabs(job.y[i]);
    measure_print("cblas loop", arguments[1], job.n, job.d, t, base, checksum);
    free(memory);
    dlclose(library);
    return 0;
}
