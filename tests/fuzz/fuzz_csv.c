/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV: matrices and tables.  What is read, written and read again is the same. */
#include "fuzz.h"
#include "io/csv.h"

enum { MOST_CELLS = 1 << 16 };

static Status read_matrix(const char *text, size_t length, Matrix **out)
{
    Error error = {0};
    Source *source = source_new("fuzz.csv", text, length);
    Status status = csv_read_matrix(source, MOST_CELLS, out, &error);
    if (status)
        fuzz_end_error(&error);
    source_free(source);
    return status;
}

static void try_matrix(const char *text, size_t length)
{
    Matrix *m = NULL, *again = NULL;
    Str out = {0};
    if (read_matrix(text, length, &m))
        return;
    csv_add_matrix(&out, m);
    fuzz_demand(!read_matrix(out.data, out.length, &again), "a written matrix can be read");
    fuzz_demand(matrix_same(m, again), "a written matrix reads back the same");
    matrix_unref(m);
    matrix_unref(again);
    str_clear(&out);
}

static Status read_table(const char *text, size_t length, CsvTable *out)
{
    Error error = {0};
    Source *source = source_new("fuzz.csv", text, length);
    Status status = csv_read_table(source, (Span){0, length}, out, &error);
    if (status)
        fuzz_end_error(&error);
    source_free(source);
    return status;
}

static bool same_tables(const CsvTable *a, const CsvTable *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        if (a->counts[i] != b->counts[i])
            return false;
        for (size_t j = 0; j < a->counts[i]; j++)
            if (!text_equal(a->rows[i][j], b->rows[i][j]))
                return false;
    }
    return true;
}

static void try_table(const char *text, size_t length)
{
    CsvTable table, again;
    Str out = {0};
    if (read_table(text, length, &table))
        return;
    for (size_t i = 0; i < table.count; i++)
        for (size_t j = 0; j < table.counts[i]; j++) {
            csv_add_field(&out, table.rows[i][j]);
            str_add_char(&out, j + 1 < table.counts[i] ? ',' : '\n');
        }
    fuzz_demand(!read_table(str_text(&out), out.length, &again), "a written table can be read");
    fuzz_demand(same_tables(&table, &again), "a written table reads back the same");
    csv_table_clear(&table);
    csv_table_clear(&again);
    str_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_matrix((const char *)data, size);
    try_table((const char *)data, size);
    return 0;
}
