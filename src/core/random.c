/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/random.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "base/memory.h"
#include "core/elementary.h"

/* The finishing step of splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static gsl_rng *new_generator(const gsl_rng_type *type, uint64_t seed, uint64_t call)
{
    gsl_rng *generator = gsl_rng_alloc(type);
    if (!generator)
        memory_exhausted();
    gsl_rng_set(generator, (unsigned long)mix(mix(seed) + call));
    return generator;
}

/* --- the Mersenne Twister, remembering what it gave -------------------------- */

/* GSL's ziggurat takes a number beyond ZIGGURAT_EDGE from log(), which is not the
 * same on every machine. So the generator remembers the last but one number it
 * gave, which is what that logarithm was taken of, and the tail is computed anew
 * with ours. */
static const double ZIGGURAT_EDGE = 3.44428647676; /* PARAM_R of GSL's gausszig.c */

typedef struct {
    gsl_rng *twister;
    unsigned long last, last_but_one;
} Recorder;

static void recorder_set(void *state, unsigned long seed)
{
    gsl_rng_set(((Recorder *)state)->twister, seed);
}

static unsigned long recorder_get(void *state)
{
    Recorder *r = state;
    r->last_but_one = r->last;
    return r->last = gsl_rng_get(r->twister);
}

static double recorder_get_double(void *state)
{
    return (double)recorder_get(state) / 4294967296.0;
}

static double normal(gsl_rng *generator, const Recorder *recorder)
{
    double x = gsl_ran_gaussian_ziggurat(generator, 1);
    if (fabs(x) <= ZIGGURAT_EDGE)
        return x;
    double u = 1 - (double)recorder->last_but_one / 4294967296.0;
    double tail = ZIGGURAT_EDGE - elementary_log(u) / ZIGGURAT_EDGE;
    return x > 0 ? tail : -tail;
}

Matrix *random_normal(uint64_t seed, uint64_t call, size_t rows, size_t cols)
{
    Matrix *m = matrix_new(rows, cols);
    double *cells = matrix_fill(m);
    Recorder recorder = {new_generator(gsl_rng_mt19937, seed, call), 0, 0};
    const gsl_rng_type type = {"mt19937, recorded", 0xffffffffUL, 0,
                               sizeof recorder,     recorder_set, recorder_get,
                               recorder_get_double};
    gsl_rng generator = {&type, &recorder};
    for (size_t i = 0; i < matrix_count(m); i++)
        cells[i] = normal(&generator, &recorder);
    gsl_rng_free(recorder.twister);
    return m;
}

Matrix *random_uniform(uint64_t seed, uint64_t call, size_t rows, size_t cols)
{
    Matrix *m = matrix_new(rows, cols);
    double *cells = matrix_fill(m);
    gsl_rng *twister = new_generator(gsl_rng_mt19937, seed, call);
    for (size_t i = 0; i < matrix_count(m); i++) {
        uint64_t bits;
        do {
            uint64_t high = gsl_rng_get(twister) >> 5; /* 27 bits */
            bits = high << 26 | gsl_rng_get(twister) >> 6;
        } while (bits == 0);
        cells[i] = (double)bits * 0x1p-53;
    }
    gsl_rng_free(twister);
    return m;
}
