/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/delta.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/vector.h"

/* What both forms work with: the sizes, the input, and the rates of token t. */
typedef struct {
    const DeltaInput *in;
    size_t n, d_k, d_v;
} Sizes;

static inline bool is_rate(const Matrix *m, size_t n)
{
    return m->cols == 1 && (m->rows == 1 || m->rows == n);
}

static Sizes check_shapes(const DeltaInput *in)
{
    Sizes s = {in, in->K->rows, in->K->cols, in->V->cols};
    assert(in->Q->rows == s.n && in->V->rows == s.n && in->Q->cols == s.d_k);
    assert(is_rate(in->beta, s.n) && (!in->alpha || is_rate(in->alpha, s.n)));
    assert(!in->S || (in->S->rows == s.d_k && in->S->cols == s.d_v));
    return s;
}

static double rate_at(const Matrix *rate, size_t t)
{
    return !rate ? 1 : rate->rows == 1 ? rate->cells[0] : rate->cells[t];
}

static DeltaResult begin(const Sizes *s, size_t states)
{
    DeltaResult r = {0};
    const Matrix *S = s->in->S;
    r.Y = matrix_new(s->n, s->d_v);
    r.S = S ? matrix_from(s->d_k, s->d_v, S->cells) : matrix_new(s->d_k, s->d_v);
    if (s->in->keep_states)
        r.S_all = matrix_new(states * s->d_k, s->d_v);
    return r;
}

static void keep_state(DeltaResult *r, size_t index)
{
    size_t cells = matrix_count(r->S);
    if (r->S_all && cells)
        memcpy(matrix_fill(r->S_all) + index * cells, r->S->cells, cells * sizeof(double));
}

/* One token: forget, predict, correct, write, read. pred and err have room for d_v. */
static void step(const Sizes *s, DeltaResult *r, size_t t, double *pred, double *err)
{
    double *S = matrix_fill(r->S), beta = rate_at(s->in->beta, t);
    const double *k = matrix_row(s->in->K, t), *v = matrix_row(s->in->V, t);
    if (s->in->alpha)
        vector_scale(S, rate_at(s->in->alpha, t), s->d_k * s->d_v);
    vector_read_state(pred, S, k, s->d_k, s->d_v);
    for (size_t c = 0; c < s->d_v; c++)
        err[c] = v[c] - pred[c];
    for (size_t i = 0; i < s->d_k; i++)
        vector_add_scaled(S + i * s->d_v, beta * k[i], err, s->d_v);
    vector_read_state(matrix_fill(r->Y) + t * s->d_v, S, matrix_row(s->in->Q, t), s->d_k, s->d_v);
}

DeltaResult delta_recurrent(const DeltaInput *in)
{
    Sizes s = check_shapes(in);
    DeltaResult r = begin(&s, s.n);
    Matrix *pred = matrix_new(in->keep_states ? s.n : 1, s.d_v);
    Matrix *err = matrix_new(in->keep_states ? s.n : 1, s.d_v);
    for (size_t t = 0; t < s.n; t++) {
        size_t row = in->keep_states ? t * s.d_v : 0;
        step(&s, &r, t, matrix_fill(pred) + row, matrix_fill(err) + row);
        keep_state(&r, t);
    }
    if (in->keep_states) {
        r.pred = pred;
        r.err = err;
        return r;
    }
    matrix_unref(pred);
    matrix_unref(err);
    return r;
}

/* A chunk: its tokens first..end-1 and the decays within it, counted from first. */
typedef struct {
    size_t first, end;
    double *share;  /* (C,C): alpha_(j+1)..alpha_i for j <= i */
    double *before; /* (C): alpha_first..alpha_i */
    double *E;      /* (C,d_v): the scaled errors beta_j err_j that the chunk writes */
} Chunk;

static void make_decays(const Sizes *s, Chunk *c)
{
    size_t count = c->end - c->first;
    double product = 1;
    for (size_t i = 0; i < count; i++) {
        double alpha = rate_at(s->in->alpha, c->first + i);
        for (size_t j = 0; j < i; j++)
            c->share[i * count + j] = alpha * c->share[(i - 1) * count + j];
        c->share[i * count + i] = 1;
        c->before[i] = product *= alpha;
    }
}

/* U = T diag(beta) V and W = T diag(beta before) K by forward substitution: row i
 * is its own right side less L(i,j) times the rows j < i already solved. */
