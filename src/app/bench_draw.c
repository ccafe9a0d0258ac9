/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/bench_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/fast_level.h"
#include "page/draw_curves.h"
#include "page/draw_number.h"
#include "page/draw_text.h"

enum { NAME_COLS = 24, NUMBER_COLS = 9, MOST_LENGTHS = 24, DIGITS = 3, CURVES = 4 };

/* ---- cells of a table ---- */

/* Writes text so that it ends before column `end`. */
static void put_right(Grid *grid, int row, int end, const char *text, Role role)
{
    int width = grid_text_width(grid, text, strlen(text));
    grid_put(grid, grid_rect(grid), row, end - width, text, role);
}

static void put_number(Grid *grid, int row, int end, double x, int digits)
{
    Str text = {0};
    if (isnan(x))
        str_add(&text, grid->ascii ? "-" : "–");
    else
        number_add_short(&text, x, digits);
    put_right(grid, row, end, str_text(&text), ROLE_NUMBER);
    str_clear(&text);
}

/* A table's head and the names of the forms. */
static Grid *begin_table(const char *title, int width, bool ascii)
{
    Grid *grid = grid_new(1 + BENCH_FORMS, width, ascii);
    grid_put(grid, grid_rect(grid), 0, 0, title, ROLE_TITLE);
    for (size_t form = 0; form < BENCH_FORMS; form++)
        grid_put(grid, grid_rect(grid), 1 + (int)form, 0, bench_form(form)->name, ROLE_CAPTION);
    return grid;
}

/* ---- the tables ---- */

/* The longest length that was measured, or 0. */
static size_t longest(const Bench *bench)
{
    size_t count, most = 0;
    const BenchPoint *points = bench_points(bench, &count);
    for (size_t i = 0; i < count; i++)
        most = points[i].n > most ? points[i].n : most;
    return most;
}

/* Every second of the lengths, the longest among them, as many as fit; ascending. */
static size_t choose_lengths(const Bench *bench, int room, size_t *lengths)
{
    size_t count = 0, most = (size_t)(room / NUMBER_COLS), n = longest(bench);
    for (; n >= BENCH_LEAST_N && count < most && count < MOST_LENGTHS; n /= 4)
        count++;
    n = longest(bench);
    for (size_t i = count; i > 0; i--, n /= 4)
        lengths[i - 1] = n;
    return count;
}

/* Time by length. */
static Grid *time_table(const Bench *bench, int width, bool ascii)
{
    size_t lengths[MOST_LENGTHS];
    size_t count = choose_lengths(bench, width - NAME_COLS - NUMBER_COLS, lengths);
    int end = NAME_COLS + NUMBER_COLS;
    Grid *grid = begin_table("time in ms", width, ascii);
    Str text = {0};
    for (size_t i = 0; i < count; i++, end += NUMBER_COLS) {
        str_cut(&text, 0);
        str_addf(&text, "%s%zu", i == 0 ? "n = " : "", lengths[i]);
        put_right(grid, 0, end, str_text(&text), ROLE_LABEL);
        for (size_t form = 0; form < BENCH_FORMS; form++) {
            const BenchPoint *point = bench_find(bench, form, lengths[i]);
            put_number(grid, 1 + (int)form, end, point ? point->seconds * 1e3 : NAN, DIGITS);
        }
    }
    put_right(grid, 0, end, "power", ROLE_LABEL);
    for (size_t form = 0; form < BENCH_FORMS; form++)
        put_number(grid, 1 + (int)form, end, bench_slope(bench, form), DIGITS);
    str_clear(&text);
    return grid;
}

/* What was counted and measured at one length. */
static Grid *count_table(const Bench *bench, int width, bool ascii)
{
    static const char *const heads[] = {"M adds", "M exps", "GFLOP/s", "% peak", "MB", "power"};
    size_t n = bench_common_n(bench);
    Str title = {0};
    if (n == 0)
        return grid_new(0, 0, ascii);
    str_addf(&title, "at n = %zu", n);
    Grid *grid = begin_table(str_text(&title), width, ascii);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        put_right(grid, 0, NAME_COLS + ((int)i + 1) * NUMBER_COLS, heads[i], ROLE_LABEL);
    for (size_t form = 0; form < BENCH_FORMS; form++) {
        const BenchPoint *p = bench_find(bench, form, n);
        if (!p)
            continue;
        double cells[] = {p->multiply_adds * 1e-6,
                          p->exponentials * 1e-6,
                          2 * p->multiply_adds / p->seconds * 1e-9,
                          100 * bench_share_of_peak(bench, p),
                          p->bytes / (1 << 20),
                          bench_memory_slope(bench, form)};
        for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
            put_number(grid, 1 + (int)form, NAME_COLS + ((int)i + 1) * NUMBER_COLS, cells[i],
                       DIGITS);
    }
    str_clear(&title);
    return grid;
}

