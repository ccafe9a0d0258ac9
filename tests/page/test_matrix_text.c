/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices as lines of text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "lang/op.h"
#include "page/matrix_text.h"

static Value *make(size_t rows, size_t cols, const double *cells)
{
    return value_new(matrix_from(rows, cols, cells));
}

/* Prints value under the name A and compares; takes the value over. */
static void expect(Value *value, const MatrixTextStyle *style, const char *want)
{
    Str out = {0};
    matrix_text_add(&out, "A", value, style);
    assert_string_equal(str_text(&out), want);
    str_clear(&out);
    value_unref(value);
}

static void test_integers(void **state)
{
    (void)state;
    static const double cells[] = {3, 0, -7, 12, -0.0, 1};
    MatrixTextStyle style = {.width = 80, .indent = 2};
    expect(make(2, 3, cells), &style,
           "  A  2×3\n"
           "     3  0  -7\n"
           "    12  0   1\n");
    style.ascii = true;
    style.indent = 0;
    expect(make(3, 2, cells), &style,
           "A  3x2\n"
           "   3   0\n"
           "  -7  12\n"
           "   0   1\n");
    static const double large[] = {1e12, 1, 9007199254740992.0, 1e300};
    expect(make(2, 1, large), &style,
           "A  2x1\n"
           "  1000000000000\n"
           "              1\n");
    expect(make(2, 1, large + 2), &style,
           "A  2x1\n"
           "   9.007e+15\n"
           "  1.000e+300\n");
}

/* One precision a column, on the point; NaN and Inf decide nothing. */
static void test_decimals(void **state)
{
    (void)state;
    static const double cells[] = {0.5,   1.0 / 3,   NAN, //
                                   -1.25, 100.0 / 3, 2,   //
                                   10,    0,         -INFINITY};
    MatrixTextStyle style = {.width = 80};
    expect(make(3, 3, cells), &style,
           "A  3×3\n"
           "   0.50   0.33   NaN\n"
           "  -1.25  33.33     2\n"
           "  10.00   0.00  -Inf\n");
    style.digits = 2;
    expect(make(3, 3, cells), &style,
           "A  3×3\n"
           "   0.5   0.3   NaN\n"
           "  -1.2  33.3     2\n"
           "  10.0   0.0  -Inf\n");
    static const double small[] = {1.5e-7, -2e-9, 0, NAN};
    style.digits = 0;
    expect(make(4, 1, small), &style,
           "A  4×1\n"
           "   1.500e-07\n"
           "  -2.000e-09\n"
           "           0\n"
           "         NaN\n");
    static const double tiny[] = {1.0 / 3, -1e-12};
    expect(make(2, 1, tiny), &style,
           "A  2×1\n"
           "   0.3333\n"
           "  -0.0000\n");
}

/* The point of every number in a column stands at the same place. */
static void test_alignment(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int round = 0; round < 300; round++) {
        double cells[8];
        double scale = pow(10, (double)(round % 9) - 3);
        for (int i = 0; i < 8; i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            cells[i] = ((double)(seed >> 11) / 9007199254740992.0 - 0.5) * scale;
        }
        Value *value = make(8, 1, cells);
        MatrixTextStyle style = {.digits = 1 + round % 8};
        Str out = {0};
        matrix_text_add_rows(&out, value, &style);
        const char *line = str_text(&out);
        size_t point = strcspn(line, "."), width = strcspn(line, "\n");
        for (int i = 0; i < 8; i++) {
            assert_int_equal(strcspn(line, "\n"), width);
            if (memchr(line, '.', width) && !memchr(line, 'e', width))
                assert_int_equal(strcspn(line, "."), point);
            double back = strtod(line, NULL);
            assert_true(fabs(back - cells[i]) <= scale * pow(10, -style.digits) * 0.5001);
            line += width + 1;
        }
        assert_int_equal(*line, '\0');
        str_clear(&out);
        value_unref(value);
    }
}

static void test_shapes(void **state)
{
    (void)state;
    static const double cells[] = {1, 2, 3, 4, 5, 6};
    MatrixTextStyle style = {.width = 80};
    Value *value = make(3, 2, cells);
    Poly *n = poly_name("n"), *one = poly_constant(1), *sum = poly_add(n, one);
    value_name_rows(value, n);
    expect(value, &style,
           "A  n×2 (3×2)\n"
           "  1  2\n"
           "  3  4\n"
           "  5  6\n");
    value = make(1, 6, cells);
    value_name_cols(value, sum);
    expect(value, &style, "A  1×(n + 1) (1×6)   1  2  3  4  5  6\n");
    poly_unref(n), poly_unref(one), poly_unref(sum);

    expect(make(0, 3, NULL), &style, "A  0×3   (empty)\n");
    expect(value_scalar(-2.5), &style, "A = -2.5\n");
    expect(value_scalar(NAN), &style, "A = NaN\n");
    expect(value_scalar(1.0 / 3), &style, "A = 0.333333\n");
    expect(value_text("a\x1B"), &style, "A = 'a␛'\n");
    expect(value_function_op(op_find("exp")), &style, "A = @exp\n");
}

/* What does not fit is cut and counted. */
static void test_cut(void **state)
{
    (void)state;
    double cells[60];
    for (int i = 0; i < 60; i++)
        cells[i] = i;
    MatrixTextStyle style = {.width = 18, .max_rows = 2, .indent = 1};
    expect(make(6, 10, cells), &style,
           " A  6×10\n"
           "    0   1   2   3\n"
           "   10  11  12  13\n"
           "   … 4 more rows, 6 more columns\n");
    style.ascii = true;
    expect(make(3, 3, cells), &style,
           " A  3x3\n"
           "   0  1  2\n"
           "   3  4  5\n"
           "   ... 1 more row\n");
    style.width = 1; /* one column is always shown */
    style.max_rows = 0;
    expect(make(1, 2, cells), &style,
           " A  1x2\n"
           "   0\n"
           "   ... 1 more column\n");
    style.width = 22;
    expect(make(1, 10, cells), &style,
           " A  1x10\n"
           "   0  1  2  3  4  5  6\n"
           "   ... 3 more columns\n");
}

static void test_labels(void **state)
{
    (void)state;
    static const double cells[] = {0.5, 10, 0.25, 20, 0.25, 30};
    char *rows[] = {(char *)"注意", (char *)"is\t"};
    char *cols[] = {(char *)"P(t,:)", (char *)"n"};
    MatrixTextStyle style = {.width = 80,
                             .row_labels = rows,
                             .row_label_count = 2,
                             .col_labels = cols,
                             .col_label_count = 2};
    expect(make(3, 2, cells), &style,
           "A  3×2\n"
           "        P(t,:)   n\n"
           "  注意    0.50  10\n"
           "  is␉     0.25  20\n"
           "  3       0.25  30\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),  cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_alignment), cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_cut),       cmocka_unit_test(test_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
