/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_forms: times one of our forms; run.py runs it beside the peers.
 *
 *     bench_forms CASE N [D=64] [RUNS=7] [LEVEL=best|portable|x86-64-v3|x86-64-v4] [THREADS=1]
 *
 * prints one line (measure.h).  stream_* feeds N tokens in blocks through one state: its
 * figure is the peak of memory.  `bench_forms isa` prints the level that would run, and
 * `bench_forms start PROGRAM ARGUMENT...` what starting that program costs. */
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <gsl/gsl_blas.h>

#include "base/memory.h"
#include "core/elementary.h"
#include "core/fast_delta.h"
#include "core/fast_favor.h"
#include "core/fast_level.h"
#include "core/fast_linear.h"
#include "core/fast_softmax.h"
#include "core/product.h"
#include "core/random.h"
#include "core/start.h"
#include "io/csv.h"
#include "io/npy.h"
#include "measure.h"

typedef struct {
    size_t n, d;
    Pool *pool;
    Matrix *Q, *K, *V, *beta, *alpha, *extra;
    Str text;
    Matrix *result; /* the last one */
} Job;

static void give(Job *job, Matrix *Y)
{
    matrix_unref(job->result);
    job->result = Y;
}

/* The sum of the absolute values of the result. */
static double add_up(const Matrix *Y)
{
    double sum = 0;
    for (size_t i = 0; Y && i < matrix_count(Y); i++)
        sum += fabs(Y->cells[i]);
    return sum;
}

/* --- the forms ------------------------------------------------------------------- */

static void run_softmax(Job *job, SoftmaxMask mask)
{
    double scale = 1 / sqrt((double)job->d);
    give(job, fast_softmax_attention(job->Q, job->K, job->V, mask, 256, scale, job->pool));
}

static void softmax_causal(void *job)
{
    run_softmax(job, SOFTMAX_CAUSAL);
}

static void softmax_full(void *job)
{
    run_softmax(job, SOFTMAX_FULL);
}

static void softmax_window(void *job)
{
    run_softmax(job, SOFTMAX_WINDOW);
}

static void run_linear(Job *job, const Matrix *decay, size_t chunk)
{
    LinearInput in = {
        .phiQ = job->Q, .phiK = job->K, .V = job->V, .decay = decay, .normalised = true};
    LinearResult r = fast_linear_layer(&in, FAST_ELU1, chunk, job->pool);
    give(job, matrix_ref(r.Y));
    linear_result_clear(&r);
}

static void linear(void *job)
{
    run_linear(job, NULL, 0);
}

static void linear_decay(void *job)
{
    run_linear(job, ((Job *)job)->alpha, 0);
}

static void linear_chunk(void *job)
{
    run_linear(job, NULL, 32);
}

static void linear_full_form(void *argument)
{
    Job *job = argument;
    LinearInput in = {.phiQ = job->Q, .phiK = job->K, .V = job->V, .normalised = true};
    LinearResult r = fast_linear_full(&in, FAST_ELU1, job->pool);
    give(job, matrix_ref(r.Y));
    linear_result_clear(&r);
}

static void run_delta(Job *job, bool gated, size_t chunk)
{
    DeltaInput in = {.Q = job->Q, .K = job->K, .V = job->V, .beta = job->beta};
    in.alpha = gated ? job->alpha : NULL;
    DeltaResult r = fast_delta_layer(&in, chunk, job->pool);
    give(job, matrix_ref(r.Y));
    delta_result_clear(&r);
}

static void delta(void *job)
{
    run_delta(job, false, 0);
}

static void delta_chunk(void *job)
{
    run_delta(job, false, 32);
}

static void gated(void *job)
{
    run_delta(job, true, 0);
}

static void gated_chunk(void *job)
{
    run_delta(job, true, 32);
}

static void favor(void *argument)
{
    Job *job = argument;
    if (!job->extra)
        job->extra = random_normal(1, 1, 128, job->d);
    LinearResult r =
        fast_favor_attention(job->Q, job->K, job->V, job->extra, true, true, job->pool);
    give(job, matrix_ref(r.Y));
    linear_result_clear(&r);
}

/* --- products: (n,d) taken as (n,n) where n == d -------------------------------------- */

static void product(void *argument)
{
    Job *job = argument;
    give(job, matrix_multiply(job->Q, job->K));
}

