/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cases: test cases in a text file.
 *
 *     === name
 *     input lines
 *     --> expected, first line
 *     --> expected, second line
 *
 * "@head" as a line of the input stands for the four lines of a front matter; "@step" for
 * a heading "## S {#s}".  Lines before the first case are comments. */
#ifndef TESTS_LESSON_CASES_H
#define TESTS_LESSON_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/str.h"
#include "io/file.h"

typedef struct {
    char *name;
    Str input, expected;
} Case;

typedef struct {
    Case *items;
    size_t count, room;
} CaseList;

static inline void cases_add_line(Case *c, const char *line, size_t length)
{
    if (length >= 3 && memcmp(line, "-->", 3) == 0) {
        size_t skip = length > 3 && line[3] == ' ' ? 4 : 3;
        str_add_bytes(&c->expected, line + skip, length - skip);
        str_add_char(&c->expected, '\n');
    } else if (length == 5 && memcmp(line, "@head", 5) == 0) {
        str_add(&c->input, "---\ntitle: T\nabout: A.\n---\n");
    } else if (length == 5 && memcmp(line, "@step", 5) == 0) {
        str_add(&c->input, "## S {#s}\n");
    } else {
        str_add_bytes(&c->input, line, length);
        str_add_char(&c->input, '\n');
    }
}

static inline void cases_read(const char *path, CaseList *list)
{
    Str bytes = {0};
    Error error = {0};
    assert_int_equal(file_read(path, 10000000, false, &bytes, &error), STATUS_OK);
    for (const char *at = str_text(&bytes); *at;) {
        size_t length = strcspn(at, "\n");
        if (length > 4 && memcmp(at, "=== ", 4) == 0) {
            MEMORY_GROW(list->items, list->count, list->room);
            list->items[list->count++] = (Case){.name = memory_copy_slice(at + 4, length - 4)};
        } else if (list->count) {
            cases_add_line(&list->items[list->count - 1], at, length);
        }
        at += length + (at[length] == '\n');
    }
    str_clear(&bytes);
    assert_true(list->count > 0);
}

static inline void cases_clear(CaseList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        str_clear(&list->items[i].input);
        str_clear(&list->items[i].expected);
    }
    free(list->items);
    *list = (CaseList){0};
}

/* "line:column: message" (or the message alone) and a line end. */
static inline void cases_add_error(Str *out, const Error *error)
{
    if (error->line)
        str_addf(out, "%zu:%zu: ", error->line, error->column);
    str_addf(out, "%s\n", error->message);
}

/* Fails if what a case gave is not what it expects; says which case. Returns 1 then. */
static inline int cases_compare(const Case *c, const Str *got)
{
    if (strcmp(str_text(&c->expected), str_text(got)) == 0)
        return 0;
    print_error("case \"%s\": expected\n%sgot\n%s", c->name, str_text(&c->expected), str_text(got));
    return 1;
}

#endif
