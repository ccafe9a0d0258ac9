/* SPDX-License-Identifier: GPL-3.0-or-later */
/* case: one folder of tests/data/cases: its inputs on demand, and what a system
 * made of them.
 *
 * A Case owns every matrix that was read or made for it, so a system's function
 * may nest calls freely: made(c, f(input(c, "Q"), …)). case_clear gives all back. */
#ifndef TESTS_CORE_CASE_H
#define TESTS_CORE_CASE_H

#include "support.h"

#include "base/error.h"
#include "io/csv.h"
#include "io/file.h"
#include "io/number.h"

enum { CASE_LIMIT = 1 << 24 };

typedef struct {
    const char *name; /* of the file it is compared with, without ".csv" */
    const Matrix *m;  /* owned by the case */
} CaseResult;

typedef struct {
    const char *folder; /* of the shape, below tests/data/cases */
    Matrix **owned;
    size_t owned_count, owned_room;
    CaseResult *results;
    size_t count, room;
} Case;

static inline Source *case_source(const char *path)
{
    Str full = {0}, bytes = {0};
    Error error = {0};
    str_addf(&full, "%s/cases/%s", TEST_DATA, path);
    if (file_read(str_text(&full), CASE_LIMIT, false, &bytes, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    Source *source = source_new(path, str_text(&bytes), bytes.length);
    str_clear(&full);
    str_clear(&bytes);
    return source;
}

static inline CsvTable case_table(const char *path)
{
    Source *source = case_source(path);
    CsvTable table = {0};
    Error error = {0};
    if (csv_read_table(source, (Span){0, source->length}, &table, &error) != STATUS_OK)
        fail_msg("%s: %s", path, error.message);
    source_free(source);
    return table;
}

/* The file at path as a matrix; its numbers, as a column, if lines are name,value. */
static inline Matrix *case_read(const char *path)
{
    Source *source = case_source(path);
    Matrix *m = NULL;
    Error error = {0};
    Status status = csv_read_matrix(source, CASE_LIMIT, &m, &error);
    source_free(source);
    if (status == STATUS_OK)
        return m;
    error_clear(&error);
    CsvTable table = case_table(path);
    m = matrix_new(table.count, 1);
    for (size_t i = 0; i < table.count; i++) {
        assert_int_equal(table.counts[i], 2);
        const char *text = table.rows[i][1];
        assert_int_equal(number_read(text, strlen(text), matrix_fill(m) + i), NUMBER_OK);
    }
    csv_table_clear(&table);
    return m;
}

/* Hands m over to the case. */
static inline const Matrix *made(Case *c, Matrix *m)
{
    MEMORY_GROW(c->owned, c->owned_count, c->owned_room);
    c->owned[c->owned_count++] = m;
    return m;
}

static inline const Matrix *case_file(Case *c, const char *part, const char *name)
{
    Str path = {0};
    str_addf(&path, "%s/%s/%s.csv", c->folder, part, name);
    const Matrix *m = made(c, case_read(str_text(&path)));
    str_clear(&path);
    return m;
}

static inline const Matrix *input(Case *c, const char *name)
{
    return case_file(c, "in", name);
}

/* The value called name in in/params.csv. */
static inline double param(Case *c, const char *name)
{
    Str path = {0};
    str_addf(&path, "%s/in/params.csv", c->folder);
    CsvTable table = case_table(str_text(&path));
    double value = NAN;
    for (size_t i = 0; i < table.count; i++)
        if (strcmp(table.rows[i][0], name) == 0)
            number_read(table.rows[i][1], strlen(table.rows[i][1]), &value);
    csv_table_clear(&table);
    str_clear(&path);
    assert_false(isnan(value));
    return value;
}

/* m, which the case owns, is what the file called name should hold. */
static inline void result(Case *c, const char *name, const Matrix *m)
{
    MEMORY_GROW(c->results, c->count, c->room);
    c->results[c->count++] = (CaseResult){name, m};
}

/* result for a matrix that is handed over, or for nothing (NULL). */
static inline void give(Case *c, const char *name, Matrix *m)
{
    if (m)
        result(c, name, made(c, m));
}

/* Compares the file at path with every result called name; how many there were. */
static inline size_t case_compare(Case *c, const char *path, const char *name)
{
    Matrix *expected = case_read(path);
    size_t found = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->results[i].name, name) != 0)
            continue;
        found++;
        if (!support_agrees(path, expected, c->results[i].m, 1e-10))
            fail_msg("%s differs", path);
    }
    matrix_unref(expected);
    return found;
}

static inline void case_clear(Case *c)
{
    for (size_t i = 0; i < c->owned_count; i++)
        matrix_unref(c->owned[i]);
    free(c->owned);
    free(c->results);
    *c = (Case){0};
}

#endif
