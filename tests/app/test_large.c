/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Through a matrix of one's own that is much larger than the screen: after every key the
 * numbers that are visible are those of their rows and columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/start.h"
#include "io/file.h"
#include "io/npy.h"
#include "walker_driver.h"

enum { SIDE = 1500 };

static char folder[] = "/tmp/attnwalk-large-XXXXXX";
static Str lesson, numbers;

/* What stands in row i, column j, both from 1. */
static long number_at(long i, long j)
{
    return (i - 1) * SIDE + j - 1;
}

static void put_bytes(const char *path, const char *bytes, size_t length)
{
    Error error = {0};
    if (file_write(path, bytes, length, &error) != STATUS_OK)
        fail_msg("%s", error.message);
}

static int set_up(void **state)
{
    (void)state;
    static const char text[] =
        "---\ntitle: Mine\nabout: x\n---\n\n"
        "```params\nn = 4  1..8  tokens\nm = 4 1..8 tokens\n```\n\n## One {#one}\n\n"
        "```octave\nW = zeros(n, m);\nrest = 2 * W(1, :);\n```\n\n```view\nheat W\n```\n\n"
        "```check\nall(W(:) >= 0) : no number is below 0\n```\n";
    setenv("ATTNWALK_HOME", PROJECT_ROOT, 1);
    core_start();
    assert_non_null(mkdtemp(folder));
    str_addf(&lesson, "%s/mine.md", folder);
    str_addf(&numbers, "%s/w.npy", folder);
    put_bytes(str_text(&lesson), text, strlen(text));
    Matrix *m = matrix_new(SIDE, SIDE);
    for (long k = 0; k < (long)SIDE * SIDE; k++)
        matrix_fill(m)[k] = (double)k;
    Str bytes = {0};
    npy_add_matrix(&bytes, m);
    put_bytes(str_text(&numbers), bytes.data, bytes.length);
    str_clear(&bytes);
    matrix_unref(m);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(str_text(&lesson));
    unlink(str_text(&numbers));
    rmdir(folder);
    str_clear(&lesson);
    str_clear(&numbers);
    core_end();
    return 0;
}

static Walker *open_large(void)
{
    Str place = {0};
    str_addf(&place, "%s?W=@%s", str_text(&lesson), str_text(&numbers));
    Walker *w = open_at(str_text(&place));
    str_clear(&place);
    return w;
}

/* ---- what is visible ---- */

typedef struct {
    long first_row, rows, first_col, cols; /* from 1 */
} Window;

/* Reads a number after blanks and brackets; false if none stands there. */
static bool take_number(const char **at, long *out)
{
    char *end;
    *at += strspn(*at, " [");
    *out = strtol(*at, &end, 10);
    bool found = end != *at;
    *at = end + (*end == ']');
    return found;
}

/* The page from the caption of W on, without what stands left of it. */
static char *text_of_matrix(Walker *w, Size size)
{
    enum { INDENT = 2 }; /* of a caption */
    static const char caption[] = "W  n×m (1500×1500)";
    Grid *grid = draw(w, size);
    for (int i = 0; i < grid->rows; i++)
        for (int j = INDENT; j < grid->cols; j++) {
            Rect from = {i, j - INDENT, grid->rows - i, grid->cols - j + INDENT};
            Grid *part = grid_new(from.rows, from.cols, false);
            Str text = {0};
            grid_copy(part, grid_rect(part), 0, 0, grid, from);
            if (grid_cell(part, 0, INDENT)->text == 'W')
                grid_add_text(&text, part);
            grid_free(part);
            const char *found = strchr(str_text(&text), 'W'); /* after its pointer */
            if (found && strncmp(found, caption, strlen(caption)) == 0) {
                grid_free(grid);
                return str_take(&text);
            }
            str_clear(&text);
        }
    fail_msg("W is not on the page");
    return NULL;
}

/* Checks every visible number of W against its row and column, and says which they are. */
static Window check_visible(Walker *w, Size size)
{
    char *text = text_of_matrix(w, size);
    Window window = {0};
    long row, col, x;
    const char *line = strchr(text, '\n') + 1;
    const char *at = line;
    for (; take_number(&at, &col); window.cols++)
        window.first_col = window.cols == 0 ? col : window.first_col;
    assert_true(window.cols > 0);
    for (line = strchr(line, '\n') + 1, at = line; take_number(&at, &row);
         line = strchr(line, '\n') + 1, at = line, window.rows++) {
        window.first_row = window.rows == 0 ? row : window.first_row;
        assert_int_equal(row, window.first_row + window.rows);
        for (long k = 0; k < window.cols; k++) {
            assert_true(take_number(&at, &x));
            assert_int_equal(x, number_at(row, window.first_col + k));
        }
    }
    assert_true(window.rows > 0);
    free(text);
    return window;
}

