/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/digest.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

enum { MOST_POOLS = 4 };

typedef struct {
    Note note;
    NumberStats stats;
    bool has_stats;
    bool has_unit_rows, knows_unit_rows;
    Pool *fine;              /* blocks of DIGEST_UNIT in both directions, or NULL */
    Pool *pools[MOST_POOLS]; /* pointers: what was handed out stays where it is */
    size_t next;             /* which of them goes next */
} Digest;

static void free_pool(Pool *pool)
{
    if (pool)
        free(pool->peaks);
    free(pool);
}

static void free_digest(Note *note)
{
    Digest *digest = (Digest *)note;
    for (size_t k = 0; k < MOST_POOLS; k++)
        free_pool(digest->pools[k]);
    free_pool(digest->fine);
    free(digest);
}

static Digest *digest_of(const Matrix *m)
{
    Note **place = matrix_note(m);
    if (!*place) {
        Digest *digest = memory_zeros(1, sizeof *digest);
        digest->note.free = free_digest;
        *place = &digest->note;
    }
    return (Digest *)*place;
}

const NumberStats *digest_stats(const Matrix *m)
{
    Digest *digest = digest_of(m);
    if (!digest->has_stats)
        number_stats_add_matrix(&digest->stats, m, 0, m->rows, 0, m->cols);
    digest->has_stats = true;
    return &digest->stats;
}

/* ---- distributions ---- */

static bool find_unit_rows(const Matrix *m)
{
    size_t good = 0;
    if (m->cols < 2)
        return false;
    for (size_t i = 0; i < m->rows; i++) {
        const double *row = matrix_row(m, i);
        double sum = 0, low = 0;
        for (size_t j = 0; j < m->cols; j++) {
            sum += row[j];
            low = row[j] < low ? row[j] : low;
        }
        if (low < 0 || fabs(sum - 1) > 1e-9)
            return false;
        good += !isnan(sum);
    }
    return good > 0;
}

bool digest_has_unit_rows(const Matrix *m)
{
    Digest *digest = digest_of(m);
    if (!digest->knows_unit_rows)
        digest->has_unit_rows = find_unit_rows(m);
    digest->knows_unit_rows = true;
    return digest->has_unit_rows;
}

/* ---- pools ---- */

/* The least and the largest entry of a column in the rows of one line of blocks, or 0: it
 * is the entries farthest from 0 that are looked for. */
typedef struct {
    double *low, *high;
} Extremes;

static void add_row(Extremes *e, const double *restrict row, size_t count)
{
    double *restrict low = e->low, *restrict high = e->high;
    for (size_t j = 0; j < count; j++) {
        low[j] = row[j] < low[j] ? row[j] : low[j];
        high[j] = row[j] > high[j] ? row[j] : high[j];
    }
}

/* The peak of columns first … end - 1, which are cleared for the next line. */
static double take_peak(Extremes *e, size_t first, size_t end)
{
    double low = 0, high = 0;
    for (size_t j = first; j < end; j++) {
        low = e->low[j] < low ? e->low[j] : low;
        high = e->high[j] > high ? e->high[j] : high;
        e->low[j] = e->high[j] = 0;
    }
    return -low > high ? low : high;
}

/* Numbers row by row: a matrix, or the peaks of its blocks. */
typedef struct {
    const double *cells;
    size_t rows, cols;
    bool has_nan;
} Numbers;

/* Comparisons pass NaN over. */
static void mark_nans(Pool *pool, const Numbers *n)
{
    for (size_t i = 0; i < n->rows; i++)
        for (size_t j = 0; j < n->cols; j++)
            if (isnan(n->cells[i * n->cols + j]))
                pool->peaks[i / pool->block_rows * pool->cols + j / pool->block_cols] = (double)NAN;
}

static size_t blocks(size_t count, size_t block)
{
    return (count - 1) / block + 1;
}

static Pool *make_pool(const Numbers *n, size_t block_rows, size_t block_cols)
{
    Pool *pool = memory_zeros(1, sizeof *pool);
    *pool = (Pool){block_rows, block_cols, blocks(n->rows, block_rows),
                   blocks(n->cols, block_cols), NULL};
    pool->peaks = memory_zeros(pool->rows * pool->cols, sizeof *pool->peaks);
    Extremes line = {memory_zeros(n->cols, sizeof(double)), memory_zeros(n->cols, sizeof(double))};
    for (size_t i = 0; i < n->rows; i++) {
        add_row(&line, n->cells + i * n->cols, n->cols);
        if ((i + 1) % block_rows != 0 && i + 1 < n->rows)
            continue;
        for (size_t b = 0; b < pool->cols; b++) {
            size_t end = (b + 1) * block_cols;
            pool->peaks[i / block_rows * pool->cols + b] =
                take_peak(&line, b * block_cols, end < n->cols ? end : n->cols);
        }
    }
    free(line.low);
    free(line.high);
    if (n->has_nan)
        mark_nans(pool, n);
    return pool;
}

/* A peak of peaks is the peak of all, so blocks of whole units are made of theirs. */
static Pool *make_from_units(Digest *digest, const Numbers *all, size_t block_rows,
                             size_t block_cols)
{
    if (!digest->fine)
        digest->fine = make_pool(all, DIGEST_UNIT, DIGEST_UNIT);
    const Numbers units = {digest->fine->peaks, digest->fine->rows, digest->fine->cols,
                           all->has_nan};
    Pool *pool = make_pool(&units, block_rows / DIGEST_UNIT, block_cols / DIGEST_UNIT);
    pool->block_rows = block_rows;
    pool->block_cols = block_cols;
    return pool;
}

const Pool *digest_pool(const Matrix *m, size_t block_rows, size_t block_cols)
{
    assert(matrix_count(m) > 0 && block_rows > 0 && block_cols > 0);
    Digest *digest = digest_of(m);
    for (size_t k = 0; k < MOST_POOLS; k++) {
        const Pool *pool = digest->pools[k];
        if (pool && pool->block_rows == block_rows && pool->block_cols == block_cols)
            return pool;
    }
    const Numbers all = {m->cells, m->rows, m->cols, digest_stats(m)->has_nan};
    bool units = block_rows % DIGEST_UNIT == 0 && block_cols % DIGEST_UNIT == 0;
    Pool **place = &digest->pools[digest->next++ % MOST_POOLS];
    free_pool(*place);
    *place = units ? make_from_units(digest, &all, block_rows, block_cols)
                   : make_pool(&all, block_rows, block_cols);
    return *place;
}

void digest_find_peak(const Matrix *m, size_t block_rows, size_t block_cols, size_t i, size_t j,
                      size_t *row, size_t *col)
{
    double best = -1;
    *row = i * block_rows;
    *col = j * block_cols;
    for (size_t a = i * block_rows; a < (i + 1) * block_rows && a < m->rows; a++)
        for (size_t b = j * block_cols; b < (j + 1) * block_cols && b < m->cols; b++) {
            double x = matrix_at(m, a, b), size = isnan(x) ? (double)INFINITY : fabs(x);
            bool wins = isnan(x) || size > best || (size == best && x > matrix_at(m, *row, *col));
            if (!wins)
                continue;
            best = size;
            *row = a;
            *col = b;
            if (isnan(x))
                return;
        }
}