/* ---- curves ---- */

/* The lengths and what was measured of one form, for a curve. */
typedef struct {
    double *x, *y;
    size_t count;
} Measured;

static Measured measured(const Bench *bench, size_t form, bool memory)
{
    size_t count, least = memory ? BENCH_SLOPE_FROM : BENCH_LEAST_N;
    const BenchPoint *points = bench_points(bench, &count);
    Measured m = {memory_zeros(count + 1, sizeof(double)), memory_zeros(count + 1, sizeof(double)),
                  0};
    for (size_t i = 0; i < count; i++) {
        if (points[i].form != form || points[i].n < least)
            continue;
        m.x[m.count] = (double)points[i].n;
        m.y[m.count++] = memory ? points[i].bytes / (1 << 20) : points[i].seconds * 1e3;
    }
    return m;
}

/* Time: softmax, linear, the delta rule, and where the first two cross.  Memory (but of the
 * shortest lengths, whose few pages the kernel miscounts): softmax with and without its table,
 * and linear. */
static void draw_curves(const Bench *bench, bool memory, Grid *grid, Rect area)
{
    static const size_t timed[] = {BENCH_SOFTMAX, BENCH_LINEAR, BENCH_DELTA};
    static const size_t held[] = {BENCH_TABLE, BENCH_SOFTMAX, BENCH_LINEAR};
    static const char *const timed_names[] = {"softmax", "linear", "delta"};
    static const char *const held_names[] = {"n×n table", "softmax", "linear"};
    double n = 0, seconds = 0, ms;
    Measured points[CURVES - 1];
    Curve items[CURVES];
    for (size_t i = 0; i < CURVES - 1; i++) {
        points[i] = measured(bench, memory ? held[i] : timed[i], memory);
        items[i] = (Curve){memory ? held_names[i] : timed_names[i], points[i].x, points[i].y,
                           points[i].count, points[i].count};
    }
    bool crosses = !memory && bench_crossover(bench, BENCH_SOFTMAX, BENCH_LINEAR, &n, &seconds);
    ms = seconds * 1e3;
    items[CURVES - 1] = (Curve){"cross", &n, &ms, 1, 1};
    Curves curves = {.items = items,
                     .count = crosses ? CURVES : CURVES - 1,
                     .x_name = "n",
                     .log_x = true,
                     .log_y = true};
    curves_draw(&curves, grid, area);
    for (size_t i = 0; i < CURVES - 1; i++) {
        free(points[i].x);
        free(points[i].y);
    }
}

static Grid *curves_grid(const Bench *bench, bool memory, int width, bool ascii)
{
    const int rows = 16;
    Size size = curves_fit((Size){rows, width});
    Grid *grid = grid_new(size.rows + 1, size.cols, ascii);
    grid_put(grid, grid_rect(grid), 0, 0,
             memory ? "memory in MB above the inputs, outputs included" : "time in ms",
             ROLE_TITLE);
    draw_curves(bench, memory, grid, (Rect){1, 0, size.rows, size.cols});
    return grid;
}

/* ---- sentences ---- */

/* What both forms have in common where they do not cross: the sign of slow - fast. */
static bool is_slower_throughout(const Bench *bench, size_t slow, size_t fast)
{
    size_t count, seen = 0;
    const BenchPoint *points = bench_points(bench, &count);
    for (size_t i = 0; i < count; i++) {
        const BenchPoint *other =
            points[i].form == slow ? bench_find(bench, fast, points[i].n) : NULL;
        if (other && points[i].seconds <= other->seconds)
            return false;
        seen += other != NULL;
    }
    return seen > 0;
}

/* "than NAME from n = 93 on" */
static void add_crossover(const Bench *bench, Str *out, size_t fast, const char *name)
{
    double n, seconds;
    str_addf(out, "than %s ", name);
    if (bench_crossover(bench, BENCH_SOFTMAX, fast, &n, &seconds))
        str_addf(out, "from n = %.0f on", n);
    else if (is_slower_throughout(bench, BENCH_SOFTMAX, fast))
        str_add(out, "at every length measured");
    else
        str_add(out, "at none of the lengths measured");
}

