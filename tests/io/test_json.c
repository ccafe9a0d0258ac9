/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON writer. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/json.h"

static void test_document(void **state)
{
    (void)state;
    Str out = {0};
    Json json = json_begin(&out);
    json_open_object(&json);
    json_key(&json, "name");
    json_text(&json, "注意");
    json_key(&json, "list");
    json_open_array(&json);
    json_number(&json, 1);
    json_number(&json, -0.0);
    json_number(&json, 0.1);
    json_number(&json, 1e22);
    json_number(&json, NAN);
    json_number(&json, -INFINITY);
    json_bool(&json, true);
    json_bool(&json, false);
    json_null(&json);
    json_open_array(&json);
    json_close_array(&json);
    json_open_object(&json);
    json_close_object(&json);
    json_close_array(&json);
    json_key(&json, "m");
    static const double cells[] = {1, 2.5, 3, NAN, 5e-324, -6};
    Matrix *m = matrix_from(2, 3, cells);
    json_matrix(&json, m);
    matrix_unref(m);
    json_key(&json, "none");
    m = matrix_new(2, 0);
    json_matrix(&json, m);
    matrix_unref(m);
    json_close_object(&json);
    assert_string_equal(
        str_text(&out),
        "{\"name\":\"注意\",\"list\":[1,-0,0.1,1e+22,null,null,true,false,null,[],{}]"
        ",\"m\":[[1,2.5,3],[null,5e-324,-6]],\"none\":[[],[]]}");
    str_clear(&out);
}

static void test_strings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"", "\"\""},
        {"a\"b\\c/", "\"a\\\"b\\\\c/\""},
        {"\n\t\r\x01\x1B", "\"\\n\\t\\u000d\\u0001\\u001b\""},
        {"\x7F\xC2\x9B", "\"\\u007f\\u009b\""},
        {"\xF3\xA0\x81\x81", "\"\\udb40\\udc41\""}, /* U+E0041: two surrogates */
        {"\xE2\x80\xA8\xE2\x80\xAE\xEF\xBB\xBF", "\"\\u2028\\u202e\\ufeff\""},
        {"a\xFFz\xE6\xB3", "\"a\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"😀", "\"😀\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Str out = {0};
        Json json = json_begin(&out);
        json_text(&json, cases[i].text);
        assert_string_equal(str_text(&out), cases[i].json);
        str_clear(&out);
    }
}

static void test_depth(void **state)
{
    (void)state;
    Str out = {0};
    Json json = json_begin(&out);
    for (int i = 0; i < JSON_MAX_DEPTH; i++) {
        if (i % 2) {
            json_key(&json, "k");
            json_open_array(&json);
        } else
            json_open_object(&json);
    }
    for (int i = JSON_MAX_DEPTH; i-- > 0;) {
        if (i % 2)
            json_close_array(&json);
        else
            json_close_object(&json);
    }
    assert_int_equal(out.length, JSON_MAX_DEPTH * 2 + JSON_MAX_DEPTH / 2 * strlen("\"k\":"));
    assert_int_equal(json.depth, 0);
    str_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
