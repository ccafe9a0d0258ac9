/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/role.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define INK_DEFAULT UINT32_MAX

typedef enum { RAMP_NONE, RAMP_UP, RAMP_SIGNED } RampKind;

typedef struct {
    char letter;
    uint32_t dark_ink, light_ink;
    uint8_t attributes;
    const char *meaning;
    RampKind ramp;
    int level;
} RoleRow;

static const RoleRow rows[ROLE_COUNT] = {
#define ROLE(id, letter, dark, light, attributes, meaning)                                        \
    {letter, dark, light, attributes, meaning, RAMP_NONE, 0},
#define HEAT_ROLE(id, letter, ramp, level)                                                        \
    {letter, INK_DEFAULT, INK_DEFAULT, 0, "a shade of a heat map", ramp, level},
#include "page/roles.def"
#undef ROLE
#undef HEAT_ROLE
};

char role_letter(Role role)
{
    return rows[role].letter;
}

const char *role_meaning(Role role)
{
    return rows[role].meaning;
}

char mark_letter(Mark mark)
{
    static const char letters[MARK_COUNT] = {' ', '~', '*', '=', '@'};
    return letters[mark];
}

Role role_heat(int level)
{
    assert(level >= 0 && level <= HEAT_TOP);
    return (Role)(ROLE_HEAT_0 + level);
}

Role role_signed(int level)
{
    assert(level >= -SIGNED_TOP && level <= SIGNED_TOP);
    return (Role)(ROLE_ZERO + level);
}

static bool is_level(Role role, RampKind ramp, int *level)
{
    *level = rows[role].level;
    return rows[role].ramp == ramp;
}

bool role_is_heat(Role role, int *level)
{
    return is_level(role, RAMP_UP, level);
}

bool role_is_signed(Role role, int *level)
{
    return is_level(role, RAMP_SIGNED, level);
}

/* ---- colours ---- */

uint32_t palette_rgb(int color)
{
    static const uint32_t basic[16] = {0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD,
                                       0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00,
                                       0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF};
    static const uint32_t steps[6] = {0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF};
    assert(color >= 0 && color < 256);
    if (color < 16)
        return basic[color];
    if (color >= 232)
        return 0x010101u * (uint32_t)(8 + 10 * (color - 232));
    int c = color - 16;
    return steps[c / 36] << 16 | steps[c / 6 % 6] << 8 | steps[c % 6];
}

static double channel(uint32_t rgb, int shift)
{
    return (double)(rgb >> shift & 0xFF) / 255;
}

static double linear(double x)
{
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

double color_luminance(uint32_t rgb)
{
    return 0.2126 * linear(channel(rgb, 16)) + 0.7152 * linear(channel(rgb, 8)) +
           0.0722 * linear(channel(rgb, 0));
}

double color_contrast(uint32_t a, uint32_t b)
{
    double la = color_luminance(a), lb = color_luminance(b);
    return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05);
}

static double distance(uint32_t a, uint32_t b)
{
    double sum = 0;
    static const double weights[3] = {2, 4, 3}; /* eyes see green best */
    for (int i = 0; i < 3; i++) {
        double d = channel(a, 16 - 8 * i) - channel(b, 16 - 8 * i);
        sum += weights[i] * d * d;
    }
    return sum;
}

/* Black or white, whichever stands out more from paper, as numbers of a palette of
 * `colors`. */
static short ink_on(uint32_t paper, int colors)
{
    short dark = colors == 256 ? 16 : 0, light = colors == 256 ? 231 : colors == 16 ? 15 : 7;
    double black = color_contrast(paper, palette_rgb(dark));
    return black >= color_contrast(paper, palette_rgb(light)) ? dark : light;
}

/* The number between 16 and 255 nearest to rgb, among those on which black or white
 * has at least that contrast.  (0 … 15 look different on every terminal.) */
static short nearest_color(uint32_t rgb, double contrast)
{
    short best = 16;
    double least = INFINITY;
    for (int i = 16; i < 256; i++) {
        uint32_t candidate = palette_rgb(i);
        double d = distance(rgb, candidate);
        if (d >= least || color_contrast(candidate, palette_rgb(ink_on(candidate, 256))) < contrast)
            continue;
        best = (short)i;
        least = d;
    }
    return best;
}

/* The colour at x, 0 … 1, along count stops. */
static uint32_t blend(const uint32_t *stops, size_t count, double x)
{
    double at = x * (double)(count - 1);
    size_t i = at >= (double)(count - 1) ? count - 2 : (size_t)at;
    double part = at - (double)i;
    uint32_t rgb = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double c = channel(stops[i], shift) * (1 - part) + channel(stops[i + 1], shift) * part;
        rgb |= (uint32_t)lround(255 * c) << shift;
    }
    return rgb;
}

/* Zero looks like the screen, more stands out more; ordered by lightness, so that
 * the order survives every kind of colour vision.  The unsigned ramp is cividis'. */