static void product_gsl(void *argument)
{
    Job *job = argument;
    Matrix *c = matrix_new(job->n, job->n);
    gsl_matrix_const_view a = gsl_matrix_const_view_array(job->Q->cells, job->n, job->n);
    gsl_matrix_const_view b = gsl_matrix_const_view_array(job->K->cells, job->n, job->n);
    gsl_matrix_view out = gsl_matrix_view_array(matrix_fill(c), job->n, job->n);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, &a.matrix, &b.matrix, 0, &out.matrix);
    give(job, c);
}

static void exact_exp(void *argument)
{
    Job *job = argument;
    give(job, elementary_exp_matrix(job->Q));
}

/* --- CSV: an (n,d) matrix to a file that is written over, and back --------------------------- */

static const char *csv_path(void)
{
    const char *path = getenv("BENCH_CSV");
    return path ? path : "bench.csv";
}

static void csv_write(void *argument)
{
    Job *job = argument;
    FILE *file = fopen(csv_path(), "wb");
    str_cut(&job->text, 0);
    csv_add_matrix(&job->text, job->extra);
    if (!file || fwrite(job->text.data, 1, job->text.length, file) != job->text.length ||
        fclose(file) != 0)
        exit(1);
}

static void csv_printf(void *argument)
{
    Job *job = argument;
    FILE *file = fopen(csv_path(), "wb");
    if (!file)
        exit(1);
    for (size_t i = 0; i < job->n; i++)
        for (size_t j = 0; j < job->d; j++)
            fprintf(file, "%.17g%c", matrix_at(job->extra, i, j), j + 1 < job->d ? ',' : '\n');
    if (fclose(file) != 0)
        exit(1);
}

static void csv_read(void *argument)
{
    Job *job = argument;
    Matrix *m = NULL;
    Error error = {0};
    if (npy_or_csv_read_file(csv_path(), MATRIX_MAX_CELLS, false, &m, &error) != STATUS_OK)
        exit(1);
    give(job, m);
}

/* --- streams ---------------------------------------------------------------------- */

enum { BLOCK = 1024 };

/* The job's first BLOCK rows over and over until n tokens have been fed. */
static void stream_linear(void *argument)
{
    Job *job = argument;
    FastLinearShape shape = {job->d, job->d, FAST_ELU1, true, 0};
    FastLinear *layer = fast_linear_new(&shape, NULL, NULL);
    Matrix *Y = matrix_new(BLOCK, job->d);
    for (size_t done = 0; done < job->n; done += BLOCK)
        fast_linear_feed(layer, job->n - done < BLOCK ? job->n - done : BLOCK, job->Q->cells,
                         job->K->cells, job->V->cells, NULL, matrix_fill(Y), NULL, job->pool);
    fast_linear_free(layer);
    give(job, Y);
}

static void stream_gated(void *argument)
{
    Job *job = argument;
    FastDeltaShape shape = {job->d, job->d, 0};
    FastDelta *layer = fast_delta_new(&shape, NULL);
    Matrix *Y = matrix_new(BLOCK, job->d);
    for (size_t done = 0; done < job->n; done += BLOCK)
        fast_delta_feed(layer, job->n - done < BLOCK ? job->n - done : BLOCK, job->Q->cells,
                        job->K->cells, job->V->cells, job->beta->cells, job->alpha->cells,
                        matrix_fill(Y), job->pool);
    fast_delta_free(layer);
    give(job, Y);
}

/* --- the program ---------------------------------------------------------------------- */

typedef enum { INPUT_ROWS, INPUT_UNIT_KEYS, INPUT_BLOCK, INPUT_NORMAL } Input;

static const struct {
    const char *name;
    void (*work)(void *);
    Input input;
} cases[] = {
    {"softmax_causal", softmax_causal, INPUT_ROWS},
    {"softmax_full", softmax_full, INPUT_ROWS},
    {"softmax_window", softmax_window, INPUT_ROWS},
    {"linear", linear, INPUT_ROWS},
    {"linear_decay", linear_decay, INPUT_ROWS},
    {"linear_chunk", linear_chunk, INPUT_ROWS},
    {"linear_full", linear_full_form, INPUT_ROWS},
    {"favor", favor, INPUT_ROWS},
    {"delta", delta, INPUT_UNIT_KEYS},
    {"delta_chunk", delta_chunk, INPUT_UNIT_KEYS},
    {"gated", gated, INPUT_UNIT_KEYS},
    {"gated_chunk", gated_chunk, INPUT_UNIT_KEYS},
    {"product", product, INPUT_ROWS},
    {"product_gsl", product_gsl, INPUT_ROWS},
    {"exp", exact_exp, INPUT_ROWS},
    {"csv_write", csv_write, INPUT_NORMAL},
    {"csv_printf", csv_printf, INPUT_NORMAL},
    {"csv_read", csv_read, INPUT_NORMAL},
    {"stream_linear", stream_linear, INPUT_BLOCK},
    {"stream_gated", stream_gated, INPUT_BLOCK},
};

