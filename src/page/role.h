/* SPDX-License-Identifier: GPL-3.0-or-later */
/* role: what a cell of a page means, and how a theme shows it.
 *
 * Whoever draws gives every cell a Role (and perhaps a Mark), never a colour.  A
 * Theme turns them into inks and papers of the terminal's palette, and is the only
 * place that knows colours: grid_add_ansi and the screen read it.  Roles are rows
 * of roles.def.  A Theme is plain data. */
#ifndef PAGE_ROLE_H
#define PAGE_ROLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
#define ROLE(id, ...) ROLE_##id,
#define HEAT_ROLE(id, ...) ROLE_##id,
#include "page/roles.def"
#undef ROLE
#undef HEAT_ROLE
    ROLE_COUNT
} Role;

/* What is laid over the role of a cell. */
typedef enum {
    MARK_NONE,
    MARK_CHANGED, /* differs from the run before */
    MARK_FOCUS,   /* where the lesson says to look */
    MARK_OPERAND, /* the number under the cursor was computed from it */
    MARK_CURSOR,
    MARK_COUNT
} Mark;

/* The letter of a role or of a mark in the role layer of a page; all differ. */
char role_letter(Role role);
char mark_letter(Mark mark);
const char *role_meaning(Role role);

/* The ramps of heat levels. */
enum { HEAT_TOP = 9, SIGNED_TOP = 8 };

/* The role of level 0 … HEAT_TOP, and of level -SIGNED_TOP … SIGNED_TOP. */
Role role_heat(int level);
Role role_signed(int level);
/* True if role is a level of the unsigned / the signed ramp; *level is set. */
bool role_is_heat(Role role, int *level);
bool role_is_signed(Role role, int *level);

enum {
    STYLE_BOLD = 1,
    STYLE_UNDERLINE = 2,
    STYLE_REVERSE = 4,
    STYLE_PAPER_ALARM = 8 /* in roles.def only: on a strong paper of its own */
};

/* Ink and paper are palette numbers, or COLOR_OF_TERMINAL. */
enum { COLOR_OF_TERMINAL = -1 };

typedef struct {
    short ink, paper;
    uint8_t attributes; /* STYLE_BOLD | … */
} Style;

typedef enum { THEME_DARK, THEME_LIGHT, THEME_MONO, THEME_COUNT } ThemeKind;

typedef struct {
    ThemeKind kind;
    int colors;      /* 256, 16, 8, or 0: none */
    bool projector;
    Style styles[ROLE_COUNT];
} Theme;

/* Fills *theme.  colors is rounded down to 256, 16, 8 or 0; 0 makes it mono, and
 * mono has none.  projector: bold numbers, text on a shade at least 7:1 instead of
 * 4.5:1 (in 256 colours). */
void theme_init(Theme *theme, ThemeKind kind, int colors, bool projector);

/* The style of a cell. */
Style theme_style(const Theme *theme, Role role, Mark mark);

/* The name of a theme and the theme of a name ("dark", "light", "mono"). */
const char *theme_name(ThemeKind kind);
bool theme_find(const char *name, ThemeKind *kind);

/* The colour 0xRRGGBB of a palette number 0 … 255, as xterm draws it. */
uint32_t palette_rgb(int color);

/* The contrast of two colours by WCAG 2: (L1 + 0.05) / (L2 + 0.05), 1 … 21. */
double color_contrast(uint32_t a, uint32_t b);

/* The relative luminance of WCAG 2, 0 … 1. */
double color_luminance(uint32_t rgb);

#endif
