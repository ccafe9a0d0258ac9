/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tex_script: which sub- and superscripts Unicode has as raised or lowered
 * characters; for the linear form and the layout alike. */
#ifndef PAGE_TEX_SCRIPT_H
#define PAGE_TEX_SCRIPT_H

#include <stdbool.h>

#include "base/str.h"
#include "page/tex.h"

/* True if node is the symbol spelt so in Unicode. */
bool tex_is_symbol(const TexNode *node, const char *unicode);

/* The only thing in a group of one (of one of one …), or the node itself; NULL gives
 * NULL. */
const TexNode *tex_unwrap(const TexNode *node);

/* Where a sign may stand in a raised or lowered script. */
typedef enum {
    TEX_SIGN_OF_NUMBER, /* x⁻¹, but S_(t-1): a line of text stays readable */
    TEX_SIGN_ANYWHERE   /* Sₜ₋₁ */
} TexSigns;

/* Appends the raised (up) or lowered form of script, names and numbers alone; false,
 * with a part appended perhaps, if there is none.  out may be NULL: only asked. */
bool tex_add_raised(Str *out, const TexNode *script, bool up, TexSigns signs);

#endif
