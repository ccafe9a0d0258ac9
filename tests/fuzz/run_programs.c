/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs many programs of the language, for octave_differential.py.
 *
 * Standard input: programs, each ended by a NUL byte; its first line names, with blanks between
 * them, the variables that are asked for.  Standard output: for each program a line `ran` or
 * `refused line:column: message`; after `ran` for each variable that exists and is a matrix a
 * line `name logical rows cols` and its numbers, column by column, as bytes; then `.`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/start.h"
#include "lang/interp.h"
#include "lang/parse.h"

static void put_matrix(const char *name, const Value *value)
{
    const Matrix *m = value_matrix(value);
    printf("%s %d %zu %zu\n", name, value->logical, m->rows, m->cols);
    for (size_t j = 0; j < m->cols; j++)
        for (size_t i = 0; i < m->rows; i++) {
            double x = matrix_at(m, i, j);
            fwrite(&x, sizeof x, 1, stdout);
        }
}

static void put_variables(const Interp *interp, const char *names)
{
    puts("ran");
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, " ");
        char *name = memory_copy_slice(at, length);
        const Value *value = interp_find(interp, name);
        if (value && value->kind == VALUE_MATRIX)
            put_matrix(name, value);
        free(name);
        at += length + (at[length] == ' ');
    }
    puts(".");
}

static void run_program(const char *names, const char *program)
{
    static const InterpHost host;
    const InterpLimits limits = {.origins = true,
                                 .random = true,
                                 .seed = 1,
                                 .max_cells = 1 << 20,
                                 .max_statements = 10000};
    Error error = {0};
    Code *code = NULL;
    Source *source = source_new("program", program, strlen(program));
    Interp *interp = interp_new(&host, &limits);
    Status status = code_parse(source, (Span){0, source->length}, &code, &error);
    if (!status)
        status = interp_run(interp, code, NULL, &error);
    if (status)
        printf("refused %zu:%zu: %s\n", error.line, error.column, error.message);
    else
        put_variables(interp, names);
    error_clear(&error);
    interp_free(interp);
    code_free(code);
    source_free(source);
}

int main(void)
{
    Str text = {0};
    core_start();
    for (int c; (c = getchar()) != EOF;) {
        if (c) {
            str_add_char(&text, (char)c);
            continue;
        }
        char *line_end = strchr(str_text(&text), '\n');
        if (!line_end)
            return 1;
        *line_end = '\0';
        run_program(text.data, line_end + 1);
        str_cut(&text, 0);
    }
    str_clear(&text);
    core_end();
    return fflush(stdout) == 0 ? 0 : 1;
}
