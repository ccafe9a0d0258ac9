/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel: what the kernels of the functions share: reading arguments, giving
 * results with named dimensions, and the loop of functions of two entries.
 *
 * The kernels themselves stand in make, cellwise, reduce, rearrange and field.
 * A function that returns Status has set call->error when it fails; its message
 * begins with the function's name unless said otherwise. */
#ifndef LANG_KERNEL_H
#define LANG_KERNEL_H

#include "lang/services.h"
#include "lang/op.h"
#include "lang/value.h"

/* Sets call->error to "NAME: …" (kernel_error_plain: without the name), at call->at. */
Status kernel_error(const Call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
Status kernel_error_plain(const Call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Argument i (from 0) as a matrix; borrowed.  Anything else is an error. */
Status kernel_matrix(const Call *call, size_t i, const Matrix **out);

/* The same for all arguments of the call: out has call->count places. */
Status kernel_matrices(const Call *call, const Matrix **out);

/* Argument i as one number. */
Status kernel_number(const Call *call, size_t i, double *out);

/* Argument i as a text; borrowed. */
Status kernel_text(const Call *call, size_t i, const char **out);

/* Says that Octave refuses logical arguments here, if argument i is one:
 * "NAME: message". */
Status kernel_refuse_logical(const Call *call, size_t i, const char *message);

/* Argument i as the width w of a window over n tokens: a whole number from 0, or Inf; cut to n. */
Status kernel_width(const Call *call, size_t i, size_t n, size_t *w);

/* Fails with "complex result" at the first negative entry of x: Octave would go on with complex
 * numbers, which this language does not have. */
Status kernel_refuse_negative(const Call *call, const Matrix *x);

/* A size that arguments ask for, with what its dimensions are called (owned, or NULL). */
typedef struct {
    size_t rows, cols;
    Poly *row_name, *col_name;
} KernelSize;

/* Reads the size in the arguments from `first` on: none: 1x1; f(n): n x n; f([m n]) and
 * f(m, n): m x n; a negative number counts as 0.  More dimensions are refused.  A fraction or NaN
 * is refused in Octave's words (no function name) for a conversion to the integer type `type`; a
 * matrix larger than the limit as interp_check_size does. */
Status kernel_size(const Call *call, size_t first, const char *type, KernelSize *out);
void kernel_size_clear(KernelSize *size);

/* The number x as an integer that may be negative and may be infinite, or Octave's
 * message on a conversion to the integer type `type` (no function name). */
Status kernel_integer(const Call *call, double x, const char *type);

/* The polynomial of a 1x1 argument, a constant if it has no name; a new reference. */
Poly *kernel_poly(const Value *v);

/* Names the dimensions of v, which nobody else holds yet.  Takes over both references
 * (NULL: no name).  A constant is no name. */
void kernel_name(Value *v, Poly *rows, Poly *cols);

/* Stores v, or a new value of m, as the result and returns STATUS_OK; takes over the reference.
 * The dimensions of the second are those of the arguments given: row names of rows, column
 * names of cols (either may be NULL). */
Status kernel_give(const Call *call, Value *v);
Status kernel_give_matrix(const Call *call, Matrix *m, const Value *rows, const Value *cols);

/* f of every pair of entries of arguments 0 and 1, a row, column or scalar repeated: a matrix
 * with its dimensions named, or Octave's "nonconformant arguments". */
Status kernel_pairs(const Call *call, double (*f)(double, double), Value **out);

#endif