static uint32_t ramp_color(const RoleRow *row, ThemeKind kind)
{
    static const uint32_t up_dark[] = {0x1C1C1C, 0x30303A, 0x48485C, 0x6B6D73, 0x948E78,
                                       0xC0B26D, 0xFDE737};
    static const uint32_t up_light[] = {0xFFFFFF, 0xFDE737, 0xC9BA6A, 0x948E78, 0x6B6D73,
                                        0x3F4B6B, 0x00204D};
    static const uint32_t minus_dark[] = {0x262626, 0x1F3F7F, 0x3F6FBF, 0x6FAFEF, 0xAFDFFF};
    static const uint32_t plus_dark[] = {0x262626, 0x6F3F00, 0xAF6F1F, 0xEF9F3F, 0xFFD787};
    static const uint32_t minus_light[] = {0xEEEEEE, 0xBFDFFF, 0x6FAFDF, 0x2F6FAF, 0x00376F};
    static const uint32_t plus_light[] = {0xEEEEEE, 0xFFDFAF, 0xEFA74F, 0xB75F00, 0x6F2F00};
    bool dark = kind == THEME_DARK;
    if (row->ramp == RAMP_UP)
        return blend(dark ? up_dark : up_light, 7, (double)row->level / HEAT_TOP);
    double x = fabs((double)row->level) / SIGNED_TOP;
    if (row->level < 0)
        return blend(dark ? minus_dark : minus_light, 5, x);
    return blend(dark ? plus_dark : plus_light, 5, x);
}

/* With eight colours a ramp has four steps: by lightness, or blue and cyan below
 * zero, yellow and red above. */
static short ramp_basic(const RoleRow *row)
{
    static const short up[4] = {4, 6, 3, 7};
    if (row->ramp == RAMP_UP)
        return up[row->level * 4 / (HEAT_TOP + 1)];
    if (row->level == 0)
        return 7;
    if (row->level < 0)
        return row->level < -SIGNED_TOP / 2 ? 4 : 6;
    return row->level > SIGNED_TOP / 2 ? 1 : 3;
}

static Style ramp_style(const RoleRow *row, const Theme *theme)
{
    Style style = {COLOR_OF_TERMINAL, COLOR_OF_TERMINAL, theme->projector ? STYLE_BOLD : 0};
    if (theme->colors == 256)
        style.paper = nearest_color(ramp_color(row, theme->kind), theme->projector ? 7.0 : 4.5);
    else if (theme->colors > 0)
        style.paper = ramp_basic(row);
    if (style.paper >= 0)
        style.ink = ink_on(palette_rgb(style.paper), theme->colors);
    return style;
}

/* The basic colour for rgb as an ink; bright ones only where there are sixteen. */
static short basic_ink(uint32_t rgb, const Theme *theme)
{
    short best = COLOR_OF_TERMINAL;
    double least = INFINITY, wanted = 3.0;
    uint32_t screen = theme->kind == THEME_LIGHT ? 0xFFFFFF : 0x000000;
    for (int i = 0; i < theme->colors; i++) {
        double d = distance(rgb, palette_rgb(i));
        if (d < least && color_contrast(palette_rgb(i), screen) >= wanted) {
            best = (short)i;
            least = d;
        }
    }
    return best;
}

static Style plain_style(const RoleRow *row, const Theme *theme)
{
    Style style = {COLOR_OF_TERMINAL, COLOR_OF_TERMINAL, row->attributes};
    bool alarm = row->attributes & STYLE_PAPER_ALARM;
    style.attributes = (uint8_t)(row->attributes & ~STYLE_PAPER_ALARM);
    if (alarm && theme->colors < 256) {
        style.attributes |= STYLE_REVERSE;
        return style;
    }
    if (theme->colors == 0)
        return style;
    if (alarm) {
        style.paper = 90;
        style.ink = ink_on(palette_rgb(style.paper), theme->colors);
        return style;
    }
    uint32_t ink = theme->kind == THEME_DARK ? row->dark_ink : row->light_ink;
    if (ink == INK_DEFAULT)
        return style;
    style.ink = theme->colors == 256 ? nearest_color(ink, 0) : basic_ink(ink, theme);
    return style;
}

void theme_init(Theme *theme, ThemeKind kind, int colors, bool projector)
{
    int rounded = colors >= 256 ? 256 : colors >= 16 ? 16 : colors >= 8 ? 8 : 0;
    if (kind == THEME_MONO || rounded == 0) {
        kind = THEME_MONO;
        rounded = 0;
    }
    theme->kind = kind;
    theme->colors = rounded;
    theme->projector = projector;
    for (size_t i = 0; i < ROLE_COUNT; i++)
        theme->styles[i] = rows[i].ramp == RAMP_NONE ? plain_style(&rows[i], theme)
                                                     : ramp_style(&rows[i], theme);
}

Style theme_style(const Theme *theme, Role role, Mark mark)
{
    Style style = theme->styles[role];
    switch (mark) {
    case MARK_CURSOR:
        style.attributes |= STYLE_REVERSE | STYLE_BOLD;
        break;
    case MARK_OPERAND:
        style.attributes |= STYLE_BOLD | STYLE_UNDERLINE;
        break;
    case MARK_FOCUS:
        style.attributes |= STYLE_BOLD;
        break;
    case MARK_CHANGED:
        style.attributes |= STYLE_UNDERLINE;
        break;
    case MARK_NONE:
    case MARK_COUNT:
        break;
    }
    return style;
}

static const char *const theme_names[THEME_COUNT] = {"dark", "light", "mono"};

const char *theme_name(ThemeKind kind)
{
    return theme_names[kind];
}

bool theme_find(const char *name, ThemeKind *kind)
{
    for (int i = 0; i < THEME_COUNT; i++)
        if (strcmp(name, theme_names[i]) == 0) {
            *kind = (ThemeKind)i;
            return true;
        }
    return false;
}
