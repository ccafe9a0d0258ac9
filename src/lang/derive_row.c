/* SPDX-License-Identifier: GPL-3.0-or-later */
/* derive_row: softmax, and the functions of one row: entropy, unit rows, rope, the quadratic
 * map, positive random features. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "core/elementary.h"
#include "lang/derive.h"

static double at(const Value *v, size_t i, size_t j)
{
    return matrix_at(value_matrix(v), i, j);
}

static bool same_shape(const Value *a, const Value *b)
{
    return a->rows.n == b->rows.n && a->cols.n == b->cols.n;
}

/* exp(s - max) / sum over row i; a row of -Inf alone gives zeros. */
bool derive_softmax_steps(Sentence *s)
{
    const Value *A = sentence_operand(s, 0);
    if (A == NULL || !same_shape(A, s->value))
        return false;
    double most = -INFINITY, sum = 0.0;
    for (size_t k = 0; k < A->cols.n; k++)
        most = fmax(most, at(A, s->i, k));
    for (size_t k = 0; k < A->cols.n; k++)
        sum += elementary_exp(at(A, s->i, k) - most);
    Region cell = sentence_cell(s, 0, s->i, s->j);
    Region row = sentence_region(s, 0, s->i, 1, 0, A->cols.n);
    sentence_keep(s, &row);
    str_add(&s->step, "exp(");
    sentence_say(s, &cell);
    str_add(&s->step, " - max)/sum");
    sentence_end_step(s);
    if (most == -INFINITY && !isnan(s->cell)) {
        str_add(&s->note, ": every score of the row is -Inf, there is nothing to choose from");
        return true;
    }
    if (isnan(s->cell))
        str_add(&s->note, ": a row with NaN or Inf has no softmax");
    str_add(&s->step, "exp(");
    sentence_add_number(s, at(A, s->i, s->j));
    str_add(&s->step, " - ");
    sentence_add_operand(s, most);
    str_add(&s->step, ")/");
    sentence_add_operand(s, sum);
    sentence_end_step(s);
    return true;
}

static bool write_entropy(Sentence *s, const Value *P)
{
    Term *terms = memory_alloc(P->cols.n * sizeof *terms);
    Region row = sentence_region(s, 0, s->i, 1, 0, P->cols.n);
    for (size_t k = 0; k < P->cols.n; k++)
        terms[k] = (Term){TERM_ENTROPY, at(P, s->i, k), 0};
    sentence_call(s, "entropy", &row);
    str_add(&s->step, "-(");
    phrase_add_sum(&s->step, s->style, terms, P->cols.n);
    str_add_char(&s->step, ')');
    sentence_end_step(s);
    free(terms);
    return true;
}

/* The Euclidean norm of row i, scaled so that squares do not overflow. */
static double row_norm(const Value *X, size_t i)
{
    double largest = 0.0, sum = 0.0;
    for (size_t k = 0; k < X->cols.n; k++)
        largest = fmax(largest, fabs(at(X, i, k)));
    if (largest == 0.0 || isinf(largest))
        return largest;
    for (size_t k = 0; k < X->cols.n; k++)
        sum += at(X, i, k) / largest * (at(X, i, k) / largest);
    return largest * sqrt(sum);
}

static bool write_unit_row(Sentence *s, const Value *X)
{
    Region cell = sentence_cell(s, 0, s->i, s->j);
    Region row = sentence_region(s, 0, s->i, 1, 0, X->cols.n);
    double norm = row_norm(X, s->i);
    sentence_say(s, &cell);
    str_add(&s->step, "/norm(");
    sentence_mention(s, &row);
    str_add_char(&s->step, ')');
    sentence_end_step(s);
    if (norm == 0.0) {
        str_add(&s->note, ": a row of zeros stays zero");
        return true;
    }
    sentence_add_operand(s, at(X, s->i, s->j));
    str_add_char(&s->step, '/');
    sentence_add_operand(s, norm);
    sentence_end_step(s);
    return true;
}

