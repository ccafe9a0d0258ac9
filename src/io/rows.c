/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/rows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/csv.h"
#include "io/file.h"
#include "io/npy.h"

/* Bytes asked for at once; NPY_LAYOUT_MAX fits. */
enum { PIECE = 128 * 1024 };

struct Rows {
    FileReader file;
    Source window; /* bytes read and not yet taken; name and a NUL behind, as any Source */
    size_t room;   /* of its text */
    bool at_end;   /* of the file: nothing follows the window */
    bool is_npy;
    NpyLayout layout; /* of an NPY file */
    CsvRows csv;      /* of a CSV file */
    size_t cols, done;
};

/* --- the window ------------------------------------------------------------------- */

static void drop(Rows *r, size_t count)
{
    Source *w = &r->window;
    memmove(w->text, w->text + count, w->length - count + 1);
    w->length -= count;
}

/* Reads on until the window holds length bytes or the file ends. */
static Status fill(Rows *r, size_t length, Error *error)
{
    Source *w = &r->window;
    if (length >= r->room) {
        r->room = length + 1;
        w->text = memory_resize(w->text, r->room, 1);
    }
    while (!r->at_end && w->length < length) {
        size_t got;
        if (file_reader_next(&r->file, w->text + w->length, length - w->length, &got, error) !=
            STATUS_OK)
            return STATUS_ERROR;
        w->length += got;
        r->at_end = got == 0;
    }
    w->text[w->length] = '\0';
    return STATUS_OK;
}

/* --- CSV ---------------------------------------------------------------------------- */

/* Offset behind the last whole line of the window.  A CR at its end may be half of a line
 * end. */
static size_t whole_lines(const Rows *r)
{
    size_t end = r->window.length;
    if (r->at_end || end == 0)
        return end;
    if (r->window.text[end - 1] == '\r')
        end--;
    while (end > 0 && r->window.text[end - 1] != '\n' && r->window.text[end - 1] != '\r')
        end--;
    return end;
}

/* Parses what there is of `most` rows.  Every line before the window was a row: blank lines
 * are not taken before it is known that they are the last. */
static Status parse_lines(Rows *r, size_t most, Error *error)
{
    Span span = {0, whole_lines(r)};
    size_t before = r->csv.rows, limit = MATRIX_MAX_CELLS;
    if (csv_read_rows(&r->csv, &r->window, &span, most, limit, error) != STATUS_OK) {
        error->line += error->line ? before : 0;
        return STATUS_ERROR;
    }
    drop(r, span.start);
    return STATUS_OK;
}

static Status read_csv(Rows *r, size_t most, Matrix **out, Error *error)
{
    size_t want = r->csv.rows + most;
    for (;;) {
        if (parse_lines(r, want - r->csv.rows, error) != STATUS_OK)
            return STATUS_ERROR;
        if (r->csv.rows == want || r->at_end)
            break;
        size_t length = r->window.length; /* of a line without its end, or blank lines */
        if (fill(r, length < PIECE / 2 ? PIECE : 2 * length, error) != STATUS_OK)
            return STATUS_ERROR;
    }
    if (r->csv.rows == 0)
        return csv_refuse_empty(&r->window, error);
    size_t rows = r->csv.rows - r->done;
    *out = matrix_from(rows, r->csv.cols, r->csv.cells ? r->csv.cells->cells : NULL);
    r->csv.count = 0;
    return STATUS_OK;
}

/* --- NPY ---------------------------------------------------------------------------- */

static Status begin_npy(Rows *r, Error *error)
{
    const char *name = r->file.name;
    if (npy_read_layout(&r->window, SIZE_MAX / 16, &r->layout, error) != STATUS_OK)
        return STATUS_ERROR;
    if (r->layout.fortran && r->layout.rows > 1 && r->layout.cols > 1)
        return error_in_file(error, name, 0, 0,
                             "the array is in Fortran order; C order is needed to read it row by "
                             "row (numpy.ascontiguousarray)");
    drop(r, r->layout.data);
    if (r->file.fd == STDIN_FILENO)
        return STATUS_OK; /* how much there is shows at the end */
    return npy_check_length(&r->layout, name, r->file.size - r->layout.data, error);
}

/* Standard input has to end where the last row does. */
static Status check_end(Rows *r, Error *error)
{
    if (fill(r, 1, error) != STATUS_OK)
        return STATUS_ERROR;
    if (r->window.length == 0)
        return STATUS_OK;
    return error_in_file(error, r->file.name, 0, 0, "extra data at the end: more than %zu x %zu "
                         "numbers follow the header", r->layout.rows, r->layout.cols);
}

static Status read_npy(Rows *r, size_t most, Matrix **out, Error *error)
{
    const NpyLayout *layout = &r->layout;
    size_t left = layout->rows - r->done, rows = left < most ? left : most;
    if (!matrix_fits(rows, layout->cols, MATRIX_MAX_CELLS))
        return error_in_file(error, r->file.name, 0, 0, "too large: %zu columns", layout->cols);
    size_t count = rows * layout->cols, bytes = count * layout->size;
    if (fill(r, bytes, error) != STATUS_OK)
        return STATUS_ERROR;
    if (r->window.length < bytes) {
        size_t before = r->done * layout->cols * layout->size;
        return npy_check_length(layout, r->file.name, before + r->window.length, error);
    }
    Matrix *m = matrix_new(rows, layout->cols);
    npy_decode(layout, r->window.text, count, matrix_fill(m));
    drop(r, bytes);
    if (rows < most && check_end(r, error) != STATUS_OK) {
        matrix_unref(m);
        return STATUS_ERROR;
    }
    *out = m;
    return STATUS_OK;
}

/* --- either --------------------------------------------------------------------------- */

Status rows_open(const char *path, Rows **out, Error *error)
{
    FileReader file;
    if (file_reader_open(&file, path, true, error) != STATUS_OK)
        return STATUS_ERROR;
    Rows *r = memory_zeros(1, sizeof *r);
    r->file = file;
    r->window.name = memory_copy_text(file.name);
    Status status = fill(r, PIECE, error);
    r->is_npy = status == STATUS_OK && npy_is(r->window.text, r->window.length);
    if (r->is_npy)
        status = begin_npy(r, error);
    if (status == STATUS_OK)
        *out = r;
    else
        rows_close(r);
    return status;
}

void rows_close(Rows *r)
{
    if (!r)
        return;
    file_reader_close(&r->file);
    free(r->window.name);
    free(r->window.text);
    matrix_unref(r->csv.cells);
    free(r);
}

const char *rows_name(const Rows *r)
{
    return r->window.name;
}

size_t rows_done(const Rows *r)
{
    return r->done;
}

bool rows_count(const Rows *r, size_t *count)
{
    if (r->is_npy)
        *count = r->layout.rows;
    return r->is_npy;
}

Status rows_read(Rows *r, size_t most, Matrix **out, Error *error)
{
    Status status = r->is_npy ? read_npy(r, most, out, error) : read_csv(r, most, out, error);
    if (status == STATUS_OK)
        r->done += (*out)->rows;
    return status;
}
