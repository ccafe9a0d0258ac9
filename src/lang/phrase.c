/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/phrase.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "core/elementary.h"
#include "io/number.h"

void phrase_add_number(Str *out, Style style, double x)
{
    if (isfinite(x) && x == floor(x) && fabs(x) < 1e15)
        number_add(out, x);
    else
        number_add_format(out, x, 'g', style.digits);
}

void phrase_add_operand(Str *out, Style style, double x)
{
    bool bracket = signbit(x) && !isnan(x);
    if (bracket)
        str_add_char(out, '(');
    phrase_add_number(out, style, x);
    if (bracket)
        str_add_char(out, ')');
}

const char *phrase_times(Style style)
{
    return style.ascii ? "*" : "·";
}

const char *phrase_dots(Style style)
{
    return style.ascii ? "..." : "…";
}

double term_value(const Term *term)
{
    switch (term->kind) {
    case TERM_PRODUCT:
        return term->a * term->b;
    case TERM_SQUARE:
        return term->a * term->a;
    case TERM_ENTROPY:
        return term->a == 0.0 ? 0.0 : term->a * elementary_log(term->a);
    default:
        return term->a;
    }
}

static void add_term(Str *out, Style style, const Term *term)
{
    phrase_add_operand(out, style, term->a);
    if (term->kind == TERM_PRODUCT) {
        str_add(out, phrase_times(style));
        phrase_add_operand(out, style, term->b);
    } else if (term->kind == TERM_SQUARE) {
        str_add(out, "^2");
    } else if (term->kind == TERM_ENTROPY) {
        str_addf(out, "%slog(", phrase_times(style));
        phrase_add_number(out, style, term->a);
        str_add_char(out, ')');
    }
}

/* --- Sums -------------------------------------------------------------------------------- */

/* True if |a| stands before |b| among the largest: a NaN explains a sum like no other. */
static bool outweighs(double a, double b)
{
    return isnan(a) ? !isnan(b) : fabs(a) > fabs(b);
}

/* Indices of the PHRASE_LARGEST_TERMS terms of largest magnitude, in ascending order. */
static void pick_largest(const Term *terms, size_t count, size_t picked[PHRASE_LARGEST_TERMS])
{
    size_t found = 0; /* picked[0 .. found-1], largest first */
    for (size_t i = 0; i < count; i++) {
        size_t place = found;
        while (place > 0 && outweighs(term_value(&terms[i]), term_value(&terms[picked[place - 1]])))
            place--;
        if (place == PHRASE_LARGEST_TERMS)
            continue;
        if (found < PHRASE_LARGEST_TERMS)
            found++;
        for (size_t k = found - 1; k > place; k--)
            picked[k] = picked[k - 1];
        picked[place] = i;
    }
    for (size_t i = 1; i < found; i++) /* insertion sort by index */
        for (size_t k = i; k > 0 && picked[k - 1] > picked[k]; k--) {
            size_t swapped = picked[k];
            picked[k] = picked[k - 1];
            picked[k - 1] = swapped;
        }
}

static void add_rest(Str *out, Style style, const char *separator, size_t count, double rest)
{
    str_addf(out, "%s%s (%zu more: ", separator, phrase_dots(style), count);
    phrase_add_number(out, style, rest);
    str_add_char(out, ')');
}

void phrase_add_sum(Str *out, Style style, const Term *terms, size_t count)
{
    if (count == 0)
        str_add_char(out, '0');
    if (count <= PHRASE_ALL_TERMS) {
        for (size_t i = 0; i < count; i++) {
            str_add(out, i > 0 ? " + " : "");
            add_term(out, style, &terms[i]);
        }
        return;
    }
    size_t picked[PHRASE_LARGEST_TERMS], next = 0;
    double rest = 0.0;
    pick_largest(terms, count, picked);
    for (size_t i = 0; i < count; i++) {
        if (next == PHRASE_LARGEST_TERMS || picked[next] != i) {
            rest += term_value(&terms[i]);
            continue;
        }
        str_add(out, next++ > 0 ? " + " : "");
        add_term(out, style, &terms[i]);
    }
    add_rest(out, style, " + ", count - PHRASE_LARGEST_TERMS, rest);
}

void phrase_add_product(Str *out, Style style, const Term *terms, size_t count)
{
    double rest = 1.0;
    size_t shown = count <= PHRASE_ALL_TERMS ? count : PHRASE_LARGEST_TERMS;
    if (count == 0)
        str_add_char(out, '1');
    for (size_t i = 0; i < count; i++) {
        if (i >= shown) {
            rest *= term_value(&terms[i]);
            continue;
        }
        str_add(out, i > 0 ? phrase_times(style) : "");
        add_term(out, style, &terms[i]);
    }
    if (shown < count)
        add_rest(out, style, phrase_times(style), count - shown, rest);
}

void phrase_add_list(Str *out, Style style, const Term *terms, size_t count, size_t needed,
                     const char *separator)
{
    size_t shown = count <= PHRASE_ALL_TERMS ? count : PHRASE_LARGEST_TERMS;
    for (size_t i = 0; i < shown; i++) {
        str_add(out, i > 0 ? separator : "");
        add_term(out, style, &terms[i]);
    }
    if (shown == count)
        return;
    str_addf(out, "%s%s", separator, phrase_dots(style));
    if (needed >= shown && needed < count) {
        str_add(out, separator);
        add_term(out, style, &terms[needed]);
        if (needed + 1 < count)
            str_addf(out, "%s%s", separator, phrase_dots(style));
    }
}

void phrase_add_blame(Str *out, Style style, const Term *terms, size_t count)
{
    bool plus = false, minus = false;
    for (size_t i = 0; i < count; i++) {
        double x = term_value(&terms[i]);
        if (isnan(terms[i].a) || (terms[i].kind == TERM_PRODUCT && isnan(terms[i].b)))
            return;
        if (isnan(x)) {
            str_add(out, ": ");
            add_term(out, style, &terms[i]);
            str_add(out, " is not a number");
            return;
        }
        plus |= x == INFINITY;
        minus |= x == -INFINITY;
    }
    if (plus && minus)
        str_add(out, ": Inf - Inf is not a number");
}
