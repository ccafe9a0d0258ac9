/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files read block by block are the files read whole: the same numbers, the same errors at the
 * same places, wherever a block or a piece of the file ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "io/csv.h"
#include "io/file.h"
#include "io/npy.h"
#include "io/folder.h"
#include "io/rows.h"
#include "sparse.h"

enum { LONG = 100000 }; /* numbers in a row: more than a piece of a file holds */

static void put(const char *path, const Str *text)
{
    Error error = {0};
    assert_int_equal(file_write(path, text->data, text->length, &error), STATUS_OK);
}

/* The whole of path, `most` rows at a time, as one matrix; NULL and *error if it is refused. */
static Matrix *read_by_rows(const char *path, size_t most, Error *error)
{
    Rows *rows;
    if (rows_open(path, &rows, error) != STATUS_OK)
        return NULL;
    double *cells = NULL;
    size_t count = 0, got = most, cols = 0;
    Status status = STATUS_OK;
    while (status == STATUS_OK && got == most) {
        Matrix *m = NULL;
        status = rows_read(rows, most, &m, error);
        if (status != STATUS_OK)
            break;
        got = m->rows;
        cols = m->cols;
        cells = memory_resize(cells, count + matrix_count(m) + 1, sizeof *cells);
        memcpy(cells + count, m->cells, matrix_count(m) * sizeof *cells);
        count += matrix_count(m);
        matrix_unref(m);
    }
    Matrix *all = status == STATUS_OK ? matrix_from(rows_done(rows), cols, cells) : NULL;
    free(cells);
    rows_close(rows);
    return all;
}

static void expect_same_error(const char *what, const Error *expected, const Error *got)
{
    if (strcmp(expected->message, got->message) != 0 || expected->line != got->line ||
        expected->column != got->column || strcmp(expected->file, got->file) != 0)
        fail_msg("%s: %s:%zu:%zu: %s, by rows %s:%zu:%zu: %s", what, expected->file,
                 expected->line, expected->column, expected->message, got->file, got->line,
                 got->column, got->message);
    if (expected->excerpt || got->excerpt)
        assert_string_equal(expected->excerpt, got->excerpt);
}

/* The file at path whole and `most` rows at a time. */
static void compare(const char *path, size_t most)
{
    Error whole = {0}, by_rows = {0};
    Matrix *expected = NULL;
    npy_or_csv_read_file(path, 10000000, false, &expected, &whole);
    Matrix *got = read_by_rows(path, most, &by_rows);
    if (!expected != !got)
        fail_msg("%s, %zu rows at a time: %s", path, most, got ? "accepted" : by_rows.message);
    if (expected && !matrix_same(expected, got))
        fail_msg("%s, %zu rows at a time: other numbers", path, most);
    if (!expected)
        expect_same_error(path, &whole, &by_rows);
    error_clear(&whole);
    error_clear(&by_rows);
    matrix_unref(expected);
    matrix_unref(got);
}

