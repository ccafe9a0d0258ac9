/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/op.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>


static const Op table[] = {
#define OP(id, name, min, max, kernel, cost, explain, help)                                        \
    {OP_##id, name, min, max, kernel, cost, explain, help},
#define SYNTAX(id, name, min, max, cost, explain, help)                                            \
    {OP_##id, name, min, max, NULL, cost, explain, help},
#include "lang/ops.def"
#undef OP
#undef SYNTAX
};

const Op *op_get(OpId id)
{
    assert(id < OP_COUNT);
    return &table[id];
}

const Op *op_find(const char *name)
{
    if (!isalpha((unsigned char)name[0]))
        return NULL;
    for (size_t i = 0; i < OP_COUNT; i++)
        if (table[i].kernel && strcmp(table[i].name, name) == 0)
            return &table[i];
    if (strcmp(name, "nan") == 0)
        return &table[OP_NAN];
    if (strcmp(name, "inf") == 0)
        return &table[OP_INF];
    return NULL;
}

bool op_is_foreign(const char *name)
{
    static const char *const foreign[] = {
        "inv",     "pinv",   "det",     "rank",     "eig",     "svd",      "qr",         "lu",
        "chol",    "expm",   "logm",    "sqrtm",    "disp",    "printf",   "fprintf",    "sprintf",
        "error",   "length", "ndims",   "isequal",  "logical", "double",   "single",     "int32",
        "cell",    "struct", "cellfun", "arrayfun", "bsxfun",  "num2str",  "fieldnames", "ismember",
        "unique",  "var",    "std",     "median",   "randi",   "randperm", "meshgrid",   "horzcat",
        "vertcat", "cat",    "permute", "squeeze",  "plot",    "figure",   "inputname",  "feval",
        "eval",    "exist",  "isa",     "class",    "tic",     "toc",      "asin",       "acos",
        "atan",    "atan2",  "tan",     "sinh",     "cosh",    "log10",    "log1p",      "expm1",
        "gamma",   "erf",    "rem",     "idivide",  "fix",     "hypot",    "i",          "j",
        "ans",     "nnz",    "fliplr",  "flipud",   "rot90",   "cross",
    };
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (strcmp(name, foreign[i]) == 0)
            return true;
    return false;
}
