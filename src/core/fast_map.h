/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_map: feature maps that the fast forms apply themselves, row by row as they read. */
#ifndef CORE_FAST_MAP_H
#define CORE_FAST_MAP_H

/* In the formulas of feature.h. */
typedef enum { FAST_IDENTITY, FAST_ELU1, FAST_RELU, FAST_EXP } FastMap;

#endif
