/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices and tables as CSV: what is read, what is refused and with which
 * words, and that every double survives in every locale. */
#include <dirent.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "io/csv.h"
#include "io/file.h"
#include "sparse.h"

enum { LIMIT = 4000000 };

static Matrix *read_text(const char *text, size_t length, size_t limit, Error *error)
{
    Source *source = source_new("m.csv", text, length);
    Matrix *m = NULL;
    Status status = csv_read_matrix(source, limit, &m, error);
    assert_true((status == STATUS_OK) == (m != NULL));
    assert_true((status == STATUS_OK) == (error->message == NULL));
    source_free(source);
    return m;
}

/* ---- the open set of bad inputs ---- */

typedef struct {
    const char *file;
    size_t line, column; /* 0: it is accepted */
    const char *message;
    size_t rows, cols; /* if it is accepted */
    double cells[8];
} BadInput;

static const BadInput bad_inputs[] = {
    {"csv-utf8-bom-before-first-number.csv", 0, 0, NULL, 2, 2, {1, 2, 3, 4}},
    {"csv-crlf-and-blank-last-line.csv", 0, 0, NULL, 2, 2, {1, 2, 3, 4}},
    {"csv-lone-cr-line-ends.csv", 0, 0, NULL, 2, 2, {1, 2, 3, 4}},
    {"csv-decimal-comma-with-semicolons.csv",
     1,
     4,
     "'0,5;1,5': fields are separated by commas and the decimal mark is a point",
     0,
     0,
     {0}},
    {"csv-nul-byte-inside-number.csv", 1, 3, "NUL byte in a number", 0, 0, {0}},
    {"csv-row-3-too-short.csv", 3, 1, "row 3 has 2 fields, row 1 has 3", 0, 0, {0}},
    {"csv-row-2-too-long.csv", 2, 5, "row 2 has 3 fields, row 1 has 2", 0, 0, {0}},
    {"csv-trailing-comma-every-row.csv", 1, 5, "field 3 is empty", 0, 0, {0}},
    {"csv-zero-bytes.csv", 1, 1, "no data", 0, 0, {0}},
    {"csv-only-newlines.csv", 1, 1, "no data", 0, 0, {0}},
    {"csv-header-row-no-data.csv",
     1,
     1,
     "'q1' is not a number (a matrix file has no header line)",
     0,
     0,
     {0}},
    {"csv-hex-float.csv", 1, 1, "'0x1.8p1' is not a number", 0, 0, {0}},
    {"csv-overflow-1e400-and-2e308.csv", 1, 1, "number out of range: 1e400", 0, 0, {0}},
    {"csv-subnormal-and-dbl-max-are-valid.csv",
     0,
     0,
     NULL,
     2,
     2,
     {5e-324, 1e-310, DBL_MAX, -DBL_MAX}},
    {"csv-nan-and-inf-spellings.csv", 1, 18, "'nan(0x1)' is not a number", 0, 0, {0}},
    {"csv-17-digit-round-trip.csv",
     0,
     0,
     NULL,
     3,
     2,
     {0.1, 0.30000000000000004, 0.00348761430, 9.8555365080000001, 5e-324, 123456789012345680}},
    {"csv-junk-after-number.csv", 1, 1, "'1.5abc' is not a number", 0, 0, {0}},
    {"csv-unicode-digits-and-minus.csv", 1, 1, "'−1' is not a number", 0, 0, {0}},
    {"csv-400-distinct-values-more-than-256-colour-pairs.csv", 0, 0, NULL, 20, 20, {-1}},
};

enum { BAD_INPUTS = sizeof bad_inputs / sizeof *bad_inputs };

static void check_bad_input(const BadInput *row)
{
    char path[512];
    snprintf(path, sizeof path, TEST_DATA "/bad-inputs/%s", row->file);
    Str text = {0};
    Error error = {0};
    assert_int_equal(file_read(path, 100000, false, &text, &error), STATUS_OK);
    Matrix *m = read_text(str_text(&text), text.length, LIMIT, &error);
    if (row->message) {
        if (m)
            fail_msg("%s is accepted", row->file);
        assert_string_equal(error.message, row->message);
        if (error.line != row->line || error.column != row->column)
            fail_msg("%s is refused at %zu:%zu", row->file, error.line, error.column);
        assert_string_equal(error.file, "m.csv");
    } else {
        if (!m)
            fail_msg("%s is refused: %s", row->file, error.message);
        assert_int_equal(m->rows, row->rows);
        assert_int_equal(m->cols, row->cols);
        size_t known = matrix_count(m) <= 8 ? matrix_count(m) : 1;
        assert_memory_equal(m->cells, row->cells, known * sizeof(double));
        Str again = {0};
        csv_add_matrix(&again, m); /* read, write, read */
        Matrix *back = read_text(str_text(&again), again.length, LIMIT, &error);
        assert_true(matrix_same(m, back));
        matrix_unref(back);
        str_clear(&again);
    }
    matrix_unref(m);
    error_clear(&error);
    str_clear(&text);
}

