/* SPDX-License-Identifier: GPL-3.0-or-later */
/* poly: polynomials in the names of dimensions, such as 2n²d + n.
 *
 * Sizes and costs are written with the names the sizes came from.  A Poly is
 * immutable and reference-counted; coefficients are doubles (½ occurs).  NULL is
 * never a polynomial: "no name" is a constant.  A polynomial that would have
 * more than POLY_MAX_TERMS terms or a power above POLY_MAX_POWER is not made: the
 * functions then return NULL and the caller goes on with the plain number. */
#ifndef LANG_POLY_H
#define LANG_POLY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum { POLY_MAX_TERMS = 32, POLY_MAX_POWER = 12 };

typedef struct Poly Poly;

Poly *poly_constant(double x);
Poly *poly_name(const char *name);

Poly *poly_ref(const Poly *p); /* NULL gives NULL */
void poly_unref(const Poly *p);

/* Bytes of all polynomials now alive. */
size_t poly_live_bytes(void);

/* Sum, difference, product, scaled: a new reference, or NULL (also when an
 * argument is NULL). */
Poly *poly_add(const Poly *a, const Poly *b);
Poly *poly_subtract(const Poly *a, const Poly *b);
Poly *poly_multiply(const Poly *a, const Poly *b);
Poly *poly_scale(const Poly *a, double factor);

bool poly_equal(const Poly *a, const Poly *b);

/* True if p is a constant; its value goes to *x (x may be NULL). */
bool poly_is_constant(const Poly *p, double *x);

/* The name if p is just one name, such as n; otherwise NULL.  Borrowed. */
const char *poly_single_name(const Poly *p);

/* The value of p where every name stands for value(context, name). */
double poly_evaluate(const Poly *p, double (*value)(void *context, const char *name),
                     void *context);

/* Appends p: "2n²d + n", highest degree first; in a term N and n come first, then
 * the other names by alphabet; names of more than one letter are set off by "·"
 * ("*" in ASCII, there also after a power: "2n^2*d"); powers are raised digits
 * ("^2" in ASCII); one half is "½" ("0.5" in ASCII). */
void poly_add_text(Str *out, const Poly *p, bool ascii);

#endif