static void solve_chunk(const Sizes *s, const Chunk *c, double *U, double *W)
{
    size_t count = c->end - c->first, d_k = s->d_k, d_v = s->d_v;
    for (size_t i = 0; i < count; i++) {
        size_t t = c->first + i;
        double beta = rate_at(s->in->beta, t);
        const double *k = matrix_row(s->in->K, t);
        vector_add_scaled(U + i * d_v, beta, matrix_row(s->in->V, t), d_v);
        vector_add_scaled(W + i * d_k, beta * c->before[i], k, d_k);
        for (size_t j = 0; j < i; j++) {
            double dot = vector_dot(k, matrix_row(s->in->K, c->first + j), d_k);
            double L = beta * dot * c->share[i * count + j];
            vector_add_scaled(U + i * d_v, -L, U + j * d_v, d_v);
            vector_add_scaled(W + i * d_k, -L, W + j * d_k, d_k);
        }
    }
}

/* Outputs of the chunk from S before it and the errors E that it writes. */
static void read_chunk(const Sizes *s, const Chunk *c, DeltaResult *r)
{
    size_t count = c->end - c->first;
    for (size_t i = 0; i < count; i++) {
        const double *q = matrix_row(s->in->Q, c->first + i);
        double *y = matrix_fill(r->Y) + (c->first + i) * s->d_v;
        vector_read_state(y, r->S->cells, q, s->d_k, s->d_v);
        vector_scale(y, c->before[i], s->d_v);
        for (size_t j = 0; j <= i; j++) {
            double dot = vector_dot(q, matrix_row(s->in->K, c->first + j), s->d_k);
            vector_add_scaled(y, dot * c->share[i * count + j], c->E + j * s->d_v, s->d_v);
        }
    }
}

static void write_chunk(const Sizes *s, const Chunk *c, DeltaResult *r)
{
    size_t count = c->end - c->first;
    const double *last = c->share + (count - 1) * count;
    double *S = matrix_fill(r->S);
    vector_scale(S, c->before[count - 1], s->d_k * s->d_v);
    for (size_t j = 0; j < count; j++) {
        const double *k = matrix_row(s->in->K, c->first + j);
        for (size_t i = 0; i < s->d_k; i++)
            vector_add_scaled(S + i * s->d_v, last[j] * k[i], c->E + j * s->d_v, s->d_v);
    }
}

static void run_chunk(const Sizes *s, Chunk *c, DeltaResult *r)
{
    size_t count = c->end - c->first;
    double *U = matrix_fill(r->U) + c->first * s->d_v, *W = matrix_fill(r->W) + c->first * s->d_k;
    make_decays(s, c);
    solve_chunk(s, c, U, W);
    for (size_t i = 0; i < count; i++) {
        double *e = c->E + i * s->d_v;
        vector_read_state(e, r->S->cells, W + i * s->d_k, s->d_k, s->d_v);
        for (size_t l = 0; l < s->d_v; l++)
            e[l] = U[i * s->d_v + l] - e[l];
    }
    read_chunk(s, c, r);
    write_chunk(s, c, r);
}

DeltaResult delta_chunked(const DeltaInput *in, size_t chunk)
{
    assert(chunk > 0);
    Sizes s = check_shapes(in);
    size_t chunks = s.n / chunk + (s.n % chunk != 0), longest = chunk < s.n ? chunk : s.n;
    DeltaResult r = begin(&s, chunks);
    r.U = matrix_new(s.n, s.d_v);
    r.W = matrix_new(s.n, s.d_k);
    Matrix *share = matrix_new(longest, longest), *before = matrix_new(longest, 1);
    Matrix *E = matrix_new(longest, s.d_v);
    for (size_t c = 0; c < chunks; c++) {
        size_t first = c * chunk, end = s.n - first < chunk ? s.n : first + chunk;
        Chunk part = {first, end, matrix_fill(share), matrix_fill(before), matrix_fill(E)};
        run_chunk(&s, &part, &r);
        keep_state(&r, c);
    }
    matrix_unref(share);
    matrix_unref(before);
    matrix_unref(E);
    return r;
}

void delta_result_clear(DeltaResult *r)
{
    Matrix *all[] = {r->Y, r->S, r->S_all, r->pred, r->err, r->U, r->W};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        matrix_unref(all[i]);
    *r = (DeltaResult){0};
}
