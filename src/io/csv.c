/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/csv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/number.h"

/* Characters of a field or line that a message quotes at most. */
enum { QUOTE_MAX = 40 };

typedef struct {
    const Source *source;
    const char *text; /* of the source */
    size_t at, end;   /* what is left to read */
    size_t limit;     /* entries allowed */
    CsvRows *m;
    Error *error;
} Reader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* Offset of the end of the line that holds offset i. */
static size_t line_end(const Reader *r, size_t i)
{
    while (i < r->end && !is_line_end(r->text[i]))
        i++;
    return i;
}

/* Offset behind the line end (LF, CRLF or CR) at i, if there is one. */
static size_t skip_line_end(const char *text, size_t i, size_t end)
{
    if (i < end && text[i] == '\r')
        return i + 1 < end && text[i + 1] == '\n' ? i + 2 : i + 1;
    return i < end ? i + 1 : i;
}

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

static size_t skip_byte_order_mark(const char *text, size_t at, size_t end)
{
    return end - at >= 3 && memcmp(text + at, BYTE_ORDER_MARK, 3) == 0 ? at + 3 : at;
}

/* The bytes of span as a message quotes them: cut when long. */
static char *quoted(const Reader *r, Span span)
{
    size_t i = span.start;
    for (size_t count = 0; count < QUOTE_MAX && i < span.end; count++)
        i += text_next(r->text + i, span.end - i);
    Str s = {0};
    text_add_visible(&s, r->text + span.start, i - span.start);
    if (i < span.end)
        str_add(&s, "…");
    return str_take(&s);
}

/* Sets the error "'FIELD' WHAT". */
static Status refuse_quoted(const Reader *r, Span place, Span quote, const char *what)
{
    char *text = quoted(r, quote);
    error_at(r->error, r->source, place, "'%s'%s", text, what);
    free(text);
    return STATUS_ERROR;
}

/* True if the field looks like the heading of a column rather than a mistyped
 * number. */
static bool is_heading(const Reader *r, Span field)
{
    const char *c = r->text + field.start;
    if (*c == '"' || *c == '\'')
        c++; /* at worst this is now the NUL behind the text */
    return r->m->rows == 0 && r->m->count == 0 &&
           ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' || *c == '#');
}

/* Says what is wrong with a field that number_read refused. */
static Status refuse_field(const Reader *r, Span field, NumberStatus status)
{
    const char *text = r->text + field.start;
    size_t length = field.end - field.start;
    if (status == NUMBER_OUT_OF_RANGE) {
        char *number = quoted(r, field);
        error_at(r->error, r->source, field, "number out of range: %s", number);
        free(number);
        return STATUS_ERROR;
    }
    if (memchr(text, '\0', length))
        return error_at(r->error, r->source, field, "NUL byte in a number");
    const char *semicolon = memchr(text, ';', length);
    if (semicolon) {
        size_t at = (size_t)(semicolon - r->text);
        return refuse_quoted(r, (Span){at, at + 1}, source_line(r->source, at),
                             ": fields are separated by commas and the decimal mark is a point");
    }
    if (is_heading(r, field))
        return refuse_quoted(r, field, field,
                             " is not a number (a matrix file has no header line)");
    for (size_t i = 0; i < length; i++)
        if (is_blank(text[i]))
            return refuse_quoted(r, field, field,
                                 " is not a number (fields are separated by commas)");
    return refuse_quoted(r, field, field, " is not a number");
}

/* Refuses a row whose number of fields, counted to its end, is not the first's. */
static Status refuse_row(const Reader *r, size_t start, size_t fields)
{
    size_t end = line_end(r, start);
    Span place = {start, end};
    for (size_t i = start, seen = 0; i < end && fields > r->m->cols; i++)
        if (r->text[i] == ',' && ++seen == r->m->cols)
            place.start = i + 1; /* the first field too many */
    return error_at(r->error, r->source, place, "row %zu has %zu field%s, row 1 has %zu",
                    r->m->rows + 1, fields, fields == 1 ? "" : "s", r->m->cols);
}

/* Where the next number goes. */
static double *next_cell(Reader *r)
{
    enum { ROOM = 64 }; /* to begin with */
    CsvRows *m = r->m;
    size_t room = m->cells ? m->cells->rows : 0;
    if (m->count == room) {
        room = room == 0 ? ROOM : 2 * room;
        room = room < r->limit ? room : r->limit;
        m->cells = m->cells ? matrix_resize(m->cells, room, 1) : matrix_new(room, 1);
    }
    return m->cells->cells + m->count;
}

/* Reads a field that is nothing but a decimal, as nearly all are; false if it is more. */
static bool read_plain_field(Reader *r)
{
    if (r->m->count == r->limit)
        return false;
    size_t behind = r->at + number_take(r->text + r->at, r->end - r->at, next_cell(r));
    if (behind == r->at ||
        (behind < r->end && r->text[behind] != ',' && !is_line_end(r->text[behind])))
        return false;
    r->at = behind;
    r->m->count++;
    return true;
}

