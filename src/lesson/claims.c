/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/claims.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/file.h"
#include "lesson/find.h"

enum { FIELD_COUNT = 6, MAX_BYTES = 1000000 };

static const char *const columns[FIELD_COUNT] = {"number", "section", "documents",
                                                 "claim", "verdict", "place"};

static bool is_verdict(const char *text)
{
    return text_equal(text, "TRUE") || text_equal(text, "FALSE") || text_equal(text, "ONLY IF") ||
           text_equal(text, "UNCHECKABLE");
}

/* Row i (from 0) of the table. */
static Status read_row(const Source *source, const CsvTable *table, size_t i, Claim *claim,
                       Error *error)
{
    char **row = table->rows[i];
    if (table->counts[i] != FIELD_COUNT)
        return error_in_file(error, source->name, 0, 0, "row %zu: %zu fields, not %d", i + 1,
                             table->counts[i], FIELD_COUNT);
    for (size_t j = 0; j < FIELD_COUNT; j++)
        if (!*row[j])
            return error_in_file(error, source->name, 0, 0, "row %zu: no %s", i + 1,
                                 columns[j]);
    *claim = (Claim){row[0], row[1], row[2], row[3], row[4], row[5]};
    if (!is_verdict(claim->verdict))
        return error_in_file(error, source->name, 0, 0,
                             "row %zu: '%s' is no verdict: TRUE, FALSE, ONLY IF or UNCHECKABLE",
                             i + 1, claim->verdict);
    return STATUS_OK;
}

static Status check_header(const Source *source, const CsvTable *table, Error *error)
{
    bool fits = table->count && table->counts[0] == FIELD_COUNT;
    for (size_t j = 0; fits && j < FIELD_COUNT; j++)
        fits = text_equal(table->rows[0][j], columns[j]);
    if (!fits)
        return error_in_file(error, source->name, 0, 0,
                             "the first line is not number,section,documents,claim,verdict,place");
    return STATUS_OK;
}

Status claims_parse(const Source *source, Claims *claims, Error *error)
{
    *claims = (Claims){0};
    Status status =
        csv_read_table(source, (Span){0, source->length}, &claims->table, error);
    if (!status)
        status = check_header(source, &claims->table, error);
    if (!status) {
        claims->items = memory_zeros(claims->table.count, sizeof *claims->items);
        claims->count = claims->table.count - 1;
    }
    for (size_t i = 0; i < claims->count && !status; i++)
        status = read_row(source, &claims->table, i + 1, &claims->items[i], error);
    if (status)
        claims_clear(claims);
    return status;
}

Status claims_load(Claims *claims, Error *error)
{
    Str path = {0}, bytes = {0};
    *claims = (Claims){0};
    Status status = find_home_data("claims.csv", &path, error);
    if (!status)
        status = file_read(str_text(&path), MAX_BYTES, false, &bytes, error);
    if (!status) {
        Source *source = source_new(str_text(&path), str_text(&bytes), bytes.length);
        status = claims_parse(source, claims, error);
        source_free(source);
    }
    str_clear(&path);
    str_clear(&bytes);
    return status;
}

void claims_clear(Claims *claims)
{
    csv_table_clear(&claims->table);
    free(claims->items);
    *claims = (Claims){0};
}

bool claim_is_uncheckable(const Claim *claim)
{
    return text_equal(claim->verdict, "UNCHECKABLE");
}

bool claim_is_in(const Claim *claim, const char *document)
{
    size_t length = strlen(document);
    const char *at = claim->documents;
    for (; (at = strstr(at, document)); at += length)
        if ((at == claim->documents || !isalnum((unsigned char)at[-1])) &&
            !isalnum((unsigned char)at[length]))
            return true;
    return false;
}

bool claims_know(const char *document)
{
    return document[0] == 'D' && document[1] >= '1' && document[1] <= '4' && !document[2];
}