static void test_bad_inputs(void **state)
{
    (void)state;
    static const char *const files[] = {
        "17-digit-round-trip", "crlf-and-blank-last-line", "decimal-comma-with-semicolons",
        "header-row-no-data",  "hex-float",                "junk-after-number",
        "lone-cr-line-ends",   "nul-byte-inside-number",   "only-newlines",
        "row-2-too-long",      "row-3-too-short",          "trailing-comma-every-row",
        "unicode-digits-and-minus", "utf8-bom-before-first-number", "zero-bytes",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (size_t most = 1; most < 4; most++) {
            char path[512];
            snprintf(path, sizeof path, TEST_DATA "/bad-inputs/csv-%s.csv", files[i]);
            compare(path, most);
        }
}

/* shift bytes of blanks, then rows of 3 numbers with all kinds of line ends: more than two
 * pieces of a file. */
static void add_rows(Str *out, size_t rows, size_t shift, const char *end)
{
    str_add_repeat(out, ' ', shift);
    for (size_t i = 0; i < rows; i++)
        str_addf(out, "%zu,-%zu.5,%zue3%s", i, i * i, i % 7, end);
}

static void test_line_ends_at_the_end_of_a_piece(void **state)
{
    (void)state;
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (size_t k = 0; k < 3; k++)
        for (size_t shift = 0; shift < sparse_part(24, 24); shift++) {
            Str text = {0};
            add_rows(&text, 12000, shift, ends[k]);
            put("rows.csv", &text);
            compare("rows.csv", 1024);
            str_clear(&text);
        }
}

/* Rows, then something: at the end, beyond the first piece. */
static void check_tail(const char *end, const char *tail)
{
    Str text = {0};
    add_rows(&text, 12001, 0, end);
    str_add(&text, tail);
    put("tail.csv", &text);
    compare("tail.csv", 1000);
    compare("tail.csv", 12001);
    str_clear(&text);
}

static void test_tails(void **state)
{
    (void)state;
    static const char *const tails[] = {"",      "\n\n \t\n", "7,8,9",    "7,8,9\n\n",  "7,8\n",
                                        "7,8,9,10", "7,,9\n", "\n\n7,8,9", "a,b,c\n",   "7,8,1e999",
                                        "\r\r\n", "\n  x"};
    for (size_t i = 0; i < sparse_part(sizeof tails / sizeof *tails, 4); i++) {
        check_tail("\n", tails[i]);
        check_tail("\r\n", tails[i]);
    }
}

/* Blank lines and single rows larger than any piece. */
static void test_long(void **state)
{
    (void)state;
    Str text = {0};
    str_add(&text, "1,2\n");
    str_add_repeat(&text, '\n', 1000000);
    put("long.csv", &text);
    compare("long.csv", 5);
    str_add(&text, "3,4\n");
    put("long.csv", &text);
    compare("long.csv", 5);
    str_clear(&text);
    for (size_t row = 0; row < 3; row++)
        for (size_t i = 0; i < LONG; i++)
            str_addf(&text, "%zu%c", i * row, i == LONG - 1 ? '\n' : ',');
    put("long.csv", &text);
    compare("long.csv", 2);
    str_cut(&text, text.length - 1);
    str_add(&text, ",1");
    put("long.csv", &text);
    compare("long.csv", 2);
    str_clear(&text);
}

static void test_npy(void **state)
{
    (void)state;
    static const char *const files[] = {"f8-c-order", "f4-c-order",      "f8-version-2",
                                        "f8-extremes", "f8-1-dimension", "f8-0-dimensions",
                                        "f8-0-rows"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (size_t most = 1; most < 4; most++) {
            char path[512];
            snprintf(path, sizeof path, TEST_DATA "/npy/%s.npy", files[i]);
            compare(path, most);
        }
    Matrix *m = matrix_new(30001, 3);
    for (size_t i = 0; i < matrix_count(m); i++)
        matrix_fill(m)[i] = (double)i / 7;
    Str text = {0};
    npy_add_matrix(&text, m);
    put("big.npy", &text);
    compare("big.npy", 1024);
    compare("big.npy", 30001);
    str_add_char(&text, 'x');
    put("big.npy", &text);
    compare("big.npy", 1024);
    str_cut(&text, text.length - 2);
    put("big.npy", &text);
    compare("big.npy", 1024);
    str_cut(&text, 60);
    put("big.npy", &text);
    compare("big.npy", 1024);
    str_clear(&text);
    matrix_unref(m);
    Error error = {0};
    assert_null(read_by_rows(TEST_DATA "/npy/f8-fortran-order.npy", 2, &error));
    assert_string_equal(error.message,
                        "the array is in Fortran order; C order is needed to read it row by row "
                        "(numpy.ascontiguousarray)");
    error_clear(&error);
}

/* Runs read_by_rows("-") on the text, which comes a few bytes at a time. */
static Matrix *read_stdin(const Str *text, size_t step, Error *error)
{
    int ends[2], old = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        for (size_t i = 0; i < text->length; i += step) {
            size_t left = text->length - i;
            if (write(ends[1], text->data + i, left < step ? left : step) < 0)
                _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    Matrix *m = read_by_rows("-", 2, error);
    dup2(old, STDIN_FILENO);
    close(old);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return m;
}

static void test_stdin(void **state)
{
    (void)state;
    static const double cells[] = {1, 2, 3, 4, 5, 6};
    Matrix *expected = matrix_from(3, 2, cells);
    Str csv = {0}, npy = {0};
    str_add(&csv, "1,2\r\n3,4\r\n5,6\r\n");
    npy_add_matrix(&npy, expected);
    Error error = {0};
    for (size_t step = 1; step < 20; step++) {
        const Str *texts[] = {&csv, &npy};
        for (size_t i = 0; i < 2; i++) {
            Matrix *got = read_stdin(texts[i], step, &error);
            assert_true(got && matrix_same(expected, got));
            matrix_unref(got);
        }
    }
    str_add_char(&npy, 'x');
    assert_null(read_stdin(&npy, 5, &error));
    assert_string_equal(error.message,
                        "extra data at the end: more than 3 x 2 numbers follow the header");
    assert_string_equal(error.file, "<stdin>");
    error_clear(&error);
    str_cut(&npy, npy.length - 5);
    assert_null(read_stdin(&npy, 5, &error));
    assert_string_equal(error.message, "the file is truncated: 3 x 2 numbers of 8 bytes need 48 "
                                       "bytes, 44 follow the header");
    error_clear(&error);
    str_clear(&csv);
    str_clear(&npy);
    matrix_unref(expected);
}

static void test_counts(void **state)
{
    (void)state;
    Rows *rows;
    Error error = {0};
    size_t count;
    assert_int_equal(rows_open(TEST_DATA "/npy/f8-c-order.npy", &rows, &error), STATUS_OK);
    assert_true(rows_count(rows, &count));
    assert_int_equal(count, 3);
    assert_int_equal(rows_done(rows), 0);
    rows_close(rows);
    assert_int_equal(rows_open(TEST_DATA "/bad-inputs/csv-lone-cr-line-ends.csv", &rows, &error),
                     STATUS_OK);
    assert_false(rows_count(rows, &count));
    rows_close(rows);
    assert_int_equal(rows_open("none", &rows, &error), STATUS_ERROR);
    error_clear(&error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_inputs),
        cmocka_unit_test(test_line_ends_at_the_end_of_a_piece),
        cmocka_unit_test(test_tails),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_npy),
        cmocka_unit_test(test_stdin),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