static size_t find_case(const char *name)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, name) == 0)
            return i;
    fprintf(stderr, "unknown case '%s'\n", name);
    exit(2);
}

static void choose_level(const char *name)
{
    FastLevel level;
    if (strcmp(name, "best") == 0)
        return;
    if (!fast_level_find(name, &level)) {
        fprintf(stderr, "this processor has no level '%s'\n", name);
        exit(2);
    }
    fast_level_set(level);
}

static void make_inputs(Job *job, Input input)
{
    if (input == INPUT_NORMAL) {
        job->extra = random_normal(1, 1, job->n, job->d);
        return;
    }
    size_t n = input == INPUT_BLOCK ? BLOCK : job->n;
    job->Q = matrix_new(n, job->d);
    job->K = matrix_new(n, job->d);
    job->V = matrix_new(n, job->d);
    job->beta = matrix_new(n, 1);
    job->alpha = matrix_new(n, 1);
    measure_inputs(matrix_fill(job->Q), matrix_fill(job->K), matrix_fill(job->V),
                   matrix_fill(job->beta), matrix_fill(job->alpha), n, job->d, input != INPUT_ROWS);
}

extern char **environ;

static double children_ms(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1e3 +
           (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1e-3;
}

/* Runs the program 25 times with its output thrown away: the median of its CPU time, and its
 * peak of memory (at least this program's own). */
static int measure_start(char **command)
{
    enum { RUNS = 25 };
    double spent[RUNS];
    struct rusage before = {0}, after = {0};
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    for (size_t i = 0; i < RUNS; i++) {
        pid_t child;
        int status;
        getrusage(RUSAGE_CHILDREN, &before);
        if (posix_spawnp(&child, command[0], &quiet, NULL, command, environ) != 0 ||
            waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
            return 77;
        getrusage(RUSAGE_CHILDREN, &after);
        spent[i] = children_ms(&after) - children_ms(&before);
    }
    posix_spawn_file_actions_destroy(&quiet);
    qsort(spent, RUNS, sizeof *spent, measure_compare);
    printf("%s,start,0,0,0,%.4f,%.1f,0,0\n", command[0], spent[RUNS / 2],
           (double)after.ru_maxrss / 1024);
    return 0;
}

int main(int count, char **arguments)
{
    if (count > 2 && strcmp(arguments[1], "start") == 0)
        return measure_start(arguments + 2);
    if (count == 2 && strcmp(arguments[1], "isa") == 0) {
        puts(fast_level_name(fast_level()));
        return 0;
    }
    if (count < 3) {
        fputs("usage: bench_forms CASE N [D] [RUNS] [LEVEL] [THREADS]\n", stderr);
        return 2;
    }
    core_start();
    size_t which = find_case(arguments[1]);
    Job job = {.n = strtoul(arguments[2], NULL, 10), .d = 64};
    if (count > 3)
        job.d = strtoul(arguments[3], NULL, 10);
    size_t runs = count > 4 ? strtoul(arguments[4], NULL, 10) : 7;
    choose_level(count > 5 ? arguments[5] : "best");
    job.pool = pool_new(count > 6 ? strtoul(arguments[6], NULL, 10) : 1);
    make_inputs(&job, cases[which].input);
    double base = measure_peak_mb();
    Timing t = measure_run(cases[which].work, &job, runs ? runs : 1);
    measure_print("attnwalk", arguments[1], job.n, job.d, t, base, add_up(job.result));
    Matrix *all[] = {job.Q, job.K, job.V, job.beta, job.alpha, job.extra, job.result};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        matrix_unref(all[i]);
    str_clear(&job.text);
    pool_free(job.pool);
    core_end();
    return 0;
}