static void test_bad_inputs(void **state)
{
    (void)state;
    for (size_t i = 0; i < BAD_INPUTS; i++)
        check_bad_input(&bad_inputs[i]);
    /* and no csv-* file of the folder is missing from the table */
    DIR *folder = opendir(TEST_DATA "/bad-inputs");
    assert_non_null(folder);
    size_t seen = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strncmp(entry->d_name, "csv-", 4) != 0)
            continue;
        bool known = false;
        for (size_t i = 0; i < BAD_INPUTS; i++)
            known = known || strcmp(bad_inputs[i].file, entry->d_name) == 0;
        if (!known)
            fail_msg("%s has no row in the table", entry->d_name);
        seen++;
    }
    closedir(folder);
    assert_int_equal(seen, BAD_INPUTS);
}

/* ---- more of both kinds ---- */

static void test_accepted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t rows, cols;
        const char *written;
    } cases[] = {
        {"1", 1, 1, "1\n"},
        {"1\n", 1, 1, "1\n"},
        {"1,2", 1, 2, "1,2\n"},
        {" 1 ,\t2\t\n", 1, 2, "1,2\n"},
        {"1\n\n \n\t\n", 1, 1, "1\n"},
        {"1\r\r", 1, 1, "1\n"},
        {"1\n2", 2, 1, "1\n2\n"},
        {"1\r2\n3\r\n4", 4, 1, "1\n2\n3\n4\n"},
        {"nan,NaN,-nan,inf,-INF,+Infinity", 1, 6, "nan,nan,nan,inf,-inf,inf\n"},
        {"-0,+0,.5,5.,1e22,1E-7", 1, 6, "-0,0,0.5,5,1e+22,1e-07\n"},
        {"\xEF\xBB\xBF-1", 1, 1, "-1\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Error error = {0};
        Matrix *m = read_text(cases[i].text, strlen(cases[i].text), LIMIT, &error);
        if (!m)
            fail_msg("'%s' is refused: %s", cases[i].text, error.message);
        assert_int_equal(m->rows, cases[i].rows);
        assert_int_equal(m->cols, cases[i].cols);
        Str out = {0};
        csv_add_matrix(&out, m);
        assert_string_equal(str_text(&out), cases[i].written);
        str_clear(&out);
        matrix_unref(m);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t line, column;
        const char *message;
    } cases[] = {
        {" \n\t\n", 1, 1, "no data"},
        {"\xEF\xBB\xBF", 1, 1, "no data"},
        {"\n1", 1, 1, "blank line before the matrix"},
        {"1\n\n2", 2, 1, "blank line inside the matrix"},
        {"1\n2\n \n\n3", 3, 1, "blank line inside the matrix"},
        {",1", 1, 1, "field 1 is empty"},
        {"1,,2", 1, 3, "field 2 is empty"},
        {"1, ,2", 1, 3, "field 2 is empty"},
        {"1,2\n3,", 2, 3, "field 2 is empty"},
        {"1,2\n3", 2, 1, "row 2 has 1 field, row 1 has 2"},
        {"1,2\n3,4,", 2, 5, "row 2 has 3 fields, row 1 has 2"},
        {"1\n2,3,4,5", 2, 3, "row 2 has 4 fields, row 1 has 1"},
        {"1,2\n3,4,x", 2, 5, "row 2 has 3 fields, row 1 has 2"},
        {"1 2 3", 1, 1, "'1 2 3' is not a number (fields are separated by commas)"},
        {"1;2", 1, 2, "'1;2': fields are separated by commas and the decimal mark is a point"},
        {"a b,1", 1, 1, "'a b' is not a number (a matrix file has no header line)"},
        {"\"q\",1", 1, 1, "'\"q\"' is not a number (a matrix file has no header line)"},
        {"\"1\",2", 1, 1, "'\"1\"' is not a number"},
        {"1,q", 1, 3, "'q' is not a number"},
        {"1\nq", 2, 1, "'q' is not a number"},
        {"1,1.#INF", 1, 3, "'1.#INF' is not a number"},
        {"1\r\n2\r\nx", 3, 1, "'x' is not a number"},
        {"1\r2\rx", 3, 1, "'x' is not a number"},
        {"1,\x1B[31m", 1, 3, "'␛[31m' is not a number"},
        {"1,\xFF", 1, 3, "'\xEF\xBF\xBD' is not a number"},
        {"1,\xEF\xBB\xBF"
         "2",
         1, 3, "'<U+FEFF>2' is not a number"},
        {"1,-2e308", 1, 3, "number out of range: -2e308"},
        {"注意,1", 1, 1, "'注意' is not a number"},
        {"1,注意x", 1, 3, "'注意x' is not a number"},
        {"0,0123456789012345678901234567890123456789x", 1, 3,
         "'0123456789012345678901234567890123456789…' is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Error error = {0};
        if (read_text(cases[i].text, strlen(cases[i].text), LIMIT, &error))
            fail_msg("'%s' is accepted", cases[i].text);
        assert_string_equal(error.message, cases[i].message);
        if (error.line != cases[i].line || error.column != cases[i].column)
            fail_msg("'%s' is refused at %zu:%zu", cases[i].text, error.line, error.column);
        error_clear(&error);
    }
}

static void test_limit(void **state)
{
    (void)state;
    Error error = {0};
    Matrix *m = read_text("1,2\n3,4", 7, 4, &error);
    assert_non_null(m);
    matrix_unref(m);
    assert_null(read_text("1,2\n3,4", 7, 3, &error));
    assert_string_equal(error.message, "too large: more than the limit of 3 entries");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 3);
    error_clear(&error);
}

