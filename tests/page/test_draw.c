/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every widget through the views of a small lesson: draw.md says what, draw.txt what
 * it looks like at which size ("== step frame rows cols [ascii] [roles] [projector]"). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/start.h"
#include "golden.h"
#include "lesson/lesson.h"
#include "lesson/run.h"
#include "page/draw_figure.h"

static Lesson *lesson;
static Trace *trace;

static int load(void **state)
{
    (void)state;
    Error error = {0};
    core_start();
    if (lesson_load(PROJECT_ROOT "/tests/page/draw.md", &lesson, &error) != STATUS_OK ||
        lesson_run(lesson, NULL, NULL, &trace, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    trace_free(trace);
    lesson_free(lesson);
    return 0;
}

static Position last_position(size_t step, size_t stop_number)
{
    size_t first, count = trace_step_stops(trace, step, &first);
    size_t stop = first + (stop_number && stop_number <= count ? stop_number : count) - 1;
    return (Position){stop, trace_stop(trace, stop)->last};
}

/* Draws all views of a step below each other, each with its size. */
static void draw_step(const char *head, Str *out)
{
    char id[32];
    unsigned stop;
    Size room;
    if (sscanf(head, "%31s %u %d %d", id, &stop, &room.rows, &room.cols) != 4)
        fail_msg("what is '%s'?", head);
    size_t index;
    const Step *step = lesson_find_step(lesson, id, &index);
    assert_non_null(step);
    bool ascii = strstr(head, " ascii"), roles = strstr(head, " roles");
    CellMark *marks = NULL;
    size_t mark_count = 0, mark_room = 0;
    DrawContext context = {.ascii = ascii, .projector = strstr(head, " projector") != NULL};
    for (size_t b = 0; b < step->count; b++)
        for (size_t v = 0; v < step->blocks[b].view_count; v++) {
            const View *view = &step->blocks[b].views[v];
            Position position = last_position(index, stop);
            Figure *figure = figure_new(trace, position, view, NULL, &context);
            if (step->blocks[b].views[v].kind != VIEW_FOCUS)
                for (size_t w = 0; w < step->blocks[b].view_count; w++) {
                    Figure *focus = figure_new(trace, last_position(index, stop),
                                               &step->blocks[b].views[w], NULL, &context);
                    figure_add_focus(focus, &marks, &mark_count, &mark_room);
                    context.marks = marks;
                    context.mark_count = mark_count;
                    figure_fit(figure, &context, room);
                    figure_free(focus);
                }
            Size size = figure_fit(figure, &context, room);
            Grid *grid = grid_new(size.rows, size.cols, ascii);
            figure_draw(figure, &context, grid, grid_rect(grid), 0, 0);
            grid_add_text(out, grid);
            if (roles)
                grid_add_roles(out, grid);
            grid_free(grid);
            figure_free(figure);
        }
    free(marks);
}

static void widgets_look_as_expected(void **state)
{
    (void)state;
    Golden golden;
    golden_open(&golden, PROJECT_ROOT "/tests/page/draw.txt");
    assert_int_equal(golden_check(&golden, draw_step), 0);
}

/* ---- a matrix by itself ---- */

static Panel panel_of(const Value *value)
{
    Panel panel = {.value = value, .state = SHOWN_PRESENT, .name = memory_copy_text("A")};
    const Matrix *m = value_matrix(value);
    panel.rows = m->rows;
    panel.cols = m->cols;
    panel.caption = memory_copy_text("A");
    panel.short_caption = memory_copy_text("A");
    panel.caption_role = ROLE_CAPTION;
    number_stats_add_matrix(&panel.stats, m, 0, 64, 0, 64);
    panel.scale = heat_scale(SCALE_DEFAULT, value, &panel.stats);
    panel.legend = true;
    return panel;
}

static Value *counting(size_t rows, size_t cols)
{
    Matrix *m = matrix_new(rows, cols);
    double *cells = matrix_fill(m);
    for (size_t i = 0; i < rows * cols; i++)
        cells[i] = (double)(i % 97) - 48;
    return value_new(m);
}

/* Cells before digits, digits before shades, shades before windows. */
static void density_grows_in_order(void **state)
{
    (void)state;
    Value *value = counting(8, 20);
    Panel panel = panel_of(value);
    DrawContext context = {0};
    int before = 1 << 20;
    for (int level = LEVEL_NORMAL; level < LEVEL_COUNT; level++) {
        PanelLayout layout = panel_fit(&panel, &context, level, (Size){1000, 1000});
        assert_true(layout.size.cols <= before);
        assert_int_equal(layout.shades, level >= LEVEL_SHADES);
        assert_true(layout.rows == 8 && layout.cols == 20);
        before = layout.size.cols;
    }
    PanelLayout window = panel_fit(&panel, &context, LEVEL_CLOSE, (Size){8, 30});
    assert_true(window.note && window.header && window.rows < 8 && window.cols < 20);
    assert_true(window.size.rows <= 8 && window.size.cols <= 30);
    panel_clear(&panel);
    value_unref(value);
}

/* The cursor is always in the window. */
static void windows_follow_the_cursor(void **state)
{
    (void)state;
    Value *value = counting(300, 200);
    Panel panel = panel_of(value);
    for (size_t i = 0; i < 300; i += 37)
        for (size_t j = 0; j < 200; j += 23) {
            CellMark mark = {{value, i, 1, j, 1}, MARK_CURSOR, false};
            DrawContext context = {.marks = &mark, .mark_count = 1};
            PanelLayout layout = panel_fit(&panel, &context, LEVEL_CLOSE, (Size){12, 40});
            assert_true(i >= layout.first_row && i < layout.first_row + layout.rows);
            assert_true(j >= layout.first_col && j < layout.first_col + layout.cols);
        }
    panel_clear(&panel);
    value_unref(value);
}

/* Every visible number is found where it stands, and only there. */
static void hits_lead_both_ways(void **state)
{
    (void)state;
    Value *value = counting(30, 20);
    Panel panel = panel_of(value);
    HitList hits = {0};
    DrawContext context = {.hits = &hits};
    PanelLayout layout = panel_fit(&panel, &context, LEVEL_NORMAL, (Size){14, 60});
    Grid *grid = grid_new(20, 70, false);
    panel_draw(&panel, &layout, &context, grid, grid_rect(grid), 3, 5);
    assert_int_equal(hits.count, 1);
    for (size_t i = 0; i < 30; i++)
        for (size_t j = 0; j < 20; j++) {
            Rect at;
            bool visible = i >= layout.first_row && i < layout.first_row + layout.rows &&
                           j >= layout.first_col && j < layout.first_col + layout.cols;
            assert_int_equal(hit_cell(&hits.items[0], i, j, &at), visible);
            if (!visible)
                continue;
            size_t row, col;
            const Hit *hit = hit_list_find(&hits, at.row, at.col + at.cols - 1, &row, &col);
            assert_ptr_equal(hit, &hits.items[0]);
            assert_true(row == i && col == j);
        }
    size_t row, col;
    assert_null(hit_list_find(&hits, 0, 0, &row, &col));
    hit_list_clear(&hits);
    grid_free(grid);
    panel_clear(&panel);
    value_unref(value);
}

static void ranges_reach_transposes(void **state)
{
    (void)state;
    Value *base = counting(3, 4), *turned = counting(4, 3), *other = counting(3, 4);
    value_set_origin(turned, op_get(OP_TRANSPOSE), NULL, NULL, &base, 1);
    CellRange row = {base, 1, 1, 0, 4}, out;
    assert_true(cell_range_in(&row, base, &out) && out.row == 1 && out.cols == 4);
    assert_true(cell_range_in(&row, turned, &out));
    assert_true(out.col == 1 && out.cols == 1 && out.row == 0 && out.rows == 4);
    CellRange column = {turned, 0, 4, 2, 1};
    assert_true(cell_range_in(&column, base, &out) && out.row == 2 && out.rows == 1);
    assert_false(cell_range_in(&row, other, &out));
    value_unref(base);
    value_unref(turned);
    value_unref(other);
}

/* Of a 4096x4096 only what is visible is looked at. */
static void large_matrices_cost_what_is_visible(void **state)
{
    (void)state;
    Value *value = counting(4096, 4096);
    Panel panel = panel_of(value);
    DrawContext context = {0};
    Grid *grid = grid_new(60, 200, false);
    for (int level = LEVEL_NORMAL; level < LEVEL_COUNT; level++) {
        PanelLayout layout = panel_fit(&panel, &context, level, (Size){60, 200});
        assert_true(layout.rows * layout.cols <= 60 * 200);
        assert_true(layout.size.rows <= 60 && layout.size.cols <= 200);
        panel_draw(&panel, &layout, &context, grid, grid_rect(grid), 0, 0);
    }
    grid_free(grid);
    panel_clear(&panel);
    value_unref(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(widgets_look_as_expected, load, unload),
        cmocka_unit_test(density_grows_in_order),
        cmocka_unit_test(windows_follow_the_cursor),
        cmocka_unit_test(hits_lead_both_ways),
        cmocka_unit_test(ranges_reach_transposes),
        cmocka_unit_test(large_matrices_cost_what_is_visible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