/* Reads one field and leaves r->at on the comma or line end behind it. */
static Status read_field(Reader *r, size_t fields)
{
    if (read_plain_field(r))
        return STATUS_OK;
    const char *text = r->text;
    size_t start = r->at, i = start;
    while (i < r->end && is_blank(text[i]))
        i++;
    size_t first = i;
    while (i < r->end && text[i] != ',' && !is_line_end(text[i]))
        i++;
    r->at = i;
    Span field = {first, i};
    while (field.end > field.start && is_blank(text[field.end - 1]))
        field.end--;
    if (field.end == field.start)
        return error_at(r->error, r->source, (Span){start, start}, "field %zu is empty", fields);
    if (r->m->count >= r->limit)
        return error_at(r->error, r->source, field, "too large: more than the limit of %zu entries",
                        r->limit);
    NumberStatus status = number_read(text + field.start, field.end - field.start, next_cell(r));
    if (status != NUMBER_OK)
        return refuse_field(r, field, status);
    r->m->count++;
    return STATUS_OK;
}

/* Counts the fields from the comma at r->at on, the field before it included. */
static size_t count_fields(const Reader *r, size_t fields)
{
    for (size_t i = r->at; i < r->end && !is_line_end(r->text[i]); i++)
        fields += r->text[i] == ',';
    return fields;
}

/* Reads one row and leaves r->at behind its line end. */
static Status read_row(Reader *r)
{
    size_t start = r->at, fields = 0;
    for (;;) {
        if (r->m->rows > 0 && fields == r->m->cols) /* r->at is behind one comma too many */
            return refuse_row(r, start, count_fields(r, fields + 1));
        if (read_field(r, ++fields) != STATUS_OK)
            return STATUS_ERROR;
        if (r->at == r->end || r->text[r->at] != ',')
            break;
        r->at++;
    }
    if (r->m->rows > 0 && fields < r->m->cols)
        return refuse_row(r, start, fields);
    r->m->cols = fields;
    r->m->rows++;
    r->at = skip_line_end(r->text, r->at, r->end);
    return STATUS_OK;
}

/* Moves r->at over blank lines; true if there were any. */
static bool skip_blank_lines(Reader *r)
{
    bool any = false;
    for (;;) {
        size_t i = r->at;
        while (i < r->end && is_blank(r->text[i]))
            i++;
        if (i < r->end && !is_line_end(r->text[i]))
            return any;
        r->at = skip_line_end(r->text, i, r->end);
        if (i == r->end)
            return any;
        any = true;
    }
}

/* Reads at most `most` rows; blank lines at the end are left unread. */
static Status read_rows(Reader *r, size_t most)
{
    for (size_t rows = 0; rows < most && r->at < r->end; rows++) {
        size_t blank = r->at;
        bool skipped = skip_blank_lines(r);
        if (r->at == r->end) {
            r->at = blank;
            break;
        }
        if (skipped)
            return error_at(r->error, r->source, (Span){blank, blank}, "blank line %s the matrix",
                            r->m->rows ? "inside" : "before");
        if (read_row(r) != STATUS_OK)
            return STATUS_ERROR;
    }
    return STATUS_OK;
}

Status csv_read_rows(CsvRows *m, const Source *source, Span *span, size_t most, size_t limit,
                     Error *error)
{
    Reader r = {.source = source,
                .text = source->text,
                .at = span->start,
                .end = span->end,
                .limit = limit,
                .m = m,
                .error = error};
    if (m->rows == 0)
        r.at = skip_byte_order_mark(source->text, span->start, span->end);
    Status status = read_rows(&r, most);
    span->start = r.at;
    return status;
}

Status csv_refuse_empty(const Source *source, Error *error)
{
    return error_at(error, source, (Span){0, 0}, "no data");
}

Status csv_read_matrix(const Source *source, size_t limit, Matrix **out, Error *error)
{
    CsvRows m = {0};
    Span span = {0, source->length};
    limit = limit < MATRIX_MAX_CELLS ? limit : MATRIX_MAX_CELLS;
    Status status = csv_read_rows(&m, source, &span, SIZE_MAX, limit, error);
    if (status == STATUS_OK && m.rows == 0)
        status = csv_refuse_empty(source, error);
    if (status == STATUS_OK)
        *out = matrix_resize(m.cells, m.rows, m.cols);
    else
        matrix_unref(m.cells);
    return status;
}

void csv_add_cells(Str *out, const Matrix *m, size_t first, size_t last)
{
    char block[4096]; /* so that not every number grows out */
    size_t used = 0, column = m->cols ? first % m->cols : 0;
    for (size_t i = first; i < last; i++) {
        if (sizeof block - used < NUMBER_ROOM + 1) {
            str_add_bytes(out, block, used);
            used = 0;
        }
        used += number_put(block + used, m->cells[i]);
        bool ends = ++column == m->cols;
        block[used++] = ends ? '\n' : ',';
        column = ends ? 0 : column;
    }
    str_add_bytes(out, block, used);
}