/* Sizes without entries are written, too. */
static void test_write_empty(void **state)
{
    (void)state;
    Str out = {0};
    Matrix *m = matrix_new(0, 3);
    csv_add_matrix(&out, m);
    assert_int_equal(out.length, 0);
    matrix_unref(m);
    m = matrix_new(2, 0);
    csv_add_matrix(&out, m);
    assert_string_equal(str_text(&out), "\n\n");
    matrix_unref(m);
    str_clear(&out);
}

/* ---- every double, in every locale ---- */

enum { SIDE = 1000 }; /* SIDE * SIDE doubles */

/* Random bit patterns, a tenth of them subnormal, and the values where readers
 * and writers break. */
static Matrix *random_doubles(void)
{
    static const double special[] = {0.0,
                                     -0.0,
                                     5e-324,
                                     -5e-324,
                                     DBL_MIN,
                                     -DBL_MIN,
                                     DBL_MAX,
                                     -DBL_MAX,
                                     NAN,
                                     INFINITY,
                                     -INFINITY,
                                     DBL_EPSILON,
                                     0.1,
                                     1e22,
                                     1e23,
                                     9007199254740993.0,
                                     2.2250738585072011e-308};
    enum { SPECIALS = sizeof special / sizeof *special };
    Matrix *m = matrix_new(SIDE, sparse(SIDE));
    double *cells = matrix_fill(m);
    uint64_t seed = 0x2545F4914F6CDD1Du;
    for (size_t i = 0; i < matrix_count(m); i++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        uint64_t bits = seed * 2685821657736338717u;
        if (i % 10 == 3)
            bits &= 0x800FFFFFFFFFFFFFu; /* exponent 0 */
        memcpy(&cells[i], &bits, sizeof bits);
        if (i < SPECIALS)
            cells[i] = special[i];
    }
    return m;
}

/* Writes m, compares with *bytes (or sets it), reads it back. */
static void check_round_trip(const Matrix *m, Str *bytes)
{
    Str out = {0};
    csv_add_matrix(&out, m);
    if (bytes->length == 0)
        str_add_bytes(bytes, out.data, out.length);
    assert_int_equal(bytes->length, out.length);
    assert_true(memcmp(bytes->data, out.data, out.length) == 0);
    Error error = {0};
    Matrix *back = read_text(out.data, out.length, LIMIT, &error);
    assert_non_null(back);
    assert_true(matrix_same(m, back));
    matrix_unref(back);
    str_clear(&out);
}

/* Makes the locale in folder and switches to it; false if that is impossible. */
static bool enter_locale(const char *folder, const char *name)
{
    char command[512];
    snprintf(command, sizeof command, "localedef -i %s -f UTF-8 %s/%s.UTF-8 >/dev/null 2>&1", name,
             folder, name);
    if (system(command) != 0)
        return false;
    snprintf(command, sizeof command, "%s.UTF-8", name);
    return setlocale(LC_ALL, command) != NULL;
}

