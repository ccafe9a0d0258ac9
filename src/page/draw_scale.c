/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/draw_scale.h"

#include <math.h>
#include <string.h>

#include "page/digest.h"

/* x rounded up to two significant digits. */
static double round_up(double x)
{
    if (!(x > 0))
        return 0;
    double unit = pow(10, floor(log10(x)) - 1);
    double rounded = ceil(x / unit - 1e-9) * unit;
    return isfinite(rounded) && rounded > 0 ? rounded : x;
}

enum { MAX_DEPTH = 8, MAX_VALUES = 4096 };

/* Entries of 0 … 1: a truth value, a softmax, or rows that are distributions. */
static bool is_unit(const Value *v)
{
    if (!v || v->kind != VALUE_MATRIX)
        return false;
    return v->logical || (v->origin && v->origin->op->id == OP_SOFTMAX) ||
           digest_has_unit_rows(value_matrix(v));
}

typedef enum { SIGN_UNKNOWN, SIGN_NEVER, SIGN_BY_OPERANDS } SignRule;

/* Whether an operation can give anything below 0. */
static SignRule sign_rule(const Value *v)
{
    switch (v->origin->op->id) {
    case OP_EXP: case OP_RELU: case OP_ELU1: case OP_ABS: case OP_SOFTMAX: case OP_SQRT:
    case OP_NORM: case OP_ENTROPY: case OP_FAVOR: case OP_RELATIVE_ERROR: case OP_RECALL_RATE:
    case OP_ROWS: case OP_COLUMNS: case OP_NUMEL: case OP_SIZE: case OP_ZEROS: case OP_ONES:
    case OP_EYE: case OP_RAND:
        return SIGN_NEVER;
    case OP_LITERAL:
        return value_is_scalar(v) && value_number(v) >= 0 ? SIGN_NEVER : SIGN_UNKNOWN;
    case OP_ADD: case OP_TIMES: case OP_DIVIDE: case OP_MULTIPLY: case OP_TRANSPOSE: case OP_SUM:
    case OP_MEAN: case OP_MAX: case OP_MIN: case OP_CUMSUM: case OP_TRIL: case OP_TRIU:
    case OP_CONCAT: case OP_INDEX: case OP_RANGE:
        return SIGN_BY_OPERANDS;
    case OP_RIGHT_DIVIDE:
        return value_is_scalar(v->origin->operands[1]) ? SIGN_BY_OPERANDS : SIGN_UNKNOWN;
    default:
        return SIGN_UNKNOWN;
    }
}

/* True if the operations behind v cannot give anything below 0.  First operands are
 * followed in a loop, since a state is a chain as long as its text; *budget values are
 * looked at. */
static bool is_never_negative(const Value *v, int depth, int *budget)
{
    for (;;) {
        if (!v || v->kind != VALUE_MATRIX || v->logical)
            return v && (v->logical || v->kind == VALUE_COLON || v->kind == VALUE_TEXT);
        if (!v->origin || depth == MAX_DEPTH || --*budget < 0)
            return false;
        const Origin *origin = v->origin;
        SignRule rule = sign_rule(v);
        if (rule != SIGN_BY_OPERANDS || origin->count == 0)
            return rule == SIGN_NEVER;
        bool first_only = origin->op->id == OP_INDEX ||
                          (origin->op->id == OP_RANGE && origin->count == 2);
        size_t count = first_only ? 1 : origin->count;
        for (size_t i = 1; i < count; i++)
            if (!is_never_negative(origin->operands[i], depth + 1, budget))
                return false;
        v = origin->operands[0];
    }
}

HeatScale heat_scale(Scale wanted, const Value *value, const NumberStats *stats)
{
    if (wanted == SCALE_01 || (wanted == SCALE_DEFAULT && is_unit(value)))
        return (HeatScale){false, 1};
    double limit = round_up(stats->largest);
    if (stats->negative)
        return (HeatScale){true, limit};
    int budget = MAX_VALUES;
    bool above = wanted == SCALE_AUTO ||
                 (wanted == SCALE_DEFAULT && is_never_negative(value, 0, &budget));
    return (HeatScale){!above, limit};
}

Role heat_role(const HeatScale *scale, double x)
{
    if (isnan(x))
        return ROLE_NOT_A_NUMBER;
    if (isinf(x))
        return ROLE_INFINITE;
    double part = scale->limit > 0 ? x / scale->limit : 0;
    if (!scale->is_signed) {
        int level = (int)floor(fmin(fmax(part, 0), 1) * (HEAT_TOP + 1));
        return role_heat(level > HEAT_TOP ? HEAT_TOP : level);
    }
    int level = (int)ceil(fmin(fabs(part), 1) * SIGNED_TOP - 1e-9);
    if (x != 0 && level == 0)
        level = 1;
    return role_signed(x < 0 ? -level : level);
}

const char *heat_glyph(Role role, bool ascii)
{
    static const char *const up[] = {"·", "·", "░", "░", "▒", "▒", "▓", "▓", "█", "█"};
    static const char *const up_ascii[] = {".", ".", ":", ":", "+", "+", "*", "*", "#", "#"};
    static const char *const minus[] = {"-", "-", "=", "=", "≡", "≡", "≣", "≣"};
    static const char *const minus_ascii[] = {"-", "-", "~", "~", "=", "=", "%", "%"};
    int level;
    if (role == ROLE_NOT_A_NUMBER)
        return "?";
    if (role == ROLE_INFINITE)
        return ascii ? "^" : "∞";
    if (role_is_heat(role, &level))
        return ascii ? up_ascii[level] : up[level];
    if (!role_is_signed(role, &level))
        return " ";
    if (level == 0)
        return ascii ? "." : "·";
    if (level < 0)
        return ascii ? minus_ascii[-level - 1] : minus[-level - 1];
    return ascii ? up_ascii[level + 1] : up[level + 1];
}

bool heat_scale_same(const HeatScale *a, const HeatScale *b)
{
    return a->is_signed == b->is_signed && a->limit == b->limit;
}

/* The levels a legend shows: every other one, ends included. */
enum { LEGEND_STEPS = 5 };

static const char only_zeros[] = "only zeros";

int heat_legend_width(const HeatScale *scale)
{
    Str end = {0};
    number_add_short(&end, scale->limit, 2);
    int number = (int)end.length;
    str_clear(&end);
    if (scale->limit == 0)
        return (int)strlen(only_zeros);
    if (scale->is_signed)
        return 2 * LEGEND_STEPS - 1 + 2 * number + 3;
    return LEGEND_STEPS + number + 3;
}

void heat_legend_draw(Grid *grid, Rect clip, int row, int col, const HeatScale *scale)
{
    if (scale->limit == 0) {
        grid_put(grid, clip, row, col, only_zeros, ROLE_LEGEND);
        return;
    }
    Str end = {0};
    number_add_short(&end, scale->limit, 2);
    if (scale->is_signed)
        col += grid_put(grid, clip, row, col, "-", ROLE_LEGEND);
    col += grid_put(grid, clip, row, col, scale->is_signed ? str_text(&end) : "0", ROLE_LEGEND) + 1;
    int first = scale->is_signed ? -SIGNED_TOP : 1;
    for (int level = first; level <= (scale->is_signed ? SIGNED_TOP : HEAT_TOP); level += 2) {
        Role role = scale->is_signed ? role_signed(level) : role_heat(level);
        col += grid_put(grid, clip, row, col, heat_glyph(role, grid->ascii), role);
    }
    grid_put(grid, clip, row, col + 1, str_text(&end), ROLE_LEGEND);
    str_clear(&end);
}
