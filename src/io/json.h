/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json: a small writer.  Numbers are number_add's; NaN and infinities, which
 * JSON does not have, are null; strings are escaped and must be UTF-8 (a byte
 * that is not becomes U+FFFD). The writer puts commas and checks, by assertion,
 * that objects and arrays are balanced and keys stand where they must. */
#ifndef IO_JSON_H
#define IO_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "core/matrix.h"

/* Arrays and objects may stand in each other so deep. */
enum { JSON_MAX_DEPTH = 64 };

typedef struct {
    Str *out;         /* borrowed */
    size_t depth;     /* arrays and objects that are open */
    uint64_t objects; /* bit i is 1 if the one at depth i is an object */
    bool first;       /* nothing written yet at this depth */
    bool after_key;   /* the next value belongs to the key just written */
} Json;

/* A writer that appends to out. */
Json json_begin(Str *out);

/* Every value of an object is preceded by its key; one value at the top. */
void json_open_object(Json *json);
void json_close_object(Json *json);
void json_open_array(Json *json);
void json_close_array(Json *json);
void json_key(Json *json, const char *key);
void json_text(Json *json, const char *text);
void json_number(Json *json, double x);
void json_bool(Json *json, bool x);
void json_null(Json *json);

/* m as an array of rows. */
void json_matrix(Json *json, const Matrix *m);

#endif
