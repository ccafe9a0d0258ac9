/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claims: what the documents behind the course say, and what became of it.
 *
 * data/claims.csv has a row for each claim: its number, the section of the ledger, the
 * documents that make it and where ("D1 §3, D2"), the claim in our words, the verdict,
 * and the place (lesson:step) whose checks compute it; for a claim that cannot be checked
 * the reason stands there instead, in words.  `attnwalk claims` prints them, a test
 * resolves every place.  Claims own their table; each Claim points into it. */
#ifndef LESSON_CLAIMS_H
#define LESSON_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "io/csv.h"

typedef struct {
    const char *number, *section, *documents, *text, *verdict, *place;
} Claim;

typedef struct {
    CsvTable table;
    Claim *items;
    size_t count;
} Claims;

/* Reads data/claims.csv of the home. Fails, with the row, for one without its six
 * fields, with an empty one, or with a verdict that is none. */
Status claims_load(Claims *claims, Error *error);

/* The same from the bytes of source. */
Status claims_parse(const Source *source, Claims *claims, Error *error);
void claims_clear(Claims *claims);

/* True if the claim's place is a reason in words: its verdict is UNCHECKABLE. */
bool claim_is_uncheckable(const Claim *claim);

/* True if document ("D1") is one of those that make the claim. */
bool claim_is_in(const Claim *claim, const char *document);

/* True if document is one of the four: D1 to D4. */
bool claims_know(const char *document);

#endif
