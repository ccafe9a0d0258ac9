/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A polynomial is a sorted array of terms, a term a coefficient and a sorted
 * array of powers of names; both are kept in the order in which they are shown,
 * so equal polynomials are equal arrays.  Zero is the empty array. */
#include "lang/poly.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/number.h"
#include "lang/heap.h"

typedef struct {
    char *name;
    unsigned power;
} Factor;

typedef struct {
    double coefficient; /* never 0 */
    Factor *factors;    /* NULL in a constant */
    unsigned count, room;
} Term;

struct Poly {
    size_t refs;
    unsigned count, room;
    Term terms[];
};

static size_t live_bytes;

/* --- Making and freeing ------------------------------------------------------------------ */

static size_t poly_size(unsigned room)
{
    return sizeof(Poly) + room * sizeof(Term);
}

/* Zero, with room for that many terms. */
static Poly *new_poly(unsigned room)
{
    Poly *p = memory_alloc(poly_size(room));
    p->refs = 1;
    p->count = 0;
    p->room = room;
    live_bytes += heap_bytes(poly_size(room));
    return p;
}

/* A constant, with room for that many factors. */
static Term new_term(double coefficient, unsigned room)
{
    if (room == 0)
        return (Term){coefficient, NULL, 0, 0};
    live_bytes += heap_bytes(room * sizeof(Factor));
    return (Term){coefficient, memory_zeros(room, sizeof(Factor)), 0, room};
}

static void add_factor(Term *term, const char *name, unsigned power)
{
    assert(term->count < term->room);
    live_bytes += heap_text_bytes(name);
    term->factors[term->count++] = (Factor){memory_copy_text(name), power};
}

static void clear_term(Term *term)
{
    for (size_t i = 0; i < term->count; i++) {
        live_bytes -= heap_text_bytes(term->factors[i].name);
        free(term->factors[i].name);
    }
    if (term->factors)
        live_bytes -= heap_bytes(term->room * sizeof(Factor));
    free(term->factors);
}

static Term copy_term(const Term *term, double coefficient)
{
    Term copy = new_term(coefficient, term->count);
    for (size_t i = 0; i < term->count; i++)
        add_factor(&copy, term->factors[i].name, term->factors[i].power);
    return copy;
}

Poly *poly_constant(double x)
{
    Poly *p = new_poly(1);
    if (x != 0.0) /* a NaN is kept: it shows as one */
        p->terms[p->count++] = new_term(x, 0);
    return p;
}

Poly *poly_name(const char *name)
{
    Poly *p = new_poly(1);
    Term term = new_term(1.0, 1);
    add_factor(&term, name, 1);
    p->terms[p->count++] = term;
    return p;
}

Poly *poly_ref(const Poly *p)
{
    Poly *shared = (Poly *)p;
    if (shared != NULL)
        shared->refs++;
    return shared;
}

void poly_unref(const Poly *p)
{
    Poly *shared = (Poly *)p;
    if (shared == NULL || --shared->refs > 0)
        return;
    for (size_t i = 0; i < shared->count; i++)
        clear_term(&shared->terms[i]);
    live_bytes -= heap_bytes(poly_size(shared->room));
    free(shared);
}

size_t poly_live_bytes(void)
{
    return live_bytes;
}

/* --- Order ------------------------------------------------------------------------------- */

/* N and n stand first: they are what everything grows with. */
static int name_rank(const char *name)
{
    return strcmp(name, "N") == 0 ? 0 : strcmp(name, "n") == 0 ? 1 : 2;
}

static int compare_names(const char *a, const char *b)
{
    int rank = name_rank(a) - name_rank(b);
    return rank != 0 ? rank : strcmp(a, b);
}

static unsigned term_degree(const Term *term)
{
    unsigned degree = 0;
    for (size_t i = 0; i < term->count; i++)
        degree += term->factors[i].power;
    return degree;
}

/* Highest degree first; of the same degree, the higher power of the earlier name. */
static int compare_terms(const Term *a, const Term *b)
{
    unsigned da = term_degree(a), db = term_degree(b);
    if (da != db)
        return da > db ? -1 : 1;
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        int order = compare_names(a->factors[i].name, b->factors[i].name);
        if (order != 0)
            return order;
        if (a->factors[i].power != b->factors[i].power)
            return a->factors[i].power > b->factors[i].power ? -1 : 1;
    }
    return a->count == b->count ? 0 : a->count > b->count ? -1 : 1;
}

/* --- Arithmetic -------------------------------------------------------------------------- */

/* Gives p back, or NULL (and frees it) if it is over the limits. */
static Poly *within_limits(Poly *p)
{
    bool ok = p->count <= POLY_MAX_TERMS;
    for (size_t i = 0; ok && i < p->count; i++) {
        ok = isfinite(p->terms[i].coefficient);
        for (size_t k = 0; ok && k < p->terms[i].count; k++)
            ok = p->terms[i].factors[k].power <= POLY_MAX_POWER;
    }
    if (ok)
        return p;
    poly_unref(p);
    return NULL;
}

/* a + factor b, by merging the two sorted arrays. */
static Poly *add_scaled(const Poly *a, const Poly *b, double factor)
{
    if (a == NULL || b == NULL)
        return NULL;
    Poly *sum = new_poly(a->count + b->count);
    size_t i = 0, k = 0;
    while (i < a->count || k < b->count) {
        int order = i == a->count   ? 1
                    : k == b->count ? -1
                                    : compare_terms(&a->terms[i], &b->terms[k]);
        const Term *term = order <= 0 ? &a->terms[i] : &b->terms[k];
        double coefficient = order < 0 ? a->terms[i].coefficient
                             : order > 0
                                 ? factor * b->terms[k].coefficient
                                 : a->terms[i].coefficient + factor * b->terms[k].coefficient;
        i += order <= 0;
        k += order >= 0;
        if (coefficient != 0.0)
            sum->terms[sum->count++] = copy_term(term, coefficient);
    }
    return within_limits(sum);
}

