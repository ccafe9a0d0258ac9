/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NPY.  What is read, written and read again is the same. */
#include "fuzz.h"
#include "io/npy.h"

enum { MOST_CELLS = 1 << 16 };

static Status read_matrix(const char *bytes, size_t length, Matrix **out)
{
    Error error = {0};
    Source *source = source_new("fuzz.npy", bytes, length);
    Status status = npy_read_matrix(source, MOST_CELLS, out, &error);
    if (status)
        fuzz_end_error(&error);
    source_free(source);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Matrix *m = NULL, *again = NULL;
    Str out = {0};
    bool looks = npy_is((const char *)data, size);
    if (read_matrix((const char *)data, size, &m))
        return 0;
    fuzz_demand(looks, "what can be read is known by its magic");
    npy_add_matrix(&out, m);
    fuzz_demand(!read_matrix(out.data, out.length, &again), "a written matrix can be read");
    fuzz_demand(matrix_same(m, again), "a written matrix reads back the same");
    matrix_unref(m);
    matrix_unref(again);
    str_clear(&out);
    return 0;
}
