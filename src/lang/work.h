/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work: what the one operation that made a value costs, by the CostRule of its op. */
#ifndef LANG_WORK_H
#define LANG_WORK_H

#include <stdbool.h>

#include "lang/amount.h"

typedef struct {
    CostFigure multiply_adds, exponentials;
    bool opaque; /* what it does is not counted */
} Work;

/* The work of the origin of v (which has one), without what lies behind its operands. */
Work work_of(const Value *v);

#endif
