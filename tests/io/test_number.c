/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader and the writer of numbers, against a table and against the C
 * library's own conversions.
 *
 * `test_number --long COUNT [SEED]` takes COUNT random numbers of each kind (a tenth of it where
 * one is slow) instead of what fits a test run, and says how far it is. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "io/number.h"
#include "sparse.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return *state * 2685821657736338717u; /* xorshift64* */
}

/* The number of the command line instead of a test's own, and what its numbers begin with. */
static size_t long_count;
static uint64_t long_seed;

static size_t amount(size_t usual, size_t share)
{
    return long_count > 0 ? long_count / share : sparse(usual);
}

static void show_progress(const char *kind, size_t i)
{
    if (long_count > 0 && i > 0 && i % 10000000 == 0)
        fprintf(stderr, "%s: %zu\n", kind, i);
}

static void test_add(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-3, "-3"},
        {10, "10"},
        {0.1, "0.1"},
        {-0.5, "-0.5"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {2.5, "2.5"},
        {123456.789, "123456.789"},
        {1e-4, "0.0001"},
        {1e-5, "1e-05"},
        {1.5e-7, "1.5e-07"},
        {999999999999999, "999999999999999"},
        {1e15, "1000000000000000"},
        {9007199254740992, "9007199254740992"},
        {1e20, "100000000000000000000"},
        {123456789012345678901.0, "123456789012345680000"},
        {1e21, "1e+21"},
        {1e22, "1e+22"},
        {1e23, "1e+23"},
        {1.5e300, "1.5e+300"},
        {1e100, "1e+100"},
        {1e-100, "1e-100"},
        {5e-324, "5e-324"},
        {1e-323, "1e-323"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {2.225073858507201e-308, "2.225073858507201e-308"}, /* the largest subnormal */
        {DBL_MAX, "1.7976931348623157e+308"},
        {-DBL_MAX, "-1.7976931348623157e+308"},
        {DBL_EPSILON, "2.220446049250313e-16"},
        {9.5367431640625e-07, "9.5367431640625e-07"},
        {9007199254740991, "9007199254740991"},
        {2251799813685248.5, "2251799813685248.5"},
        {5e-5, "5e-05"},
        {NAN, "nan"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        /* powers of two, whose neighbours are not equally far */
        {9.007199254740992e+22, "9.007199254740992e+22"},
        {2e-44, "2e-44"},
        {0x1p-1022, "2.2250738585072014e-308"},
        {0x1p-44, "5.684341886080802e-14"},
        {0x1p+89, "6.189700196426902e+26"},
        {0x1p-1074, "5e-324"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Str s = {0};
        str_add(&s, "<");
        number_add(&s, cases[i].x);
        str_add(&s, ">");
        char *want = memory_alloc(strlen(cases[i].text) + 3);
        sprintf(want, "<%s>", cases[i].text);
        assert_string_equal(str_text(&s), want);
        free(want);
        str_clear(&s);
    }
    Str s = {0};
    number_add(&s, -NAN);
    assert_string_equal(str_text(&s), "nan");
    str_clear(&s);
}

static void test_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        NumberStatus status;
        double x;
    } cases[] = {
        {"0", NUMBER_OK, 0},
        {"-0", NUMBER_OK, -0.0},
        {"+1", NUMBER_OK, 1},
        {"1.", NUMBER_OK, 1},
        {".5", NUMBER_OK, 0.5},
        {"-.5e1", NUMBER_OK, -5},
        {"1E3", NUMBER_OK, 1000},
        {"1e+03", NUMBER_OK, 1000},
        {"1e-3", NUMBER_OK, 0.001},
        {"007", NUMBER_OK, 7},
        {"0.1", NUMBER_OK, 0.1},
        {"1e22", NUMBER_OK, 1e22},
        {"1e23", NUMBER_OK, 1e23},
        {"123456789012345678", NUMBER_OK, 123456789012345678.0},
        {"4.9e-324", NUMBER_OK, 5e-324},
        {"2.4e-324", NUMBER_OK, 0},
        {"-1e-999", NUMBER_OK, -0.0},
        {"2.5e-324", NUMBER_OK, 5e-324},
        {"1e-310", NUMBER_OK, 1e-310},
        {"0e99999999999999999999", NUMBER_OK, 0},
        {"1e-99999999999999999999", NUMBER_OK, 0},
        {"1.7976931348623157e308", NUMBER_OK, DBL_MAX},
        {"1.7976931348623158e308", NUMBER_OK, DBL_MAX},
        {"2.2250738585072011e-308", NUMBER_OK, 2.2250738585072011e-308},
        {"9007199254740993", NUMBER_OK, 9007199254740992}, /* a tie: to even */
        {"9007199254740993.0000000000000000000000001", NUMBER_OK, 9007199254740994},
        {"9007199254740995", NUMBER_OK, 9007199254740996},
        {"0.000000000000000000000000000001e30", NUMBER_OK, 1},
        {"nan", NUMBER_OK, NAN},
        {"-NaN", NUMBER_OK, NAN},
        {"NAN", NUMBER_OK, NAN},
        {"inf", NUMBER_OK, INFINITY},
        {"-Inf", NUMBER_OK, -INFINITY},
        {"+INFINITY", NUMBER_OK, INFINITY},
        {"Infinity", NUMBER_OK, INFINITY},
        {"1.7976931348623159e308", NUMBER_OUT_OF_RANGE, 0},
        {"2e308", NUMBER_OUT_OF_RANGE, 0},
        {"-1e400", NUMBER_OUT_OF_RANGE, 0},
        {"1e99999999999999999999", NUMBER_OUT_OF_RANGE, 0},
        {"", NUMBER_JUNK, 0},
        {"+", NUMBER_JUNK, 0},
        {"-", NUMBER_JUNK, 0},
        {".", NUMBER_JUNK, 0},
        {"e5", NUMBER_JUNK, 0},
        {".e5", NUMBER_JUNK, 0},
        {"1e", NUMBER_JUNK, 0},
        {"1e+", NUMBER_JUNK, 0},
        {"1e5.", NUMBER_JUNK, 0},
        {"1.2.3", NUMBER_JUNK, 0},
        {"--1", NUMBER_JUNK, 0},
        {"+-1", NUMBER_JUNK, 0},
        {" 1", NUMBER_JUNK, 0},
        {"1 ", NUMBER_JUNK, 0},
        {"0x10", NUMBER_JUNK, 0},
        {"0x1.8p1", NUMBER_JUNK, 0},
        {"1d5", NUMBER_JUNK, 0},
        {"1_000", NUMBER_JUNK, 0},
        {"1,5", NUMBER_JUNK, 0},
        {"nan(0x1)", NUMBER_JUNK, 0},
        {"nan()", NUMBER_JUNK, 0},
        {"1.#INF", NUMBER_JUNK, 0},
        {"in", NUMBER_JUNK, 0},
        {"infin", NUMBER_JUNK, 0},
        {"infinityx", NUMBER_JUNK, 0},
        {"n\x01n", NUMBER_JUNK, 0},
        {"NA", NUMBER_JUNK, 0},
        {"１", NUMBER_JUNK, 0},
        {"−1", NUMBER_JUNK, 0},
        {"1f", NUMBER_JUNK, 0},
        {"1e5e5", NUMBER_JUNK, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x = 42;
        /* in a block of just its size, so that a byte too far is seen */
        size_t length = strlen(cases[i].text);
        char *exact = memory_alloc(length);
        memcpy(exact, cases[i].text, length);
        if (number_read(exact, length, &x) != cases[i].status)
            fail_msg("'%s' is not read as status %d", cases[i].text, (int)cases[i].status);
        free(exact);
        if (cases[i].status != NUMBER_OK)
            assert_true(x == 42); /* untouched */
        else if (isnan(cases[i].x))
            assert_true(isnan(x));
        else if (bits_of(x) != bits_of(cases[i].x))
            fail_msg("'%s' is read as %a", cases[i].text, x);
    }
    double x;
    assert_int_equal(number_read("1\0", 2, &x), NUMBER_JUNK);
}

/* Numbers of thousands of digits are as exact as short ones. */
static void test_read_long(void **state)
{
    (void)state;
    Str s = {0};
    double x;
    str_add(&s, "1");
    str_add_repeat(&s, '0', 100000);
    str_add(&s, "e-100000");
    assert_int_equal(number_read(s.data, s.length, &x), NUMBER_OK);
    assert_true(x == 1);
    str_clear(&s);
    str_add(&s, "0.");
    str_add_repeat(&s, '0', 300000);
    str_add(&s, "25e300001");
    assert_int_equal(number_read(s.data, s.length, &x), NUMBER_OK);
    assert_true(x == 2.5);
    str_clear(&s);
    str_add(&s, "9007199254740993."); /* a tie, broken by the very last digit */
    str_add_repeat(&s, '0', 100000);
    str_add(&s, "1");
    assert_int_equal(number_read(s.data, s.length, &x), NUMBER_OK);
    assert_true(x == 9007199254740994);
    str_cut(&s, s.length - 1);
    assert_int_equal(number_read(s.data, s.length, &x), NUMBER_OK);
    assert_true(x == 9007199254740992);
    str_clear(&s);
    str_add_repeat(&s, '9', 400);
    assert_int_equal(number_read(s.data, s.length, &x), NUMBER_OUT_OF_RANGE);
    str_clear(&s);
}

/* The significant digits of a number's text, without point, sign and exponent. */
static void take_digits(const char *text, char *digits)
{
    size_t count = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= (count ? '0' : '1') && *text <= '9')
            digits[count++] = *text;
    while (count > 0 && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
}

/* What is written reads back, by the C library and by us; the nearest decimal of
 * fewer digits does not; and if the nearest of as many digits reads back, then it
 * is the one. */
static void check_written(double x)
{
    Str s = {0};
    number_add(&s, x);
    double ours = 0;
    assert_int_equal(number_read(s.data, s.length, &ours), NUMBER_OK);
    if (bits_of(strtod(s.data, NULL)) != bits_of(x) || bits_of(ours) != bits_of(x))
        fail_msg("%a is written as %s, read as %a", x, s.data, ours);
    char digits[64], other[64], text[40];
    take_digits(s.data, digits);
    int count = (int)strlen(digits);
    if (count > 1) {
        snprintf(text, sizeof text, "%.*e", count - 2, x);
        if (strtod(text, NULL) == x)
            fail_msg("%a is written as %s, but %s is enough", x, s.data, text);
    }
    assert_true(count <= 17);
    snprintf(text, sizeof text, "%.*e", count > 0 ? count - 1 : 0, x);
    take_digits(text, other);
    if (strtod(text, NULL) == x && strcmp(digits, other) != 0)
        fail_msg("%a is written as %s, but %s is nearer", x, s.data, text);
    str_clear(&s);
}

static void test_shortest(void **state)
{
    (void)state;
    uint64_t seed = 0x9E3779B97F4A7C15u ^ long_seed;
    for (size_t i = 0; i < amount(200000, 1); i++) {
        double x = double_of(next_random(&seed));
        if (isfinite(x))
            check_written(x);
        show_progress("written", i);
    }
    for (size_t i = 0; i < amount(20000, 10); i++) /* subnormals of every size */
        check_written(double_of(next_random(&seed) >> 12 >> (i % 52)));
    for (int e = -1074; e < 1024; e++) { /* powers of two and their neighbours */
        double x = ldexp(1, e);
        check_written(x);
        check_written(nextafter(x, 0));
        if (e < 1023)
            check_written(nextafter(x, INFINITY));
    }
    for (int i = 0; i < 50000; i++) { /* short decimals and whole numbers */
        double x = (double)(int64_t)(next_random(&seed) >> (i % 60 + 4));
        check_written(x);
        check_written(x / 1000);
    }
}

/* number_take of the n bytes at text, behind which there is room for a comma, gives want or
 * leaves the number to number_read; true if it gives it. */
static bool is_taken(char *text, size_t n, double want)
{
    double x = 0;
    text[n] = ',';
    size_t used = number_take(text, n + 1, &x);
    text[n] = '\0';
    if (used == 0)
        return false;
    if (used != n || bits_of(x) != bits_of(want))
        fail_msg("of '%s', %zu bytes are taken as %a, not %a", text, used, x, want);
    return true;
}

/* Random decimals, short and long, are read as the C library reads them. */
static void test_read_random(void **state)
{
    (void)state;
    size_t taken = 0, tried = amount(300000, 1);
    uint64_t seed = 0xD1B54A32D192ED03u ^ long_seed;
    for (size_t i = 0; i < tried; i++) {
        show_progress("read", i);
        char text[80];
        int count = 1 + (int)(next_random(&seed) % 25), n = 0;
        int point = (int)(next_random(&seed) % 30);
        for (int k = 0; k < count; k++) {
            if (k == point)
                text[n++] = '.';
            text[n++] = (char)('0' + next_random(&seed) % 10);
        }
        int range = i % 2 ? 30 : 345;
        int exponent = (int)(next_random(&seed) % (unsigned)(2 * range)) - range;
        if (i % 3)
            n += sprintf(text + n, "e%d", exponent);
        text[n] = '\0';
        double want = strtod(text, NULL), x = 0;
        NumberStatus status = number_read(text, (size_t)n, &x);
        if (isinf(want) ? status != NUMBER_OUT_OF_RANGE
                        : status != NUMBER_OK || bits_of(x) != bits_of(want))
            fail_msg("'%s' is read as %a, not %a", text, x, want);
        taken += is_taken(text, (size_t)n, want);
    }
    assert_true(taken > tried / 2);
}

/* Decimals half way between two doubles, and a hair beside it. */
static void test_read_halfway(void **state)
{
    (void)state;
    uint64_t seed = 0xA0761D6478BD642Fu ^ long_seed;
    for (size_t i = 0; i < amount(20000, 10); i++) {
        show_progress("read, half way", i);
        double x = double_of(next_random(&seed) >> 1 & ~((uint64_t)0x7FF << 52)); /* 52 bits */
        int e = (int)(next_random(&seed) % 120) - 60;
        x = ldexp(1 + ldexp((double)(bits_of(x) & 0xFFFFFFFFFFFFFu), -52), e);
        long double middle = (long double)x + ldexpl(1, e - 53);
        char text[200];
        snprintf(text, sizeof text, "%.130Lf", middle);
        size_t length = strlen(text);
        for (int change = -1; change <= 1; change++) {
            char copy[200];
            memcpy(copy, text, length + 1);
            if (change > 0)
                copy[length - 1] = '1';
            double want = strtod(copy, NULL), y = 0;
            assert_int_equal(number_read(copy, length, &y), NUMBER_OK);
            assert_true(bits_of(y) == bits_of(want));
        }
    }
}

static void test_add_format(void **state)
{
    (void)state;
    static const struct {
        double x;
        char kind;
        int precision;
        const char *text;
    } cases[] = {
        {1.5, 'f', 2, "1.50"},           {1.5, 'f', 0, "2"},
        {-0.04, 'f', 1, "-0.0"},         {1234.5678, 'e', 3, "1.235e+03"},
        {1234.5678, 'g', 3, "1.23e+03"}, {0.5, 'g', -1, "0.5"},
        {0.5, 'f', -1, "0.500000"},      {NAN, 'f', 2, "NaN"},
        {INFINITY, 'g', 2, "Inf"},       {-INFINITY, 'e', 2, "-Inf"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Str s = {0};
        number_add_format(&s, cases[i].x, cases[i].kind, cases[i].precision);
        assert_string_equal(str_text(&s), cases[i].text);
        str_clear(&s);
    }
    Str s = {0};
    number_add_format(&s, DBL_MAX, 'f', 1000);
    assert_int_equal(s.length, 309 + 1 + 1000);
    str_clear(&s);
}

int main(int count, char **arguments)
{
    if (count > 1) {
        if (strcmp(arguments[1], "--long") != 0 || count < 3) {
            fputs("usage: test_number [--long COUNT [SEED]]\n", stderr);
            return 2;
        }
        long_count = strtoul(arguments[2], NULL, 10);
        long_seed = count > 3 ? strtoul(arguments[3], NULL, 10) : 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add),         cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_long),   cmocka_unit_test(test_shortest),
        cmocka_unit_test(test_read_random), cmocka_unit_test(test_read_halfway),
        cmocka_unit_test(test_add_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
