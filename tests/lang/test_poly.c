/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lang/poly.h"

/* Takes over p. */
static void assert_text(Poly *p, const char *expected, const char *ascii)
{
    Str text = {0};
    assert_non_null(p);
    poly_add_text(&text, p, false);
    assert_string_equal(str_text(&text), expected);
    str_cut(&text, 0);
    poly_add_text(&text, p, true);
    assert_string_equal(str_text(&text), ascii);
    str_clear(&text);
    poly_unref(p);
}

/* Both arguments are taken over. */
static Poly *plus(Poly *a, Poly *b)
{
    Poly *sum = poly_add(a, b);
    poly_unref(a);
    poly_unref(b);
    return sum;
}

static Poly *times(Poly *a, Poly *b)
{
    Poly *product = poly_multiply(a, b);
    poly_unref(a);
    poly_unref(b);
    return product;
}

static Poly *scaled(Poly *a, double factor)
{
    Poly *product = poly_scale(a, factor);
    poly_unref(a);
    return product;
}

static Poly *name(const char *text)
{
    return poly_name(text);
}

static Poly *number(double x)
{
    return poly_constant(x);
}

static void texts(void **state)
{
    (void)state;
    assert_text(number(0), "0", "0");
    assert_text(number(288), "288", "288");
    assert_text(number(-3), "-3", "-3");
    assert_text(name("n"), "n", "n");
    assert_text(scaled(times(times(name("d"), name("n")), name("n")), 2), "2n²d", "2n^2*d");
    assert_text(scaled(times(name("d"), times(name("n"), name("d"))), 2), "2nd²", "2nd^2");
    assert_text(plus(name("n"), scaled(times(name("n"), times(name("n"), name("d"))), 2)),
                "2n²d + n", "2n^2*d + n");
    assert_text(times(name("d_v"), times(name("d_k"), name("n"))), "n·d_k·d_v", "n*d_k*d_v");
    assert_text(scaled(name("d_k"), 2), "2·d_k", "2*d_k");
    assert_text(times(name("c"), times(name("n"), name("N"))), "Nnc", "Nnc");
    assert_text(plus(scaled(times(name("n"), name("n")), 0.5), scaled(name("n"), -0.5)), "½n² - ½n",
                "0.5n^2 - 0.5n");
    assert_text(scaled(name("n"), -1), "-n", "-n");
    assert_text(plus(number(-1), name("n")), "n - 1", "n - 1");
    assert_text(plus(times(name("d"), name("d")), times(name("n"), name("d"))), "nd + d²",
                "nd + d^2");
}

static void terms_cancel_and_equal_means_equal(void **state)
{
    (void)state;
    Poly *n = name("n"), *m = name("m"), *zero = number(0);
    Poly *difference = poly_subtract(n, n), *nm = poly_multiply(n, m), *mn = poly_multiply(m, n);
    double x = -1;
    assert_true(poly_equal(difference, zero));
    assert_true(poly_is_constant(difference, &x));
    assert_true(x == 0.0);
    assert_true(poly_equal(nm, mn));
    assert_false(poly_equal(nm, n));
    assert_false(poly_equal(nm, NULL));
    assert_false(poly_is_constant(n, NULL));
    assert_string_equal(poly_single_name(n), "n");
    assert_null(poly_single_name(nm));
    assert_null(poly_single_name(zero));
    Poly *twice = poly_scale(n, 2);
    assert_null(poly_single_name(twice));
    Poly *all[] = {n, m, zero, difference, nm, mn, twice};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        poly_unref(all[i]);
}

/* a power at the limit, one beyond; terms at the limit, one beyond; NULL in, NULL out */
static void limits(void **state)
{
    (void)state;
    Poly *power = number(1);
    for (int i = 0; i < POLY_MAX_POWER; i++)
        power = times(power, name("n"));
    assert_text(poly_ref(power), "n¹²", "n^12");
    Poly *n = name("n");
    assert_null(poly_multiply(power, n));

    Poly *sum = number(0);
    for (int i = 0; i < POLY_MAX_TERMS; i++) {
        char letter[3] = {(char)('a' + i % 26), (char)('A' + i / 26), '\0'};
        sum = plus(sum, name(letter));
        assert_non_null(sum);
    }
    assert_null(poly_add(sum, n));
    assert_null(poly_multiply(sum, sum));
    assert_null(poly_add(NULL, n));
    assert_null(poly_subtract(n, NULL));
    assert_null(poly_multiply(NULL, NULL));
    assert_null(poly_scale(NULL, 2));
    assert_null(poly_scale(n, INFINITY));
    assert_null(poly_ref(NULL));
    poly_unref(NULL);
    poly_unref(power);
    poly_unref(sum);
    poly_unref(n);
}

static double value_of(void *context, const char *text)
{
    const double *values = context;
    return text[0] == 'n' ? values[0] : text[0] == 'd' ? values[1] : values[2];
}

/* A small polynomial with random integer coefficients in n, d and k. */
static Poly *random_poly(void)
{
    static const char *const NAMES[] = {"n", "d", "k"};
    Poly *sum = number(rand() % 7 - 3);
    for (int term = rand() % 3; term >= 0; term--) {
        Poly *product = number(rand() % 7 - 3);
        for (int factor = rand() % 4; factor > 0; factor--)
            product = times(product, name(NAMES[rand() % 3]));
        sum = plus(sum, product);
    }
    return sum;
}

/* Integers this small are exact: the algebra must be, too. */
static void arithmetic_agrees_with_evaluation(void **state)
{
    (void)state;
    srand(11);
    for (int run = 0; run < 300; run++) {
        double at[3] = {rand() % 9 - 4, rand() % 9 - 4, rand() % 9 - 4};
        Poly *a = random_poly(), *b = random_poly();
        Poly *sum = poly_add(a, b), *difference = poly_subtract(a, b),
             *product = poly_multiply(a, b);
        double x = poly_evaluate(a, value_of, at), y = poly_evaluate(b, value_of, at);
        assert_true(poly_evaluate(sum, value_of, at) == x + y);
        assert_true(poly_evaluate(difference, value_of, at) == x - y);
        assert_true(poly_evaluate(product, value_of, at) == x * y);
        Poly *back = poly_add(difference, b);
        assert_true(poly_equal(back, a));
        Poly *all[] = {a, b, sum, difference, product, back};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            poly_unref(all[i]);
    }
}

/* Each test has given back all it made, and so its bytes. */
static int nothing_is_left(void **state)
{
    (void)state;
    return poly_live_bytes() == 0 ? 0 : -1;
}

static void bytes_are_counted(void **state)
{
    (void)state;
    Poly *n = poly_name("n"), *longer = poly_name("a_name_of_some_length_that_is_kept");
    size_t both = poly_live_bytes();
    assert_true(both >= strlen("a_name_of_some_length_that_is_kept"));
    Poly *product = poly_multiply(n, longer);
    assert_true(poly_live_bytes() >= both + strlen("a_name_of_some_length_that_is_kept"));
    Poly *shared = poly_ref(product);
    size_t all = poly_live_bytes();
    poly_unref(shared);
    assert_int_equal(poly_live_bytes(), all);
    poly_unref(product);
    assert_int_equal(poly_live_bytes(), both);
    poly_unref(longer);
    poly_unref(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(texts, nothing_is_left),
        cmocka_unit_test_teardown(terms_cancel_and_equal_means_equal, nothing_is_left),
        cmocka_unit_test_teardown(limits, nothing_is_left),
        cmocka_unit_test_teardown(bytes_are_counted, nothing_is_left),
        cmocka_unit_test_teardown(arithmetic_agrees_with_evaluation, nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
