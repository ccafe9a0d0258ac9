/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tex_layout: formulas in two dimensions.
 *
 * Every node of the tree becomes a box (a grid and its baseline), and boxes are put
 * side by side and above each other.  Scripts are raised and lowered characters only
 * if all scripts of the formula have such a form, else they stand in rows of their
 * own.  A formula that is too wide is broken before a relation or a top-level plus
 * or minus; if that does not help it is written in its linear form, wrapped.
 * Recursion is as deep as the tree, which tex_parse has limited. */
#ifndef PAGE_TEX_LAYOUT_H
#define PAGE_TEX_LAYOUT_H

#include <stdbool.h>

#include "page/grid.h"
#include "page/tex.h"

typedef struct {
    bool ascii;
    bool tall;              /* scripts always in rows of their own */
    const char *highlight;  /* id of the \term that is meant now, or NULL */
} TexLook;

/* The formula in at most width cells (at least 1); the caller frees the grid.  *base
 * is the row of its baseline (of the first line); base may be NULL. */
Grid *tex_layout(const Tex *tex, const TexLook *look, int width, int *base);

#endif