/* Row t (from 0) turns its pair p of columns by the angle t 10000^(-2p/d). */
static bool write_rotation(Sentence *s, const Value *X)
{
    size_t pair = s->j / 2, d = X->cols.n;
    if (d % 2 != 0)
        return false;
    double angle = (double)s->i * elementary_pow(10000, -2.0 * (double)pair / (double)d);
    double a = at(X, s->i, 2 * pair), b = at(X, s->i, 2 * pair + 1);
    double c = elementary_cos(angle), e = elementary_sin(angle);
    bool first = s->j % 2 == 0;
    Region x = sentence_cell(s, 0, s->i, 2 * pair), y = sentence_cell(s, 0, s->i, 2 * pair + 1);
    const char *times = phrase_times(s->style);
    sentence_mention(s, &x);
    str_addf(&s->step, "%s%s(", times, first ? "cos" : "sin");
    sentence_add_number(s, angle);
    str_add(&s->step, first ? ") - " : ") + ");
    sentence_mention(s, &y);
    str_addf(&s->step, "%s%s(", times, first ? "sin" : "cos");
    sentence_add_number(s, angle);
    str_add_char(&s->step, ')');
    sentence_end_step(s);
    Term terms[2] = {{TERM_PRODUCT, a, first ? c : e}, {TERM_PRODUCT, b, first ? -e : c}};
    phrase_add_sum(&s->step, s->style, terms, 2);
    sentence_end_step(s);
    return true;
}

/* Column j of the quadratic map is the j-th pair (a, b), a <= b, times sqrt(2) if a < b. */
static bool write_pair_product(Sentence *s, const Value *X)
{
    size_t a = 0, b = s->j;
    while (a < X->cols.n && b >= X->cols.n - a) {
        b -= X->cols.n - a;
        a++;
    }
    b += a;
    if (b >= X->cols.n)
        return false;
    const char *times = phrase_times(s->style);
    Region x = sentence_cell(s, 0, s->i, a), y = sentence_cell(s, 0, s->i, b);
    sentence_mention(s, &x);
    str_add(&s->step, times);
    sentence_mention(s, &y);
    if (a < b)
        str_addf(&s->step, "%ssqrt(2)", times);
    sentence_end_step(s);
    sentence_add_operand(s, at(X, s->i, a));
    str_add(&s->step, times);
    sentence_add_operand(s, at(X, s->i, b));
    if (a < b)
        str_addf(&s->step, "%ssqrt(2)", times);
    sentence_end_step(s);
    return true;
}

/* exp(x.w - |x|²/2)/sqrt(m) */
static bool write_favor(Sentence *s, const Value *X)
{
    const Value *W = sentence_operand(s, 1);
    if (W == NULL || W->cols.n != X->cols.n || s->j >= W->rows.n)
        return false;
    double dot = 0.0, square = 0.0;
    for (size_t k = 0; k < X->cols.n; k++) {
        dot += at(X, s->i, k) * at(W, s->j, k);
        square += at(X, s->i, k) * at(X, s->i, k);
    }
    Region x = sentence_region(s, 0, s->i, 1, 0, X->cols.n);
    Region w = sentence_region(s, 1, s->j, 1, 0, W->cols.n);
    str_add(&s->step, "exp(");
    sentence_mention(s, &x);
    str_add(&s->step, phrase_times(s->style));
    sentence_mention(s, &w);
    str_add(&s->step, "' - norm(");
    sentence_say(s, &x);
    str_addf(&s->step, ")^2/2)/sqrt(%zu)", W->rows.n);
    sentence_end_step(s);
    str_add(&s->step, "exp(");
    sentence_add_number(s, dot);
    str_add(&s->step, " - ");
    sentence_add_operand(s, square);
    str_addf(&s->step, "/2)/sqrt(%zu)", W->rows.n);
    sentence_end_step(s);
    return true;
}

bool derive_row_steps(Sentence *s)
{
    const Value *X = sentence_operand(s, 0);
    if (X == NULL || X->rows.n != s->value->rows.n || X->cols.n == 0)
        return false;
    switch (sentence_op(s)) {
    case OP_ENTROPY:
        return write_entropy(s, X);
    case OP_L2ROWS:
        return same_shape(X, s->value) && write_unit_row(s, X);
    case OP_ROPE:
        return same_shape(X, s->value) && write_rotation(s, X);
    case OP_QUADRATIC:
        return write_pair_product(s, X);
    case OP_FAVOR:
        return write_favor(s, X);
    default:
        return false;
    }
}