static void add_crossovers(const Bench *bench, Str *out, bool both)
{
    str_add(out, "Softmax attention takes longer ");
    add_crossover(bench, out, BENCH_LINEAR, "linear attention");
    str_add(out, both ? ", " : "");
    if (both)
        add_crossover(bench, out, BENCH_DELTA, "the delta rule");
    str_add(out, ". ");
}

static void add_chunks(const Bench *bench, Str *out)
{
    size_t n = bench_common_n(bench);
    if (n == 0)
        return;
    double ratio = bench_find(bench, BENCH_LINEAR_CHUNKS, n)->seconds /
                   bench_find(bench, BENCH_LINEAR, n)->seconds;
    str_add(out, "Chunks take ");
    number_add_short(out, ratio, 2);
    str_addf(out, " times as long as token by token at n = %zu%s. ", n,
             ratio > 1 ? ": where the state stays in the cache they are a derivation, not a gain"
                       : "");
}

/* "from n = 8192 on softmax, gated-delta", by lengths. */
static void add_left_out(const Bench *bench, Str *out)
{
    size_t max_n = bench_options(bench)->max_n;
    bool any = false;
    for (size_t n = BENCH_LEAST_N; n <= max_n; n *= 2) {
        bool here = false;
        for (size_t form = 0; form < BENCH_FORMS; form++) {
            if (bench_left_out(bench, form) != n)
                continue;
            if (!any)
                str_addf(out, "Left out, for a budget of %.0f s: ", bench_options(bench)->seconds);
            else if (!here)
                str_add(out, "; ");
            if (!here)
                str_addf(out, "from n = %zu on %s", n, bench_form(form)->id);
            else
                str_addf(out, ", %s", bench_form(form)->id);
            any = here = true;
        }
    }
    str_add(out, any ? "." : "");
}

static Grid *sentences(const Bench *bench, bool all, int width, bool ascii)
{
    Str text = {0};
    Rich rich = {.ascii = ascii};
    add_crossovers(bench, &text, all);
    if (all)
        add_chunks(bench, &text);
    if (all)
        add_left_out(bench, &text);
    rich_add(&rich, str_text(&text), ROLE_PROSE);
    Grid *grid = rich_layout(&rich, width, 0);
    rich_clear(&rich);
    str_clear(&text);
    return grid;
}

/* Which machine, and how it was measured. */
static Grid *heading(const Bench *bench, int width, bool ascii)
{
    const BenchOptions *options = bench_options(bench);
    Str text = {0};
    Rich rich = {.ascii = ascii};
    str_addf(&text,
             "Causal attention on this machine: d = %zu, doubles, %zu thread%s, %s kernels; ",
             options->d, options->threads, options->threads == 1 ? "" : "s",
             fast_level_name(fast_level()));
    str_addf(&text, "multiply-adds in registers alone run at %.0f GFLOP/s a thread, which is the "
                    "peak. ", 2 * bench_peak(bench) * 1e-9);
    str_addf(&text, "Powers of n are fitted from n = %d to %d.", BENCH_SLOPE_FROM, BENCH_SLOPE_TO);
    rich_add(&rich, str_text(&text), ROLE_PROSE);
    Grid *grid = rich_layout(&rich, width, 0);
    rich_clear(&rich);
    str_clear(&text);
    return grid;
}

Grid *bench_draw_report(const Bench *bench, int width, bool ascii)
{
    Grid *parts[] = {heading(bench, width, ascii),
                     time_table(bench, width, ascii),
                     count_table(bench, width, ascii),
                     curves_grid(bench, false, width, ascii),
                     curves_grid(bench, true, width, ascii),
                     sentences(bench, true, width, ascii)};
    return grid_stack(parts, sizeof parts / sizeof *parts, 1, ascii);
}

/* ---- on a page ---- */

enum { TEXT_ROWS = 3 }; /* kept free for the sentence, and what the caller says */

Size bench_figure_fit(Size max)
{
    Size size = curves_fit((Size){max.rows - TEXT_ROWS - 1, max.cols});
    return (Size){size.rows + TEXT_ROWS + 1, size.cols};
}

void bench_figure_draw(const Bench *bench, Grid *grid, Rect area)
{
    Rect curves = {area.row + 1, area.col, area.rows - TEXT_ROWS - 1, area.cols};
    grid_put(grid, area, area.row, area.col, "time in ms, on this machine", ROLE_CAPTION);
    draw_curves(bench, false, grid, curves);
    Grid *text = sentences(bench, false, area.cols, grid->ascii);
    grid_copy(grid, area, curves.row + curves.rows, area.col, text, grid_rect(text));
    grid_free(text);
}
