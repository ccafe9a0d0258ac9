/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NPY files that NumPy wrote (tests/data/npy, by make_npy.py), files that lie,
 * and our own. */
#include <float.h>
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

#include "io/file.h"
#include "io/npy.h"

enum { LIMIT = 1000000 };

static const double values[] = {1.5, -2.25, 0.0, -0.0, 1e-3, 0.1};
static const double singles[] = {1.5, -2.25, 0.0, -0.0, (double)1e-3f, (double)0.1f};
static const double extremes[] = {NAN, INFINITY, -INFINITY, 5e-324, DBL_MAX, -0.0};
static const double counting[] = {1, 2, 3};
static const double seven[] = {7};

static void test_accepted(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        size_t rows, cols;
        const double *cells;
    } cases[] = {
        {"f8-c-order", 3, 2, values},     {"f8-fortran-order", 3, 2, values},
        {"f4-c-order", 3, 2, singles},    {"f4-fortran-order", 3, 2, singles},
        {"f8-version-2", 3, 2, values},   {"f8-version-3", 3, 2, values},
        {"f8-extremes", 2, 3, extremes},  {"f8-1-dimension", 3, 1, counting},
        {"f8-0-dimensions", 1, 1, seven}, {"f8-0-rows", 0, 3, values},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[512];
        snprintf(path, sizeof path, TEST_DATA "/npy/%s.npy", cases[i].file);
        Matrix *m = NULL;
        Error error = {0};
        if (npy_or_csv_read_file(path, LIMIT, false, &m, &error) != STATUS_OK)
            fail_msg("%s is refused: %s", path, error.message);
        Matrix *want = matrix_from(cases[i].rows, cases[i].cols, cases[i].cells);
        if (!matrix_same(m, want))
            fail_msg("%s holds something else", path);
        matrix_unref(want);
        matrix_unref(m);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *file, *message;
    } cases[] = {
        {"big-endian", "the array holds big-endian numbers ('>f8'); '<f8' or '<f4' is expected"},
        {"f2", "the array holds floating-point numbers of another size ('<f2'); "
               "'<f8' or '<f4' is expected"},
        {"int64", "the array holds integers ('<i8'); '<f8' or '<f4' is expected"},
        {"complex", "the array holds complex numbers ('<c16'); '<f8' or '<f4' is expected"},
        {"bool", "the array holds truth values ('|b1'); '<f8' or '<f4' is expected"},
        {"text", "the array holds text ('<U2'); '<f8' or '<f4' is expected"},
        {"object", "the array holds Python objects ('|O'); '<f8' or '<f4' is expected"},
        {"records", "the array holds records (a structured dtype); '<f8' or '<f4' is expected"},
        {"3-dimensions", "the array has 3 dimensions; at most 2 are expected"},
        {"truncated-data", "the file is truncated: 3 x 2 numbers of 8 bytes need 48 bytes, "
                           "40 follow the header"},
        {"extra-data", "extra data at the end: 3 x 2 numbers of 8 bytes need 48 bytes, "
                       "49 follow the header"},
        {"truncated-header", "the file is truncated in its NPY header"},
        {"lying-shape", "too large: 90000 x 20000 entries, the limit is 1000000"},
        {"overflowing-shape", "too large: 8589934592 x 8589934592 entries, the limit is 1000000"},
        {"version-9", "NPY version 9.0; 1.0, 2.0 or 3.0 is expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[512];
        snprintf(path, sizeof path, TEST_DATA "/npy/refused-%s.npy", cases[i].file);
        Matrix *m = NULL;
        Error error = {0};
        if (npy_or_csv_read_file(path, LIMIT, false, &m, &error) == STATUS_OK)
            fail_msg("%s is accepted", path);
        assert_string_equal(error.message, cases[i].message);
        assert_string_equal(error.file, path);
        error_clear(&error);
    }
}

/* A file of version 1.0 with this header and bytes of data. */
static Source *make_file(const char *header, size_t data)
{
    Str s = {0};
    size_t length = strlen(header);
    str_add_bytes(&s, "\x93NUMPY\1\0", 8);
    str_add_char(&s, (char)(length & 255));
    str_add_char(&s, (char)(length >> 8));
    str_add(&s, header);
    str_add_repeat(&s, '\0', data);
    Source *source = source_new("x.npy", s.data, s.length);
    str_clear(&s);
    return source;
}

