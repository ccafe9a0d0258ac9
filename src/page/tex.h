/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tex: formulas, from TeX source to a tree and from the tree to one line.
 *
 * tex_parse reads the part of TeX mathematics that lessons use: groups, scripts,
 * fractions, roots, large operators with limits, brackets that grow, matrices,
 * accents, text, and the names listed in tex_symbols.def.  Nothing is ever
 * dropped: a command that is not known stands in the tree as its source, and a
 * formula whose structure is broken is one node that holds all of its source;
 * either is reported as a problem with its place.  Layouts (one line here, two
 * dimensions elsewhere) only read the tree.
 *
 * A Tex owns a copy of the source, every node and every problem; nodes are freed
 * as a list, so the tree may have any shape. */
#ifndef PAGE_TEX_H
#define PAGE_TEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/source.h"
#include "base/str.h"

/* What a piece of a formula does to the blanks around it. */
typedef enum {
    TEX_ORDINARY,    /* a letter, a number, a finished sub-formula */
    TEX_BINARY,      /* + - · ×: blanks around it, none where it is a sign */
    TEX_RELATION,    /* = ≤ → */
    TEX_OPEN,        /* ( [ ⟨ */
    TEX_CLOSE,       /* ) ] ⟩ */
    TEX_PUNCTUATION, /* , ; : */
    TEX_FUNCTION,    /* exp, log, softmax */
    TEX_LARGE        /* Σ Π ∫ */
} TexClass;

typedef enum {
    TEX_ROW,      /* children in order: a group, or a whole formula */
    TEX_SYMBOL,   /* unicode and ascii hold it */
    TEX_SCRIPTS,  /* children: base, subscript or NULL, superscript or NULL */
    TEX_FRACTION, /* children: numerator, denominator */
    TEX_ROOT,     /* children: radicand, index or NULL */
    TEX_FENCED,   /* \left … \right: one child, between open and close */
    TEX_GRID,     /* cells row by row, `columns` a row, NULL where one is missing */
    TEX_ACCENT,   /* one child; unicode is the combining mark, ascii its name */
    TEX_BRACE,    /* \underbrace or \overbrace: children: body, label or NULL */
    TEX_FONT,     /* one child; ascii is the command: "mathbb" */
    TEX_TEXT,     /* unicode holds plain text, blanks included */
    TEX_SPACE,    /* width: blanks in one line */
    TEX_TERM,     /* \term{id}{…}: one child; ascii is the id, for highlighting */
    TEX_SOURCE    /* not understood: unicode holds the source */
} TexKind;

typedef struct TexNode TexNode;
struct TexNode {
    TexKind kind;
    TexClass class;           /* TEX_SYMBOL; others are TEX_ORDINARY */
    Span span;                /* where it stands in the formula's source */
    const char *unicode;      /* by kind, as above; borrowed from the Tex or static */
    const char *ascii;        /* the same in ASCII */
    bool limits;              /* TEX_SYMBOL: scripts belong above and below */
    const char *open, *close; /* TEX_FENCED, TEX_GRID: Unicode brackets, "" for none … */
    const char *ascii_open, *ascii_close; /* … and the same in ASCII */
    bool aligned;                         /* TEX_GRID: the cells of a row join to one formula */
    TexNode **children;
    size_t count;
    size_t columns; /* TEX_GRID */
    size_t width;   /* TEX_SPACE */
};

typedef struct {
    Span span; /* in the formula's source */
    char *message;
} TexProblem;

typedef struct {
    char *source;
    size_t length;
    TexNode *root;
    TexProblem *problems; /* in the order of the source */
    size_t problem_count, problem_room;
    void **owned; /* every node, array and text of the tree */
    size_t owned_count, owned_room;
} Tex;

/* Groups and arguments may nest this deep; deeper ones are a problem. */
enum { TEX_MAX_DEPTH = 64 };

/* The tree of the length bytes at text (without the dollars); never NULL. */
Tex *tex_parse(const char *text, size_t length);
void tex_free(Tex *tex);

typedef enum {
    TEX_UNICODE, /* raised and lowered characters where all scripts of the formula have them */
    TEX_LEVEL,   /* Unicode, but always x_i and x^2 */
    TEX_ASCII
} TexStyle;

/* Appends the formula as one line, grouping kept: "Y = φ(Q)S/(φ(Q)z)",
 * "S_(t-1)", "[a b; c d]".  Scripts become raised and lowered characters only if
 * each of them in the formula is a name or a number that has such a form.
 * Control characters are made visible. */
void tex_add_linear(Str *out, const Tex *tex, TexStyle style);

/* Parses, appends the linear form and forgets the tree. */
void tex_add_source(Str *out, const char *text, size_t length, TexStyle style);

/* One row of tex_symbols.def. */
typedef struct {
    const char *name; /* without the backslash; NULL for a character of its own */
    const char *unicode, *ascii;
    TexClass class;
    bool limits;
} TexSymbol;

/* The row of the command \name, or of the character it stands for; NULL if there
 * is none. */
const TexSymbol *tex_symbol_find(const char *name, size_t length);
const TexSymbol *tex_symbol_find_character(const char *text, size_t length);

/* The raised (up) or lowered form of the one character at text, or NULL. */
const char *tex_symbol_script(const char *text, bool up);

#endif