Poly *poly_add(const Poly *a, const Poly *b)
{
    return add_scaled(a, b, 1.0);
}

Poly *poly_subtract(const Poly *a, const Poly *b)
{
    return add_scaled(a, b, -1.0);
}

Poly *poly_scale(const Poly *a, double factor)
{
    Poly *zero = poly_constant(0.0);
    Poly *scaled = add_scaled(zero, a, factor);
    poly_unref(zero);
    return scaled;
}

static Term multiply_terms(const Term *a, const Term *b)
{
    Term product = new_term(a->coefficient * b->coefficient, a->count + b->count);
    size_t i = 0, k = 0;
    while (i < a->count || k < b->count) {
        int order = i == a->count   ? 1
                    : k == b->count ? -1
                                    : compare_names(a->factors[i].name, b->factors[k].name);
        unsigned power = 0;
        const char *name = order <= 0 ? a->factors[i].name : b->factors[k].name;
        if (order <= 0)
            power += a->factors[i++].power;
        if (order >= 0)
            power += b->factors[k++].power;
        add_factor(&product, name, power);
    }
    return product;
}

/* One row of the schoolbook product at a time, so that terms stay sorted. */
Poly *poly_multiply(const Poly *a, const Poly *b)
{
    if (a == NULL || b == NULL)
        return NULL;
    Poly *sum = poly_constant(0.0);
    for (size_t i = 0; sum != NULL && i < a->count; i++)
        for (size_t k = 0; sum != NULL && k < b->count; k++) {
            Poly *one = new_poly(1);
            one->terms[one->count++] = multiply_terms(&a->terms[i], &b->terms[k]);
            Poly *next = poly_add(sum, one);
            poly_unref(one);
            poly_unref(sum);
            sum = next;
        }
    return sum;
}

/* --- Questions --------------------------------------------------------------------------- */

bool poly_equal(const Poly *a, const Poly *b)
{
    if (a == b)
        return true;
    if (a == NULL || b == NULL || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->terms[i].coefficient != b->terms[i].coefficient ||
            compare_terms(&a->terms[i], &b->terms[i]) != 0)
            return false;
    return true;
}

bool poly_is_constant(const Poly *p, double *x)
{
    if (p == NULL || p->count > 1 || (p->count == 1 && p->terms[0].count > 0))
        return false;
    if (x != NULL)
        *x = p->count == 0 ? 0.0 : p->terms[0].coefficient;
    return true;
}

const char *poly_single_name(const Poly *p)
{
    if (p == NULL || p->count != 1)
        return NULL;
    const Term *term = &p->terms[0];
    bool single = term->coefficient == 1.0 && term->count == 1 && term->factors[0].power == 1;
    return single ? term->factors[0].name : NULL;
}

double poly_evaluate(const Poly *p, double (*value)(void *context, const char *name), void *context)
{
    double sum = 0.0;
    for (size_t i = 0; i < p->count; i++) {
        double product = p->terms[i].coefficient;
        for (size_t k = 0; k < p->terms[i].count; k++) {
            double x = value(context, p->terms[i].factors[k].name);
            for (unsigned power = 0; power < p->terms[i].factors[k].power; power++)
                product *= x;
        }
        sum += product;
    }
    return sum;
}

/* --- Text -------------------------------------------------------------------------------- */

static void add_power(Str *out, unsigned power, bool ascii)
{
    static const char *const RAISED[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (power == 1)
        return;
    if (ascii) {
        str_addf(out, "^%u", power);
        return;
    }
    if (power >= 10)
        str_add(out, RAISED[power / 10 % 10]);
    str_add(out, RAISED[power % 10]);
}

static void add_coefficient(Str *out, double x, bool ascii)
{
    if (x == 0.5 && !ascii)
        str_add(out, "½");
    else
        number_add(out, x);
}

/* magnitude: the coefficient's; its sign is written by the caller. */
static void add_term(Str *out, const Term *term, double magnitude, bool ascii)
{
    bool number = magnitude != 1.0 || term->count == 0;
    if (number)
        add_coefficient(out, magnitude, ascii);
    for (size_t i = 0; i < term->count; i++) {
        const Factor *factor = &term->factors[i];
        bool is_long = strlen(factor->name) > 1;
        bool after_long = i > 0 && strlen(term->factors[i - 1].name) > 1;
        /* n^2d would read as n to the power of 2d. */
        bool after_power = ascii && i > 0 && term->factors[i - 1].power > 1;
        if ((i > 0 || number) && (is_long || after_long || after_power))
            str_add(out, ascii ? "*" : "·");
        str_add(out, factor->name);
        add_power(out, factor->power, ascii);
    }
}

void poly_add_text(Str *out, const Poly *p, bool ascii)
{
    if (p->count == 0)
        str_add(out, "0");
    for (size_t i = 0; i < p->count; i++) {
        bool negative = p->terms[i].coefficient < 0.0;
        if (i > 0)
            str_add(out, negative ? " - " : " + ");
        else if (negative)
            str_add(out, "-");
        add_term(out, &p->terms[i], fabs(p->terms[i].coefficient), ascii);
    }
}