void csv_add_matrix(Str *out, const Matrix *m)
{
    if (m->cols == 0)
        str_add_repeat(out, '\n', m->rows);
    else
        csv_add_cells(out, m, 0, matrix_count(m));
}

/* ---- tables of text ---- */

void csv_add_field(Str *out, const char *text)
{
    bool marked = text_starts(text, BYTE_ORDER_MARK); /* which is dropped where a file begins */
    if (*text && !marked && !strpbrk(text, ",\"\r\n")) {
        str_add(out, text);
        return;
    }
    str_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            str_add_char(out, '"');
        str_add_char(out, *text);
    }
    str_add_char(out, '"');
}

typedef struct {
    const Source *source;
    const char *text;
    size_t at, end;
    CsvTable *table;
    size_t rows_room, counts_room;
    size_t fields_room; /* of the last row */
    Error *error;
} TableReader;

static void begin_table_row(TableReader *r)
{
    CsvTable *table = r->table;
    size_t count = table->count;
    MEMORY_GROW(table->rows, count, r->rows_room);
    MEMORY_GROW(table->counts, count, r->counts_room);
    table->rows[count] = NULL;
    table->counts[count] = 0;
    table->count++;
    r->fields_room = 0;
}

/* Adds a field to the last row, which takes over the bytes of s. */
static void add_table_field(TableReader *r, Str *s)
{
    char ***fields = &r->table->rows[r->table->count - 1];
    size_t *count = &r->table->counts[r->table->count - 1];
    MEMORY_GROW(*fields, *count, r->fields_room);
    (*fields)[(*count)++] = str_take(s);
}

/* Reads a quoted field; r->at is on its first quote and is left behind its last. */
static Status read_quoted(TableReader *r, Str *s)
{
    size_t open = r->at++;
    while (r->at < r->end) {
        const char *quote = memchr(r->text + r->at, '"', r->end - r->at);
        if (!quote)
            break;
        size_t i = (size_t)(quote - r->text);
        str_add_bytes(s, r->text + r->at, i - r->at);
        r->at = i + 1;
        if (r->at == r->end || r->text[r->at] != '"')
            return STATUS_OK;
        str_add_char(s, '"');
        r->at++;
    }
    return error_at(r->error, r->source, (Span){open, open + 1}, "this quote is never closed");
}

/* Reads a field into s and leaves r->at on the comma or line end behind it. */
static Status read_table_field(TableReader *r, Str *s)
{
    bool was_quoted = r->at < r->end && r->text[r->at] == '"';
    if (was_quoted && read_quoted(r, s) != STATUS_OK)
        return STATUS_ERROR;
    size_t start = r->at, i = start;
    while (i < r->end && r->text[i] != ',' && !is_line_end(r->text[i]) && r->text[i] != '"')
        i++;
    if (was_quoted && i > start)
        return error_at(r->error, r->source, (Span){start, i},
                        "text after a closing quote: a comma or the end of the line is expected");
    if (i < r->end && r->text[i] == '"')
        return error_at(r->error, r->source, (Span){i, i + 1},
                        "a quote inside a field: the field must be quoted and the quote doubled");
    str_add_bytes(s, r->text + start, i - start);
    if (s->length > 0 && memchr(s->data, '\0', s->length))
        return error_at(r->error, r->source, (Span){start, start}, "NUL byte in a field");
    r->at = i;
    return STATUS_OK;
}

static Status read_table_row(TableReader *r)
{
    begin_table_row(r);
    for (;;) {
        Str s = {0};
        if (read_table_field(r, &s) != STATUS_OK) {
            str_clear(&s);
            return STATUS_ERROR;
        }
        add_table_field(r, &s);
        if (r->at == r->end || r->text[r->at] != ',')
            break;
        r->at++;
    }
    r->at = skip_line_end(r->text, r->at, r->end);
    return STATUS_OK;
}

Status csv_read_table(const Source *source, Span span, CsvTable *table, Error *error)
{
    *table = (CsvTable){0};
    TableReader r = {.source = source,
                     .text = source->text,
                     .at = skip_byte_order_mark(source->text, span.start, span.end),
                     .end = span.end,
                     .table = table,
                     .error = error};
    while (r.end > r.at && is_line_end(r.text[r.end - 1])) /* blank lines at the end */
        r.end--;
    while (r.at < r.end)
        if (read_table_row(&r) != STATUS_OK) {
            csv_table_clear(table);
            return STATUS_ERROR;
        }
    return STATUS_OK;
}

void csv_table_clear(CsvTable *table)
{
    for (size_t i = 0; i < table->count; i++) {
        for (size_t j = 0; j < table->counts[i]; j++)
            free(table->rows[i][j]);
        free(table->rows[i]);
    }
    free(table->rows);
    free(table->counts);
    *table = (CsvTable){0};
}
