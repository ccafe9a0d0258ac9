/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_form: the forms of attention that `bench` measures, one row a form.
 *
 * All are causal, with keys and values of one width d; the inputs are random. */
#ifndef APP_BENCH_FORM_H
#define APP_BENCH_FORM_H

#include <stddef.h>

#include "core/matrix.h"
#include "core/pool.h"

typedef enum {
    BENCH_SOFTMAX,
    BENCH_TABLE,
    BENCH_WINDOW,
    BENCH_LINEAR,
    BENCH_LINEAR_CHUNKS,
    BENCH_FAVOR,
    BENCH_DELTA,
    BENCH_DELTA_CHUNKS,
    BENCH_GATED,
    BENCH_FORMS
} BenchFormId;

enum { BENCH_WINDOW_WIDTH = 256, BENCH_CHUNK = 32, BENCH_FEATURES = 128 };

/* What a layer of n tokens reads. */
typedef struct {
    size_t n, d;
    Matrix *Q, *K, *V;    /* (n,d), standard normal */
    Matrix *unit;         /* K with rows of length 1 */
    Matrix *beta, *alpha; /* (n,1): between 0 and 1, between 0.9 and 1 */
    Matrix *W;            /* (BENCH_FEATURES,d) */
} BenchInputs;

/* Inputs of n tokens and width d; longer ones begin with the same tokens. */
BenchInputs bench_inputs_new(size_t n, size_t d);
void bench_inputs_clear(BenchInputs *inputs);

typedef struct {
    const char *id;   /* in CSV and JSON */
    const char *name; /* on a page */
    int order;        /* time and counts grow as n to that power */
    size_t most_n;    /* 0: any */
    /* Multiply-adds and exponentials of n tokens of width d, as `eval --cost` counts them. */
    double (*multiply_adds)(double n, double d);
    double (*exponentials)(double n, double d);
    /* Runs it; the outputs (n,d), a new reference. */
    Matrix *(*run)(const BenchInputs *inputs, Pool *pool);
} BenchForm;

const BenchForm *bench_form(size_t id);

#endif
