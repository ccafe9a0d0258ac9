/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is found of all entries of a matrix, against going over them one by one; the overview
 * that is drawn from it; and that it is found once. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "core/start.h"
#include "lesson/lesson.h"
#include "lesson/run.h"
#include "page/digest.h"
#include "page/draw_overview.h"
#include "page/memo.h"
#include "page/page.h"

/* ---- random matrices ---- */

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static uint32_t below(uint32_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % n;
}

typedef enum { WEIGHTS, SIGNED, INTEGERS, ODD, KINDS } Kind;

static double random_number(Kind kind)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 5e-324, -0.0, 1e300};
    double unit = below(1000000) / 1e6;
    switch (kind) {
    case WEIGHTS: return below(3) ? unit : 0;
    case SIGNED: return below(50) ? 2 * unit - 1 : 7;
    case INTEGERS: return (double)below(9) - 4;
    default: return below(40) ? 2 * unit - 1 : odd[below(6)];
    }
}

static Matrix *random_matrix(size_t rows, size_t cols, Kind kind)
{
    Matrix *m = matrix_new(rows, cols);
    for (size_t k = 0; k < rows * cols; k++)
        matrix_fill(m)[k] = random_number(kind);
    return m;
}

/* Often 1, sometimes more than a screen. */
static size_t random_side(void)
{
    return below(4) == 0 ? 1 : 1 + below(below(3) ? 40 : 300);
}

/* ---- the digest ---- */

/* The peak of a block, by its definition. */
static double peak_of(const Matrix *m, size_t row, size_t rows, size_t col, size_t cols)
{
    double peak = 0;
    for (size_t i = row; i < row + rows && i < m->rows; i++)
        for (size_t j = col; j < col + cols && j < m->cols; j++) {
            double x = matrix_at(m, i, j);
            if (isnan(x))
                return x;
            if (fabs(x) > fabs(peak) || (fabs(x) == fabs(peak) && x > peak))
                peak = x;
        }
    return peak;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void pools_hold_the_peaks(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        Matrix *m = random_matrix(random_side(), random_side(), (Kind)below(KINDS));
        size_t r = 1 + below(20), c = 1 + below(20);
        if (round % 2) { /* made of units */
            r *= DIGEST_UNIT;
            c *= DIGEST_UNIT;
        }
        const Pool *pool = digest_pool(m, r, c);
        assert_int_equal(pool->block_rows, r);
        assert_int_equal(pool->block_cols, c);
        assert_int_equal(pool->rows, (m->rows + r - 1) / r);
        assert_int_equal(pool->cols, (m->cols + c - 1) / c);
        for (size_t i = 0; i < pool->rows; i++)
            for (size_t j = 0; j < pool->cols; j++) {
                double peak = peak_of(m, i * r, r, j * c, c);
                size_t row, col;
                assert_true(same(pool->peaks[i * pool->cols + j], peak));
                digest_find_peak(m, r, c, i, j, &row, &col);
                assert_true(row / r == i && col / c == j);
                assert_true(same(matrix_at(m, row, col), peak));
            }
        matrix_unref(m);
    }
}

/* Four are kept, and a fifth takes the place of the first. */
static void pools_are_kept(void **state)
{
    (void)state;
    Matrix *m = random_matrix(90, 70, SIGNED);
    const Pool *first = digest_pool(m, 8, 8), *second = digest_pool(m, 3, 5);
    assert_ptr_equal(digest_pool(m, 8, 8), first);
    digest_pool(m, 16, 8);
    digest_pool(m, 1, 1);
    assert_ptr_equal(digest_pool(m, 3, 5), second);
    digest_pool(m, 2, 2);
    const Pool *again = digest_pool(m, 8, 8);
    for (size_t k = 0; k < again->rows * again->cols; k++)
        assert_true(again->peaks[k] ==
                    peak_of(m, k / again->cols * 8, 8, k % again->cols * 8, 8));
    matrix_unref(m);
}

