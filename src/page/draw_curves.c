/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/draw_curves.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "page/draw_number.h"

enum { MAX_COLS = 64, MAX_ROWS = 14, LEAST_ROWS = 5, MAX_TICKS = 8 };

typedef struct {
    double low, high; /* of the logarithm on a log scale */
    bool log;
    double ticks[MAX_TICKS]; /* in the axis' own units */
    int tick_count;
} Axis;

typedef struct {
    const Curves *curves;
    Grid *grid;
    Rect area;
    Rect box;        /* where the curves are */
    Axis x, y;
    uint8_t *dots;   /* Braille bits of each cell of box */
    uint8_t *owner;  /* curve + 1 that set a dot there last */
    size_t skipped;
} Plot;

/* ---- axes ---- */

static bool usable(double x, bool log)
{
    return isfinite(x) && (!log || x > 0);
}

static void widen(Axis *axis, const double *numbers, size_t count, bool *any)
{
    for (size_t i = 0; i < count; i++) {
        if (!usable(numbers[i], axis->log))
            continue;
        double x = axis->log ? log10(numbers[i]) : numbers[i];
        if (!*any || x < axis->low)
            axis->low = x;
        if (!*any || x > axis->high)
            axis->high = x;
        *any = true;
    }
}

/* 1, 2 or 5 times a power of ten, not below x. */
static double nice_step(double x)
{
    double unit = pow(10, floor(log10(x)));
    double part = x / unit;
    return unit * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static void linear_ticks(Axis *axis, int wanted)
{
    double step = nice_step((axis->high - axis->low) / wanted);
    double first = ceil(axis->low / step - 1e-9);
    for (int i = 0; i < MAX_TICKS; i++) {
        double tick = (first + i) * step;
        if (tick > axis->high + 1e-9 * step)
            break;
        axis->ticks[axis->tick_count++] = tick;
    }
}

static void log_ticks(Axis *axis, int wanted)
{
    if (axis->high - axis->low < 2.5) { /* 1, 2, 5 of every decade */
        static const double parts[3] = {1, 2, 5};
        for (double e = floor(axis->low); e <= axis->high; e++)
            for (int i = 0; i < 3; i++) {
                double at = e + log10(parts[i]);
                if (at > axis->low - 1e-9 && at < axis->high + 1e-9 && axis->tick_count < MAX_TICKS)
                    axis->ticks[axis->tick_count++] = parts[i] * pow(10, e);
            }
    }
    if (axis->tick_count >= 2)
        return;
    axis->tick_count = 0;
    double every = fmax(1, ceil((axis->high - axis->low) / wanted));
    for (double e = ceil(axis->low - 1e-9); e <= axis->high + 1e-9; e += every)
        if (axis->tick_count < MAX_TICKS)
            axis->ticks[axis->tick_count++] = pow(10, e);
    if (axis->tick_count >= 2)
        return;
    axis->ticks[0] = pow(10, axis->low);
    axis->ticks[1] = pow(10, axis->high);
    axis->tick_count = 2;
}

static void finish_axis(Axis *axis, bool any, int wanted)
{
    if (!any || !(axis->high > axis->low)) {
        double middle = any ? axis->low : 0;
        double half = axis->log ? 1 : middle != 0 ? fabs(middle) / 2 : 1;
        axis->low = middle - half;
        axis->high = middle + half;
    }
    if (axis->log) {
        log_ticks(axis, wanted);
        return;
    }
    double step = nice_step((axis->high - axis->low) / wanted);
    if (isfinite(step) && step > 0 && wanted < 4) { /* y: the axis ends at ticks */
        axis->low = floor(axis->low / step + 1e-9) * step;
        axis->high = ceil(axis->high / step - 1e-9) * step;
    }
    linear_ticks(axis, wanted);
}

static void find_axes(Plot *p)
{
    bool any_x = false, any_y = false;
    p->x.log = p->curves->log_x;
    p->y.log = p->curves->log_y;
    for (size_t i = 0; i < p->curves->count + p->curves->unseen; i++) {
        const Curve *curve = &p->curves->items[i];
        widen(&p->x, curve->x, curve->x_count, &any_x);
        widen(&p->y, curve->y, curve->y_count, &any_y);
    }
    finish_axis(&p->x, any_x, 5);
    finish_axis(&p->y, any_y, 3);
}

/* 0 … 1 along the axis. */
static double along(const Axis *axis, double x)
{
    return ((axis->log ? log10(x) : x) - axis->low) / (axis->high - axis->low);
}

static int tick_width(const Axis *axis)
{
    int widest = 0;
    Str text = {0};
    for (int i = 0; i < axis->tick_count; i++) {
        str_cut(&text, 0);
        number_add_short(&text, axis->ticks[i], 3);
        widest = (int)text.length > widest ? (int)text.length : widest;
    }
    str_clear(&text);
    return widest;
}

/* ---- dots ---- */

static Role curve_role(size_t curve)
{
    return curve < 3 ? (Role)(ROLE_CURVE_1 + curve) : ROLE_CURVE_4;
}

static const char *curve_sign(size_t curve, bool ascii)
{
    static const char *const signs[] = {"●", "○", "▲", "+"};
    static const char *const ascii_signs[] = {"*", "o", "x", "+"};
    size_t i = curve < 3 ? curve : 3;
    return ascii ? ascii_signs[i] : signs[i];
}

static void set_dot(Plot *p, int x, int y, size_t curve)
{
    static const uint8_t bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    int col = x / 2, row = y / 4;
    if (x < 0 || y < 0 || col >= p->box.cols || row >= p->box.rows)
        return;
    p->dots[row * p->box.cols + col] |= bits[y % 4][x % 2];
    p->owner[row * p->box.cols + col] = (uint8_t)(curve + 1 < 255 ? curve + 1 : 255);
}

/* Where a point is, in dots; false if it cannot be shown. */
static bool dot_of(const Plot *p, double x, double y, double *dx, double *dy)
{
    if (!usable(x, p->x.log) || !usable(y, p->y.log))
        return false;
    *dx = along(&p->x, x) * (2 * p->box.cols - 1);
    *dy = (1 - along(&p->y, y)) * (4 * p->box.rows - 1);
    return true;
}

static void set_line(Plot *p, double x0, double y0, double x1, double y1, size_t curve)
{
    int steps = (int)ceil(fmax(fabs(x1 - x0), fabs(y1 - y0)));
    for (int i = 0; i <= steps; i++) {
        double t = steps ? (double)i / steps : 0;
        set_dot(p, (int)lround(x0 + t * (x1 - x0)), (int)lround(y0 + t * (y1 - y0)), curve);
    }
}

/* Points of a curve. */
static size_t point_count(const Curve *curve)
{
    return curve->x_count < curve->y_count ? curve->x_count : curve->y_count;
}

static void add_curve(Plot *p, size_t i)
{
    const Curve *curve = &p->curves->items[i];
    bool before = false;
    double x0 = 0, y0 = 0, x1, y1;
    for (size_t k = 0; k < point_count(curve); k++) {
        bool shown = dot_of(p, curve->x[k], curve->y[k], &x1, &y1);
        if (!shown)
            p->skipped++;
        else if (before)
            set_line(p, x0, y0, x1, y1, i);
        else
            set_dot(p, (int)lround(x1), (int)lround(y1), i);
        before = shown;
        x0 = x1;
        y0 = y1;
    }
}

static void draw_dots(const Plot *p)
{
    for (int i = 0; i < p->box.rows * p->box.cols; i++) {
        if (!p->dots[i])
            continue;
        char braille[] = {'\xE2', (char)(0xA0 + (p->dots[i] >> 6)),
                          (char)(0x80 + (p->dots[i] & 0x3F)), '\0'};
        grid_put_either(p->grid, p->area, p->box.row + i / p->box.cols,
                        p->box.col + i % p->box.cols, braille, ".",
                        curve_role((size_t)p->owner[i] - 1));
    }
}

/* A sign at every point, if they do not crowd. */
static void draw_points(const Plot *p, size_t i)
{
    const Curve *curve = &p->curves->items[i];
    double dx, dy;
    size_t every = 1 + 3 * curve->y_count / (size_t)(p->box.cols + 1);
    for (size_t k = 0; k < point_count(curve); k += every)
        if (dot_of(p, curve->x[k], curve->y[k], &dx, &dy))
            grid_put(p->grid, p->area, p->box.row + (int)lround(dy) / 4,
                     p->box.col + (int)lround(dx) / 2, curve_sign(i, p->grid->ascii),
                     curve_role(i));
}

/* ---- the frame around ---- */

static void draw_y_axis(const Plot *p)
{
    Str text = {0};
    int last = -1;
    for (int i = 0; i < p->box.rows; i++)
        grid_put_either(p->grid, p->area, p->box.row + i, p->box.col - 1, "│", "|", ROLE_AXIS);
    for (int i = 0; i < p->y.tick_count; i++) {
        double at = along(&p->y, p->y.ticks[i]);
        int row = p->box.row + (int)lround((1 - at) * (4 * p->box.rows - 1)) / 4;
        if (row == last)
            continue;
        last = row;
        str_cut(&text, 0);
        number_add_short(&text, p->y.ticks[i], 3);
        grid_put(p->grid, p->area, row, p->box.col - 1 - (int)text.length, str_text(&text),
                 ROLE_AXIS);
        grid_put_either(p->grid, p->area, row, p->box.col - 1, "┤", "+", ROLE_AXIS);
    }
    str_clear(&text);
}

static void draw_x_axis(const Plot *p)
{
    int row = p->box.row + p->box.rows, used = p->area.col;
    Str text = {0};
    grid_put_either(p->grid, p->area, row, p->box.col - 1, "└", "+", ROLE_AXIS);
    for (int j = 0; j < p->box.cols; j++)
        grid_put_either(p->grid, p->area, row, p->box.col + j, "─", "-", ROLE_AXIS);
    for (int i = 0; i < p->x.tick_count; i++) {
        int col = p->box.col + (int)lround(along(&p->x, p->x.ticks[i]) * (2 * p->box.cols - 1)) / 2;
        str_cut(&text, 0);
        number_add_short(&text, p->x.ticks[i], 3);
        int left = col - ((int)text.length - 1) / 2;
        int right = p->area.col + p->area.cols;
        if (left + (int)text.length > right)
            left = right - (int)text.length;
        grid_put_either(p->grid, p->area, row, col, "┬", "+", ROLE_AXIS);
        if (left <= used)
            continue;
        grid_put(p->grid, p->area, row + 1, left, str_text(&text), ROLE_AXIS);
        used = left + (int)text.length;
    }
    str_clear(&text);
}

/* "over n, both on a log scale, 2 not shown" */
static void add_axes(const Plot *p, Str *out, const char *log)
{
    str_addf(out, "over %s", p->curves->x_name);
    if (p->x.log || p->y.log)
        str_addf(out, ", %s%s", !p->y.log ? "x" : !p->x.log ? "y" : "both", log);
    if (p->skipped)
        str_addf(out, ", %zu not shown", p->skipped);
}

static void draw_caption(const Plot *p)
{
    int col = p->area.col;
    const Curves *curves = p->curves;
    Str text = {0};
    for (size_t i = 0; i < curves->count; i++) {
        col += grid_put(p->grid, p->area, p->area.row, col, curve_sign(i, p->grid->ascii),
                        curve_role(i)) + 1;
        col += grid_put(p->grid, p->area, p->area.row, col, curves->items[i].name, ROLE_CAPTION) +
               2;
    }
    add_axes(p, &text, " on a log scale");
    if (grid_text_width(p->grid, str_text(&text), text.length) > p->area.col + p->area.cols - col) {
        str_cut(&text, 0);
        add_axes(p, &text, " logarithmic");
    }
    grid_put(p->grid, p->area, p->area.row, col, str_text(&text), ROLE_LEGEND);
    str_clear(&text);
}

Size curves_fit(Size max)
{
    int rows = max.rows > MAX_ROWS ? MAX_ROWS : max.rows < LEAST_ROWS ? LEAST_ROWS : max.rows;
    return (Size){rows, max.cols > MAX_COLS ? MAX_COLS : max.cols};
}

void curves_draw(const Curves *curves, Grid *grid, Rect area)
{
    Plot p = {.curves = curves, .grid = grid, .area = area};
    find_axes(&p);
    int left = tick_width(&p.y) + 1;
    p.box = (Rect){area.row + 1, area.col + left, area.rows - 3, area.cols - left};
    if (p.box.rows < 1 || p.box.cols < 2)
        return;
    size_t cells = (size_t)p.box.rows * (size_t)p.box.cols;
    p.dots = memory_zeros(cells, 1);
    p.owner = memory_zeros(cells, 1);
    for (size_t i = 0; i < curves->count; i++)
        add_curve(&p, i);
    draw_y_axis(&p);
    draw_x_axis(&p);
    draw_dots(&p);
    for (size_t i = 0; i < curves->count; i++)
        draw_points(&p, i);
    draw_caption(&p);
    free(p.dots);
    free(p.owner);
}
