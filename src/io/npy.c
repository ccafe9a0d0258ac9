/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/npy.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/csv.h"
#include "io/file.h"

static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

enum {
    DIMENSIONS_MAX = 32,        /* NumPy's own limit */
    HEADER_MAX = NPY_LAYOUT_MAX - 12,
    BYTES_PER_ENTRY = 64,       /* of a CSV file, at the very most */
    BYTES_BESIDES = 1024 * 1024 /* header, blank lines */
};

bool npy_is(const char *bytes, size_t length)
{
    return length >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/* ---- the header: a dictionary written as in Python ---- */

typedef struct {
    const char *at, *end;
    char *dtype;     /* owned; NULL until seen */
    bool structured; /* the dtype is a list of fields */
    bool fortran, has_fortran;
    size_t shape[DIMENSIONS_MAX];
    size_t dimensions;
    bool has_shape;
} Header;

static void skip_blanks(Header *h)
{
    while (h->at < h->end && (*h->at == ' ' || *h->at == '\t' || *h->at == '\n' || *h->at == '\r'))
        h->at++;
}

/* Takes c, and blanks before it; false if something else stands there. */
static bool take(Header *h, char c)
{
    skip_blanks(h);
    if (h->at == h->end || *h->at != c)
        return false;
    h->at++;
    return true;
}

static bool take_word(Header *h, const char *word)
{
    skip_blanks(h);
    size_t length = strlen(word);
    if ((size_t)(h->end - h->at) < length || memcmp(h->at, word, length) != 0)
        return false;
    h->at += length;
    return true;
}

/* A string in single or double quotes, without escapes; NULL if there is none. */
static char *take_string(Header *h)
{
    skip_blanks(h);
    if (h->at == h->end || (*h->at != '\'' && *h->at != '"'))
        return NULL;
    const char *start = h->at + 1;
    const char *close = memchr(start, *h->at, (size_t)(h->end - start));
    if (!close || memchr(start, '\\', (size_t)(close - start)))
        return NULL;
    h->at = close + 1;
    return memory_copy_slice(start, (size_t)(close - start));
}

/* digits ["L"] (Python 2 wrote an L); false if there are none or too many. */
static bool take_size(Header *h, size_t *size)
{
    skip_blanks(h);
    const char *start = h->at;
    *size = 0;
    while (h->at < h->end && *h->at >= '0' && *h->at <= '9') {
        size_t digit = (size_t)(*h->at++ - '0');
        if (*size > (SIZE_MAX - digit) / 10)
            return false;
        *size = *size * 10 + digit;
    }
    if (h->at == start)
        return false;
    if (h->at < h->end && *h->at == 'L')
        h->at++;
    return true;
}

/* "(" [ size { "," size } [","] ] ")" */
static bool take_shape(Header *h)
{
    if (h->has_shape || !take(h, '('))
        return false;
    h->has_shape = true;
    while (!take(h, ')')) {
        if (h->dimensions == DIMENSIONS_MAX || !take_size(h, &h->shape[h->dimensions]))
            return false;
        h->dimensions++;
        if (!take(h, ',')) /* a lone number needs its comma, but (3) is understood */
            return take(h, ')');
    }
    return true;
}

static bool take_dtype(Header *h)
{
    if (h->dtype)
        return false;
    skip_blanks(h);
    h->structured = h->at < h->end && *h->at == '[';
    h->dtype = h->structured ? memory_copy_text("[...]") : take_string(h);
    return h->dtype;
}

static bool take_order(Header *h)
{
    if (h->has_fortran)
        return false;
    h->has_fortran = true;
    h->fortran = take_word(h, "True");
    return h->fortran || take_word(h, "False");
}

static bool take_entry(Header *h)
{
    char *key = take_string(h);
    bool good = key && take(h, ':');
    if (good && text_equal(key, "descr"))
        good = take_dtype(h);
    else if (good && text_equal(key, "fortran_order"))
        good = take_order(h);
    else if (good && text_equal(key, "shape"))
        good = take_shape(h);
    else
        good = false;
    free(key);
    return good;
}

/* "{" entry { "," entry } [","] "}", each of the three keys once.  A structured
 * dtype ends the reading: it is refused anyway. */
static bool parse_header(Header *h)
{
    if (!take(h, '{'))
        return false;
    while (!take(h, '}')) {
        if (!take_entry(h))
            return false;
        if (h->structured)
            return true;
        if (!take(h, ',')) {
            if (!take(h, '}'))
                return false;
            break;
        }
    }
    skip_blanks(h);
    return h->at == h->end && h->dtype && h->has_fortran && h->has_shape;
}

/* ---- what is read and what is refused ---- */

/* What a dtype that is not read holds, in words. */
static const char *dtype_kind(const char *dtype)
{
    if (dtype[0] == '>' && dtype[1] == 'f')
        return "big-endian numbers";
    switch (dtype[0] ? dtype[1] : '\0') {
    case 'f':
        return "floating-point numbers of another size";
    case 'i':
    case 'u':
        return "integers";
    case 'c':
        return "complex numbers";
    case 'b':
        return "truth values";
    case 'O':
        return "Python objects";
    case 'S':
    case 'U':
        return "text";
    case 'M':
    case 'm':
        return "dates or times";
    default:
        return "an unknown type";
    }
}

static Status check_header(const Header *h, const char *name, size_t limit, Error *error)
{
    if (h->structured)
        return error_in_file(error, name, 0, 0,
                             "the array holds records (a structured dtype); "
                             "'<f8' or '<f4' is expected");
    if (!text_equal(h->dtype, "<f8") && !text_equal(h->dtype, "<f4"))
        return error_in_file(error, name, 0, 0,
                             "the array holds %s ('%.20s'); '<f8' or '<f4' is expected",
                             dtype_kind(h->dtype), h->dtype);
    if (h->dimensions > 2)
        return error_in_file(error, name, 0, 0,
                             "the array has %zu dimensions; at most 2 are expected", h->dimensions);
    size_t rows = h->dimensions > 0 ? h->shape[0] : 1, cols = h->dimensions > 1 ? h->shape[1] : 1;
    if (rows > limit || cols > limit || !matrix_fits(rows, cols, limit))
        return error_in_file(error, name, 0, 0, "too large: %zu x %zu entries, the limit is %zu",
                             rows, cols, limit);
    return STATUS_OK;
}

static double decode_f8(const unsigned char *p)
{
    uint64_t bits = 0;
    for (int i = 7; i >= 0; i--)
        bits = bits << 8 | p[i];
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double decode_f4(const unsigned char *p)
{
    uint32_t bits = (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

/* Finds the header's text; *data is the offset of what follows it. */
static Status find_header(const Source *source, Header *h, size_t *data, Error *error)
{
    const unsigned char *p = (const unsigned char *)source->text;
    if (source->length < 10 || !npy_is(source->text, source->length))
        return error_in_file(error, source->name, 0, 0,
                             "not an NPY file: it does not begin with its 6 magic bytes "
                             "and a version");
    if (p[6] < 1 || p[6] > 3 || p[7] != 0)
        return error_in_file(error, source->name, 0, 0,
                             "NPY version %d.%d; 1.0, 2.0 or 3.0 is expected", p[6], p[7]);
    size_t start = p[6] == 1 ? 10 : 12;
    size_t length = p[8] | (size_t)p[9] << 8;
    if (p[6] > 1 && source->length >= start)
        length |= (size_t)p[10] << 16 | (size_t)p[11] << 24;
    if (length > HEADER_MAX)
        return error_in_file(error, source->name, 0, 0,
                             "NPY header of %zu bytes; at most %d are expected", length,
                             HEADER_MAX);
    if (source->length < start || source->length - start < length)
        return error_in_file(error, source->name, 0, 0, "the file is truncated in its NPY header");
    h->at = source->text + start;
    h->end = h->at + length;
    *data = start + length;
    return STATUS_OK;
}

Status npy_read_layout(const Source *source, size_t limit, NpyLayout *out, Error *error)
{
    Header h = {0};
    if (find_header(source, &h, &out->data, error) != STATUS_OK)
        return STATUS_ERROR;
    Status status;
    if (!parse_header(&h))
        status = error_in_file(error, source->name, 0, 0,
                               "malformed NPY header: a dictionary of 'descr', 'fortran_order' "
                               "and 'shape' is expected");
    else
        status = check_header(&h, source->name, limit, error);
    if (status == STATUS_OK) {
        out->rows = h.dimensions > 0 ? h.shape[0] : 1;
        out->cols = h.dimensions > 1 ? h.shape[1] : 1;
        out->size = h.dtype[2] == '8' ? 8 : 4;
        out->fortran = h.fortran;
    }
    free(h.dtype);
    return status;
}

Status npy_check_length(const NpyLayout *layout, const char *name, size_t length, Error *error)
{
    size_t need = layout->rows * layout->cols * layout->size;
    if (length == need)
        return STATUS_OK;
    return error_in_file(error, name, 0, 0,
                         "%s: %zu x %zu numbers of %zu bytes need %zu bytes, %zu follow the header",
                         length < need ? "the file is truncated" : "extra data at the end",
                         layout->rows, layout->cols, layout->size, need, length);
}

void npy_decode(const NpyLayout *layout, const char *bytes, size_t count, double *out)
{
    const unsigned char *p = (const unsigned char *)bytes;
    for (size_t i = 0; i < count; i++)
        out[i] = layout->size == 8 ? decode_f8(p + 8 * i) : decode_f4(p + 4 * i);
}

Status npy_read_matrix(const Source *source, size_t limit, Matrix **out, Error *error)
{
    NpyLayout layout;
    if (limit > MATRIX_MAX_CELLS)
        limit = MATRIX_MAX_CELLS;
    if (npy_read_layout(source, limit, &layout, error) != STATUS_OK ||
        npy_check_length(&layout, source->name, source->length - layout.data, error) != STATUS_OK)
        return STATUS_ERROR;
    const char *bytes = source->text + layout.data;
    Matrix *m = matrix_new(layout.rows, layout.cols);
    double *cells = matrix_fill(m);
    if (!layout.fortran)
        npy_decode(&layout, bytes, matrix_count(m), cells);
    else
        for (size_t i = 0; i < m->rows; i++)
            for (size_t j = 0; j < m->cols; j++)
                npy_decode(&layout, bytes + layout.size * (j * m->rows + i), 1,
                           cells + i * m->cols + j);
    *out = m;
    return STATUS_OK;
}

void npy_add_header(Str *out, size_t rows, size_t cols)
{
    size_t start = out->length;
    char rest[4] = {1, 0, (char)((NPY_HEADER_BYTES - sizeof magic - 4) & 0xFF),
                    (char)((NPY_HEADER_BYTES - sizeof magic - 4) >> 8)};
    str_add_bytes(out, magic, sizeof magic);
    str_add_bytes(out, rest, sizeof rest);
    str_addf(out, "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, %zu), }", rows, cols);
    assert(out->length - start < NPY_HEADER_BYTES);
    str_add_repeat(out, ' ', NPY_HEADER_BYTES - 1 - (out->length - start));
    str_add_char(out, '\n');
}

void npy_add_cells(Str *out, const double *cells, size_t count)
{
    char block[4096]; /* so that not every number grows out */
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &cells[i], sizeof bits);
        for (int k = 0; k < 8; k++)
            block[used++] = (char)(bits >> 8 * k & 0xFF);
        if (used == sizeof block) {
            str_add_bytes(out, block, used);
            used = 0;
        }
    }
    str_add_bytes(out, block, used);
}

void npy_add_matrix(Str *out, const Matrix *m)
{
    npy_add_header(out, m->rows, m->cols);
    npy_add_cells(out, m->cells, matrix_count(m));
}

static Status read_matrix(const char *path, size_t limit, bool allow_stdin, bool real,
                          Matrix **out, Error *error)
{
    size_t bytes = SIZE_MAX;
    if (limit < (SIZE_MAX - BYTES_BESIDES) / BYTES_PER_ENTRY)
        bytes = limit * BYTES_PER_ENTRY + BYTES_BESIDES;
    Str text = {0};
    Status status = real ? file_read_real(path, bytes, &text, error)
                         : file_read(path, bytes, allow_stdin, &text, error);
    if (status == STATUS_OK) {
        /* Borrows the bytes: a copy would double the memory of a large file. */
        char *name = memory_copy_text(allow_stdin && text_equal(path, "-") ? "<stdin>" : path);
        str_add_bytes(&text, "", 0); /* so that there is a NUL, whatever was read */
        Source source = {.name = name, .text = text.data, .length = text.length};
        bool is_npy = npy_is(source.text, source.length);
        status = is_npy ? npy_read_matrix(&source, limit, out, error)
                        : csv_read_matrix(&source, limit, out, error);
        free(name);
    }
    str_clear(&text);
    return status;
}

Status npy_or_csv_read_file(const char *path, size_t limit, bool allow_stdin, Matrix **out,
                            Error *error)
{
    return read_matrix(path, limit, allow_stdin, false, out, error);
}

Status npy_or_csv_read_real(const char *path, size_t limit, Matrix **out, Error *error)
{
    return read_matrix(path, limit, false, true, out, error);
}