static void stats_are_those_of_every_number(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        Matrix *m = random_matrix(random_side(), random_side(), (Kind)below(KINDS));
        NumberStats one = {0};
        for (size_t k = 0; k < matrix_count(m); k++)
            number_stats_add(&one, m->cells[k]);
        const NumberStats *all = digest_stats(m);
        assert_int_equal(all->count, one.count);
        assert_true(all->largest == one.largest && all->smallest == one.smallest);
        assert_true(all->low == one.low && all->high == one.high);
        assert_int_equal(all->decimals, one.decimals);
        assert_true(all->finite == one.finite && all->negative == one.negative);
        assert_true(all->has_nan == one.has_nan && all->has_inf == one.has_inf);
        assert_int_equal(all->has_minus_inf, one.has_minus_inf);
        assert_ptr_equal(digest_stats(m), all);
        matrix_unref(m);
    }
}

static void distributions_are_seen(void **state)
{
    (void)state;
    Matrix *m = matrix_new(400, 300);
    for (size_t k = 0; k < matrix_count(m); k++)
        matrix_fill(m)[k] = 1.0 / 300;
    assert_true(digest_has_unit_rows(m));
    Matrix *off = matrix_from(m->rows, m->cols, m->cells);
    matrix_fill(off)[399 * 300 + 299] = 0.5;
    assert_false(digest_has_unit_rows(off));
    matrix_unref(off);
    matrix_unref(m);
}

/* ---- the overview ---- */

static Panel panel_of(const Value *value)
{
    Panel panel = {.value = value, .state = SHOWN_PRESENT, .name = memory_copy_text("A")};
    const Matrix *m = value_matrix(value);
    panel.rows = m->rows;
    panel.cols = m->cols;
    panel.caption = memory_copy_text("A");
    panel.short_caption = memory_copy_text("A");
    panel.caption_role = ROLE_CAPTION;
    panel.stats = *digest_stats(m);
    panel.scale = heat_scale(SCALE_AUTO, value, &panel.stats);
    panel.legend = true;
    return panel;
}

static void draw(const Panel *panel, const PanelLayout *layout, const DrawContext *context,
                 Grid *grid)
{
    panel_draw(panel, layout, context, grid, grid_rect(grid), 0, 0);
    overview_draw(panel, layout, context, grid, grid_rect(grid), 0, 0);
}

static void assert_cell(const Grid *grid, int row, int col, const char *text, Role role)
{
    const Cell *cell = grid_cell(grid, row, col);
    Str found = {0};
    grid_add_cell(&found, grid, cell);
    assert_string_equal(str_text(&found), text);
    assert_int_equal(cell->role, role);
    str_clear(&found);
}

/* Every cell of the overview, which begins at column col of the grid, and the pointers. */
static void check_overview(const Panel *panel, const PanelLayout *layout, const Grid *grid)
{
    const Overview *o = &layout->overview;
    const Matrix *m = value_matrix(panel->value);
    assert_true((size_t)o->rows == (m->rows + o->block_rows - 1) / o->block_rows);
    assert_true((size_t)o->cols == (m->cols + o->block_cols - 1) / o->block_cols);
    for (int i = 0; i < o->rows; i++) {
        size_t top = (size_t)i * o->block_rows;
        bool windowed = top < layout->first_row + layout->rows &&
                        top + o->block_rows > layout->first_row;
        assert_cell(grid, 2 + i, o->col - 1, windowed ? grid->ascii ? ">" : "▸" : " ",
                    windowed ? ROLE_POINTER : ROLE_PLAIN);
        for (int j = 0; j < o->cols; j++) {
            size_t left = (size_t)j * o->block_cols;
            double peak = peak_of(m, top, o->block_rows, left, o->block_cols);
            Role role = heat_role(&panel->scale, peak);
            assert_cell(grid, 2 + i, o->col + j, peak == 0 ? " " : heat_glyph(role, grid->ascii),
                        role);
        }
    }
    for (int j = 0; j < o->cols; j++) {
        size_t left = (size_t)j * o->block_cols;
        bool windowed = left < layout->first_col + layout->cols &&
                        left + o->block_cols > layout->first_col;
        assert_cell(grid, 1, o->col + j, windowed ? grid->ascii ? "v" : "▾" : " ",
                    windowed ? ROLE_POINTER : ROLE_PLAIN);
    }
    Str caption = {0}, text = {0};
    str_addf(&caption, "%s of %zu%s%zu", panel->scale.is_signed ? "max |x|" : "max", o->block_rows,
             grid->ascii ? "x" : "×", o->block_cols);
    grid_add_text(&text, grid);
    assert_non_null(strstr(str_text(&text), str_text(&caption)));
    str_clear(&caption);
    str_clear(&text);
}