static void test_a_million_doubles_in_four_locales(void **state)
{
    (void)state;
    static const struct {
        const char *name, *decimal_point;
    } locales[] = {{"de_DE", ","}, {"zh_CN", "."}, {"ps_AF", "٫"}};
    Matrix *m = random_doubles();
    Str bytes = {0};
    check_round_trip(m, &bytes); /* in C */
    char folder[] = "/tmp/attnwalk-locale-XXXXXX", command[64];
    assert_non_null(mkdtemp(folder));
    setenv("LOCPATH", folder, 1);
    bool made = true;
    for (size_t i = 0; made && i < sizeof locales / sizeof *locales; i++) {
        made = enter_locale(folder, locales[i].name);
        if (!made)
            break;
        assert_string_equal(localeconv()->decimal_point, locales[i].decimal_point);
        check_round_trip(m, &bytes);
        for (size_t k = 0; k < BAD_INPUTS; k++)
            check_bad_input(&bad_inputs[k]);
        setlocale(LC_ALL, "C");
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    matrix_unref(m);
    str_clear(&bytes);
    if (!made) {
        print_message("localedef cannot make locales here: only C was tested\n");
        skip();
    }
}

/* ---- tables ---- */

static void test_table(void **state)
{
    (void)state;
    const char *text = "\xEF\xBB\xBFname,note\r\na,\"x, \"\"y\"\"\nz\"\n\n注意,\r\"\"\n\n\r\n";
    Source *source = source_new("t.csv", text, strlen(text));
    CsvTable table;
    Error error = {0};
    assert_int_equal(csv_read_table(source, (Span){0, source->length}, &table, &error), STATUS_OK);
    static const char *rows[][2] = {
        {"name", "note"}, {"a", "x, \"y\"\nz"}, {"", NULL}, {"注意", ""}, {"", NULL}};
    assert_int_equal(table.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(table.counts[i], rows[i][1] ? 2 : 1);
        for (size_t j = 0; j < table.counts[i]; j++)
            assert_string_equal(table.rows[i][j], rows[i][j]);
    }
    csv_table_clear(&table);
    assert_int_equal(table.count, 0);
    /* a part of the source only */
    assert_int_equal(csv_read_table(source, (Span){3, 12}, &table, &error), STATUS_OK);
    assert_int_equal(table.count, 1);
    assert_string_equal(table.rows[0][1], "note");
    csv_table_clear(&table);
    assert_int_equal(csv_read_table(source, (Span){3, 3}, &table, &error), STATUS_OK);
    assert_int_equal(table.count, 0);
    source_free(source);
}

static void test_table_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length, line, column;
        const char *message;
    } cases[] = {
        {"a,\"b\nc", 6, 1, 3, "this quote is never closed"},
        {"a\n\"b\"c", 6, 2, 4,
         "text after a closing quote: a comma or the end of the line is expected"},
        {"a,b\"c\"", 6, 1, 4,
         "a quote inside a field: the field must be quoted and the quote doubled"},
        {"a,b\0c", 5, 1, 3, "NUL byte in a field"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Source *source = source_new("t.csv", cases[i].text, cases[i].length);
        CsvTable table;
        Error error = {0};
        assert_int_equal(csv_read_table(source, (Span){0, source->length}, &table, &error),
                         STATUS_ERROR);
        assert_string_equal(error.message, cases[i].message);
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
        assert_int_equal(table.count, 0);
        error_clear(&error);
        source_free(source);
    }
}

/* Any fields survive being written and read. */
static void test_table_round_trip(void **state)
{
    (void)state;
    static const char *fields[] = {"",     "a",    " a ",  ",",    "\"",
                                   "\"\"", "a\nb", "\r\n", "注意", "1,5"};
    enum { COUNT = sizeof fields / sizeof *fields };
    Str out = {0};
    for (int columns = 1; columns <= COUNT; columns++) {
        str_cut(&out, 0);
        for (int i = 0; i < COUNT; i++)
            for (int j = 0; j < columns; j++) {
                csv_add_field(&out, fields[(i + j) % COUNT]);
                str_add_char(&out, j + 1 < columns ? ',' : '\n');
            }
        Source *source = source_new("t.csv", out.data, out.length);
        CsvTable table;
        Error error = {0};
        assert_int_equal(csv_read_table(source, (Span){0, source->length}, &table, &error),
                         STATUS_OK);
        assert_int_equal(table.count, COUNT);
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(table.counts[i], columns);
            for (int j = 0; j < columns; j++)
                assert_string_equal(table.rows[i][j], fields[(i + j) % COUNT]);
        }
        csv_table_clear(&table);
        source_free(source);
    }
    str_clear(&out);
    csv_add_field(&out, "a");
    str_add_char(&out, '|');
    csv_add_field(&out, "a \"b\"");
    assert_string_equal(str_text(&out), "a|\"a \"\"b\"\"\"");
    str_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_inputs),
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_write_empty),
        cmocka_unit_test(test_a_million_doubles_in_four_locales),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_table_refused),
        cmocka_unit_test(test_table_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