static void test_headers(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        size_t data;
        bool good;
    } cases[] = {
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }\n", 16, true},
        {"{\"shape\":(1,2,),\"descr\":\"<f8\",\"fortran_order\":True}", 16, true},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1L, 2L), }", 16, true},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 8, true},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 2), }", 0, true},
        {"", 0, false},
        {"{", 0, false},
        {"{}", 0, false},
        {"{'descr': '<f8', 'fortran_order': False}", 8, false},
        {"{'descr': '<f8', 'shape': (1, 2)}", 16, false},
        {"{'fortran_order': False, 'shape': (1, 2)}", 16, false},
        {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)}", 16, false},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), 'more': 1}", 16, false},
        {"{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1, 2)}", 16, false},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2)}", 16, false},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1 2)}", 16, false},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (,)}", 16, false},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)} x", 16, false},
        {"{'descr': '<f8, 'fortran_order': False, 'shape': (1, 2)}", 16, false},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2", 16, false},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 2)}", 16, false},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 18446744073709551615)}", 0, false},
        {"{'descr': '', 'fortran_order': False, 'shape': (1, 2)}", 16, false},
        {"{'descr': '<', 'fortran_order': False, 'shape': (1, 2)}", 16, false},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1000000)}", 0, false},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1000001)}", 8000008, false},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
         "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
         8, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Source *source = make_file(cases[i].header, cases[i].data);
        Matrix *m = NULL;
        Error error = {0};
        Status status = npy_read_matrix(source, LIMIT, &m, &error);
        if ((status == STATUS_OK) != cases[i].good)
            fail_msg("%s: %s", cases[i].header, error.message ? error.message : "accepted");
        matrix_unref(m);
        error_clear(&error);
        source_free(source);
    }
}

/* Every file that is cut somewhere, or has one byte changed, is read or refused,
 * never worse (the sanitizers look on). */
static void test_damaged(void **state)
{
    (void)state;
    Source *good = make_file("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }\n", 16);
    for (size_t i = 0; i < good->length; i++) {
        Source *cut = source_new("x", good->text, i);
        Matrix *m = NULL;
        Error error = {0};
        assert_int_equal(npy_read_matrix(cut, LIMIT, &m, &error), STATUS_ERROR);
        error_clear(&error);
        source_free(cut);
        for (int byte = 0; byte < 256; byte++) {
            Source *changed = source_new("x", good->text, good->length);
            changed->text[i] = (char)byte;
            m = NULL;
            Status status = npy_read_matrix(changed, LIMIT, &m, &error);
            assert_true((status == STATUS_OK) == (m != NULL));
            matrix_unref(m);
            error_clear(&error);
            source_free(changed);
        }
    }
    source_free(good);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (size_t rows = 0; rows < 5; rows++)
        for (size_t cols = 0; cols < 5; cols++) {
            Matrix *m = matrix_new(rows, cols), *back = NULL;
            for (size_t i = 0; i < rows * cols; i++)
                matrix_fill(m)[i] = extremes[i % 6] + (i > 5 ? (double)i : 0);
            Str out = {0};
            npy_add_matrix(&out, m);
            assert_true(npy_is(out.data, out.length));
            assert_int_equal((out.length - rows * cols * 8) % 64, 0);
            Source *source = source_new("x", out.data, out.length);
            Error error = {0};
            assert_int_equal(npy_read_matrix(source, LIMIT, &back, &error), STATUS_OK);
            assert_true(matrix_same(m, back));
            source_free(source);
            str_clear(&out);
            matrix_unref(m);
            matrix_unref(back);
        }
}

/* What we write is what NumPy writes, to the byte. */
static void test_same_bytes_as_numpy(void **state)
{
    (void)state;
    Str theirs = {0}, ours = {0};
    Error error = {0};
    assert_int_equal(file_read(TEST_DATA "/npy/f8-c-order.npy", 1000, false, &theirs, &error),
                     STATUS_OK);
    Matrix *m = matrix_from(3, 2, values);
    npy_add_matrix(&ours, m);
    assert_int_equal(ours.length, theirs.length);
    assert_memory_equal(ours.data, theirs.data, ours.length);
    matrix_unref(m);
    str_clear(&ours);
    str_clear(&theirs);
}

/* A file without the magic is CSV. */
static void test_csv_file(void **state)
{
    (void)state;
    Matrix *m = NULL;
    Error error = {0};
    assert_int_equal(npy_or_csv_read_file(TEST_DATA "/bad-inputs/csv-lone-cr-line-ends.csv", 4,
                                          false, &m, &error),
                     STATUS_OK);
    assert_int_equal(m->rows, 2);
    matrix_unref(m);
    assert_int_equal(
        npy_or_csv_read_file(TEST_DATA "/bad-inputs/csv-zero-bytes.csv", 4, false, &m, &error),
        STATUS_ERROR);
    assert_string_equal(error.message, "no data");
    error_clear(&error);
    assert_int_equal(npy_or_csv_read_file("/nonexistent", 4, false, &m, &error), STATUS_ERROR);
    error_clear(&error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_headers),    cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_same_bytes_as_numpy),
        cmocka_unit_test(test_csv_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