static void overviews_show_the_whole(void **state)
{
    (void)state;
    int drawn = 0;
    for (int round = 0; round < 400; round++) {
        Value *value = value_new(random_matrix(random_side(), random_side(), (Kind)below(KINDS)));
        Panel panel = panel_of(value);
        CellMark mark = {{value, below((uint32_t)panel.rows), 1, below((uint32_t)panel.cols), 1},
                         MARK_CURSOR, false};
        DrawContext context = {.ascii = round % 3 == 0, .marks = &mark, .mark_count = 1};
        Size max = {4 + (int)below(40), 20 + (int)below(120)};
        PanelLayout layout = overview_fit(&panel, &context, max);
        if (layout.overview.rows > 0) {
            drawn++;
            assert_true(layout.size.rows <= max.rows && layout.size.cols <= max.cols);
            assert_true(layout.rows * layout.cols < panel.rows * panel.cols / 4);
            Grid *grid = grid_new(max.rows, max.cols + 1, context.ascii);
            draw(&panel, &layout, &context, grid);
            check_overview(&panel, &layout, grid);
            const Overview *o = &layout.overview;
            int row = 2 + (int)(mark.range.row / o->block_rows);
            int col = o->col + (int)(mark.range.col / o->block_cols);
            assert_int_equal(grid_cell(grid, row, col)->mark, MARK_CURSOR);
            grid_free(grid);
        }
        panel_clear(&panel);
        value_unref(value);
    }
    assert_in_range(drawn, 100, 400);
}

/* A window of numbers is enough where it shows most of them. */
static void no_overview_without_need(void **state)
{
    (void)state;
    Value *value = value_new(random_matrix(12, 6, SIGNED));
    Panel panel = panel_of(value);
    DrawContext context = {0};
    for (int rows = 1; rows < 40; rows++)
        for (int cols = 1; cols < 120; cols += 7) {
            PanelLayout layout = overview_fit(&panel, &context, (Size){rows, cols});
            if (layout.overview.rows > 0)
                assert_true(layout.rows * layout.cols < 12 * 6 / 4);
        }
    PanelLayout layout = overview_fit(&panel, &context, (Size){40, 120});
    assert_int_equal(layout.overview.rows, 0);
    panel_clear(&panel);
    value_unref(value);
}

