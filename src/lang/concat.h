/* SPDX-License-Identifier: GPL-3.0-or-later */
/* concat: [A, B; C] — matrices side by side and one below the other. */
#ifndef LANG_CONCAT_H
#define LANG_CONCAT_H

#include "lang/op.h"

/* The matrix that the EXPR_MATRIX call->at makes of the values call->args (row by
 * row).  0x0 parts vanish; other sizes must fit, as in Octave. */
Status concat_values(const Call *call);

#endif
