/* SPDX-License-Identifier: GPL-3.0-or-later */
/* param: the ```params block, and what its parameters stand at. */
#ifndef LESSON_PARAM_H
#define LESSON_PARAM_H

#include "base/error.h"
#include "lang/value.h"
#include "lesson/lesson.h"

/* What a parameter stands at. */
typedef struct {
    const Param *param;
    double number;  /* unless it is a choice */
    size_t choice;  /* of a PARAM_CHOICE */
    bool from_file; /* a loaded matrix set it; it may lie outside its range */
} ParamValue;

/* Reads the lines in span of lesson's source:
 *
 *     name = default   ( [low] ".." [high] | choice { "|" choice } )   help */
Status param_read_block(Lesson *lesson, Span span, Error *error);

ParamValue param_default(const Param *param);

/* The value that text means; fails, saying what is allowed. */
Status param_parse(const Param *param, const char *text, ParamValue *out, Error *error);

/* Appends the value as param_parse takes it: 8, 0.5, elu1. */
void param_add_text(Str *out, const ParamValue *value);

/* The parameter as a value of the language: a number named by it (if an integer), or a
 * function handle; its origin is OP_PARAMETER. */
Value *param_make(const ParamValue *value);

void param_clear(Param *param);

#endif
