/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels: the functions behind the operations, declared from the table itself.
 * arith.c has the operators, index.c indexing; the functions stand by theme in
 * make.c, cellwise.c, reduce.c, rearrange.c and field.c. */
#ifndef LANG_KERNELS_H
#define LANG_KERNELS_H

#include "lang/op.h"

#define OP(id, name, min, max, kernel, ...) Kernel kernel;
#define SYNTAX(id, ...)
#include "lang/ops.def"
#undef OP
#undef SYNTAX

#endif