/* What is kept back is kept back in its block; a NaN and an infinity are seen in theirs. */
static void blocks_say_what_is_in_them(void **state)
{
    (void)state;
    Matrix *m = random_matrix(200, 100, WEIGHTS);
    matrix_fill(m)[150 * 100 + 90] = NAN;
    matrix_fill(m)[20 * 100 + 50] = -INFINITY;
    Value *value = value_new(m);
    Panel panel = panel_of(value);
    CellMark hidden = {{value, 190, 1, 3, 1}, MARK_NONE, true};
    HitList hits = {0};
    DrawContext context = {.marks = &hidden, .mark_count = 1, .hits = &hits};
    PanelLayout layout = overview_fit(&panel, &context, (Size){20, 90});
    const Overview *o = &layout.overview;
    assert_true(o->rows > 0);
    Grid *grid = grid_new(20, 91, false);
    draw(&panel, &layout, &context, grid);
    assert_cell(grid, 2 + (int)(190 / o->block_rows), o->col + (int)(3 / o->block_cols), "?",
                ROLE_MASKED);
    int nan_row = 2 + (int)(150 / o->block_rows), nan_col = o->col + (int)(90 / o->block_cols);
    assert_cell(grid, nan_row, nan_col, "?", ROLE_NOT_A_NUMBER);
    assert_cell(grid, 2 + (int)(20 / o->block_rows), o->col + (int)(50 / o->block_cols), "∞",
                ROLE_INFINITE);
    size_t i, j;
    const Hit *hit = hit_list_find(&hits, nan_row, nan_col, &i, &j);
    Rect at;
    assert_non_null(hit);
    assert_true(i == 150 && j == 90);
    assert_false(hit_cell(hit, i, j, &at)); /* the number itself is not there */
    assert_null(hit_list_find(&hits, 1, o->col, &i, &j));
    hit_list_move(&hits, -3, 0, (Rect){0, 0, 20, 91}); /* its first block has gone */
    hit = hit_list_find(&hits, nan_row - 3, nan_col, &i, &j);
    assert_true(hit && i == 150 && j == 90);
    hit_list_clear(&hits);
    grid_free(grid);
    panel_clear(&panel);
    value_unref(value);
}

/* ---- computed once ---- */

static void a_page_is_computed_once(void **state)
{
    (void)state;
    static const char text[] =
        "---\ntitle: A\nabout: b\n---\n\n## One {#one}\n\nIt is `=sum(X)`.\n\n"
        "```octave\nX = (1:60)' * (1:50) / 7;\nY = 2 * X;\n```\n\n"
        "```view\nheat X - 1\ndiff X, Y\n```\n\n```check\nsum(X(:)) > 0 : positive\n```\n";
    Lesson *lesson;
    Trace *trace;
    Error error = {0};
    if (lesson_parse("a.md", text, strlen(text), &lesson, &error) != STATUS_OK ||
        lesson_run(lesson, NULL, NULL, &trace, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    DrawContext context = {0};
    PageOptions options = {.size = {24, 80}, .scroll = PAGE_SCROLL_AUTO};
    Position end = {1, 2};
    Page first, second;
    size_t count;
    page_draw(trace, end, &options, &first);
    const Figure *figure = memo_figures(trace, end, NULL, &context, &count)[0];
    const Value *shown = figure->shown.items[0].value;
    const Check *check = NULL;
    for (size_t b = 0; b < lesson->steps[0].count; b++)
        if (lesson->steps[0].blocks[b].kind == BLOCK_CHECK)
            check = lesson->steps[0].blocks[b].checks;
    const Fact *fact = memo_check(trace, 2, check);
    assert_true(count == 2 && fact->check.state == CHECK_HELD);
    CellMark cursor = {{shown, 40, 1, 30, 1}, MARK_CURSOR, false};
    options.marks = &cursor;
    options.mark_count = 1;
    page_draw(trace, end, &options, &second);
    assert_false(grid_same(first.grid, second.grid));
    assert_ptr_equal(memo_figures(trace, end, NULL, &context, &count)[0], figure);
    assert_ptr_equal(figure->shown.items[0].value, shown);
    assert_ptr_equal(memo_check(trace, 2, check), fact);
    page_clear(&second);
    page_draw(trace, (Position){0, 1}, &options, &second); /* elsewhere, and back */
    page_clear(&second);
    options.mark_count = 0;
    page_draw(trace, end, &options, &second);
    assert_true(grid_same(first.grid, second.grid));
    page_clear(&first);
    page_clear(&second);
    trace_free(trace);
    lesson_free(lesson);
}

static int set_up(void **state)
{
    (void)state;
    core_start();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pools_hold_the_peaks),
        cmocka_unit_test(pools_are_kept),
        cmocka_unit_test(stats_are_those_of_every_number),
        cmocka_unit_test(distributions_are_seen),
        cmocka_unit_test(overviews_show_the_whole),
        cmocka_unit_test(no_overview_without_need),
        cmocka_unit_test(blocks_say_what_is_in_them),
        cmocka_unit_test(a_page_is_computed_once),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