/* True if the cursor is on that cell: it is visible, and explained. */
static bool is_at(Walker *w, long row, long col)
{
    char what[64];
    Window window = check_visible(w, usual);
    snprintf(what, sizeof what, "W(%ld,%ld) = %ld ", row, col, number_at(row, col));
    return row >= window.first_row && row < window.first_row + window.rows &&
           col >= window.first_col && col < window.first_col + window.cols && shows(w, what);
}

static long clamp(long x)
{
    return x < 1 ? 1 : x > SIDE ? SIDE : x;
}

/* ---- the tests ---- */

static void keys_move_the_window(void **state)
{
    (void)state;
    static const char *const keys[] = {"PgDn", "L",    "Right", "Down", "J",    "L",   "K",
                                       "H",    "PgUp", "PgUp",  "PgUp", "Left", "End", "L",
                                       "PgDn", "Up",   "Home",  "H",    "PgDn", "J"};
    Walker *w = open_large();
    long row = 1, col = 1;
    press(w, "Enter");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        Window window = check_visible(w, usual);
        const char *key = keys[k];
        if (strcmp(key, "PgDn") == 0 || strcmp(key, "J") == 0)
            row = clamp(row + window.rows);
        else if (strcmp(key, "PgUp") == 0 || strcmp(key, "K") == 0)
            row = clamp(row - window.rows);
        else if (strcmp(key, "L") == 0)
            col = clamp(col + window.cols);
        else if (strcmp(key, "H") == 0)
            col = clamp(col - window.cols);
        else if (strcmp(key, "Home") == 0)
            col = 1;
        else if (strcmp(key, "End") == 0)
            col = SIDE;
        else if (strcmp(key, "Right") == 0 || strcmp(key, "Left") == 0)
            col = clamp(col + (*key == 'R' ? 1 : -1));
        else
            row = clamp(row + (*key == 'D' ? 1 : -1));
        press(w, key);
        assert_true(is_at(w, row, col));
    }
    walker_free(w);
}

static void a_cell_is_gone_to(void **state)
{
    (void)state;
    Walker *w = open_large();
    press(w, "Enter g 1234,567 Enter");
    assert_true(is_at(w, 1234, 567));
    press(w, "g (1,1500) Enter");
    assert_true(is_at(w, 1, 1500));
    press(w, "g 1501,1 Enter");
    assert_true(shows(w, "W is 1500x1500: it has no cell (1501,1)"));
    assert_true(is_at(w, 1, 1500));
    press(w, "Esc g 3,4 Enter"); /* without a cursor it is a place, and there is none */
    assert_false(has(w, "W(3,4)"));
    press(w, "g one:2 Enter");
    assert_true(shows(w, "mine.md:one:2"));
    walker_free(w);
}

static bool find_glyph(const Grid *grid, const char *glyph, int from_row, int *row, int *col)
{
    for (int i = from_row; i < grid->rows; i++)
        for (int j = 0; j < grid->cols; j++) {
            Str text = {0};
            grid_add_cell(&text, grid, grid_cell(grid, i, j));
            bool same = strcmp(str_text(&text), glyph) == 0;
            str_clear(&text);
            if (same) {
                *row = i;
                *col = j;
                return true;
            }
        }
    return false;
}

/* A click in the overview leads to the largest number of the block: its last one. */
static void the_overview_is_clicked(void **state)
{
    (void)state;
    Walker *w = open_large();
    char *text = text_of(w, usual);
    long block_rows, block_cols;
    const char *caption = strstr(text, "max |x| of ");
    if (!caption)
        caption = strstr(text, "max of ");
    assert_non_null(caption);
    assert_int_equal(sscanf(strstr(caption, " of "), " of %ld×%ld each", &block_rows, &block_cols),
                     2);
    free(text);
    Grid *grid = draw(w, usual);
    int row, col, top;
    assert_true(find_glyph(grid, "▾", 0, &top, &col)); /* above its first column */
    assert_true(find_glyph(grid, "▸", top + 1, &row, &col));
    grid_free(grid);
    walker_input(w, (Input){.kind = INPUT_CLICK, .row = top + 1 + 2, .col = col + 1 + 3});
    assert_true(is_at(w, 3 * block_rows, 4 * block_cols));
    walker_free(w);
}

/* At other sizes too, and nothing is wrong with what else is on the page. */
static void every_size_is_right(void **state)
{
    (void)state;
    static const Size sizes[] = {{24, 80}, {40, 120}, {60, 200}, {30, 100}};
    Walker *w = open_large();
    press(w, "Enter g 777,888 Enter");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        Window window = check_visible(w, sizes[k]);
        assert_true(window.first_row <= 777 && 777 < window.first_row + window.rows);
        assert_true(window.first_col <= 888 && 888 < window.first_col + window.cols);
    }
    press(w, "Esc Right");
    assert_true(shows(w, "✓ no number is below 0"));
    walker_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_move_the_window),
        cmocka_unit_test(a_cell_is_gone_to),
        cmocka_unit_test(the_overview_is_clicked),
        cmocka_unit_test(every_size_is_right),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
