/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/npy.h"
#include "lesson/build.h"
#include "lesson/find.h"
#include "lesson/trace.h"

/* --- reading the settings ---------------------------------------------------- */

static Status refuse_param(const Lesson *lesson, const char *name, Error *error)
{
    Str names = {0};
    for (size_t i = 0; i < lesson->param_count; i++)
        str_addf(&names, "%s%s", i ? ", " : "", lesson->params[i].name);
    if (lesson->param_count)
        error_set(error, "the lesson has no parameter %s; it has %s", name, str_text(&names));
    else
        error_set(error, "the lesson has no parameter %s, nor any other", name);
    str_clear(&names);
    return STATUS_ERROR;
}

static Status read_params(Setup *setup, Error *error)
{
    const Lesson *lesson = setup->lesson;
    for (size_t i = 0; i < lesson->param_count; i++)
        setup->params[i] = param_default(&lesson->params[i]);
    for (size_t i = 0; i < setup->settings->param_count; i++) {
        const ParamSetting *setting = &setup->settings->params[i];
        size_t index;
        const Param *param = lesson_find_param(lesson, setting->name, &index);
        if (!param)
            return refuse_param(lesson, setting->name, error);
        if (param_parse(param, setting->value, &setup->params[index], error) != STATUS_OK)
            return STATUS_ERROR;
        setup->given[index] = true;
    }
    return STATUS_OK;
}

Status setup_begin(const Lesson *lesson, const Settings *settings, Setup *out, Error *error)
{
    *out = (Setup){
        .lesson = lesson,
        .settings = settings,
        .params = memory_zeros(lesson->param_count, sizeof *out->params),
        .given = memory_zeros(lesson->param_count, sizeof *out->given),
        .loads = memory_zeros(settings->load_count, sizeof *out->loads),
        .edited = memory_zeros(settings->edit_count, sizeof *out->edited),
    };
    Status status = read_params(out, error);
    for (size_t i = 0; status == STATUS_OK && i < settings->load_count; i++) {
        out->loads[i].load = &settings->loads[i];
        status = npy_or_csv_read_file(settings->loads[i].file, MATRIX_MAX_CELLS, false,
                                      &out->loads[i].matrix, error);
    }
    return status;
}

static void forget_names(LoadState *load)
{
    free(load->rows);
    free(load->cols);
    load->rows = load->cols = NULL;
}

void setup_clear(Setup *setup)
{
    for (size_t i = 0; i < setup->settings->load_count; i++) {
        matrix_unref(setup->loads[i].matrix);
        forget_names(&setup->loads[i]);
    }
    free(setup->params);
    free(setup->given);
    free(setup->loads);
    free(setup->edited);
}

/* --- loads and the parameters behind them ------------------------------------ */

size_t setup_find_load(const Setup *setup, const char *name)
{
    size_t i = 0, count = setup->settings->load_count;
    while (i < count && (setup->loads[i].done || !text_equal(setup->loads[i].load->name, name)))
        i++;
    return i;
}

/* A copy of the name of the integer parameter that a dimension is named by, or NULL. */
static char *param_of(const Setup *setup, Dim dim)
{
    const char *name = dim.name ? poly_single_name(dim.name) : NULL;
    const Param *param = name ? lesson_find_param(setup->lesson, name, NULL) : NULL;
    return param && param->kind == PARAM_INTEGER ? memory_copy_text(name) : NULL;
}

void setup_learn(Setup *setup, size_t i, const Value *value)
{
    LoadState *load = &setup->loads[i];
    forget_names(load);
    load->done = true;
    if (value->kind == VALUE_MATRIX) {
        load->rows = param_of(setup, value->rows);
        load->cols = param_of(setup, value->cols);
    }
}

bool setup_knows_all(const Setup *setup)
{
    for (size_t i = 0; i < setup->settings->load_count; i++)
        if (!setup->loads[i].done)
            return false;
    return true;
}

/* The load whose dimension set the parameter of that name before load number i, or i
 * itself. */
static size_t first_with(const Setup *setup, const char *name, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        const LoadState *load = &setup->loads[k];
        if ((load->rows && text_equal(load->rows, name)) ||
            (load->cols && text_equal(load->cols, name)))
            return k;
    }
    return i;
}

/* The parameter called name becomes size, which is what load i has. */
static Status fit(Setup *setup, size_t i, const char *name, size_t size, Error *error)
{
    if (!name)
        return STATUS_OK;
    size_t index;
    lesson_find_param(setup->lesson, name, &index);
    ParamValue *value = &setup->params[index];
    const LoadState *load = &setup->loads[i];
    if (value->from_file && value->number != (double)size) {
        const LoadState *other = &setup->loads[first_with(setup, name, i)];
        return error_set(error, "%s is %zux%zu in %s, so %s = %zu, but it is %.0f by %s from %s",
                         load->load->name, load->matrix->rows, load->matrix->cols, load->load->file,
                         name, size, value->number, other->load->name, other->load->file);
    }
    if (setup->given[index] && value->number != (double)size)
        return error_set(error, "%s is %zux%zu in %s, so %s = %zu, but it is set to %.0f",
                         load->load->name, load->matrix->rows, load->matrix->cols, load->load->file,
                         name, size, value->number);
    value->number = (double)size;
    value->from_file = true;
    return STATUS_OK;
}

Status setup_fit_params(Setup *setup, Error *error)
{
    for (size_t i = 0; i < setup->settings->load_count; i++) {
        LoadState *load = &setup->loads[i];
        if (fit(setup, i, load->rows, load->matrix->rows, error) != STATUS_OK ||
            fit(setup, i, load->cols, load->matrix->cols, error) != STATUS_OK)
            return STATUS_ERROR;
        load->done = false;
    }
    return STATUS_OK;
}

/* --- replacing values -------------------------------------------------------- */

/* The loaded matrix in place of old: a dimension keeps its name where the size is the
 * same, since then it is still true. */
static Value *make_loaded(const LoadState *load, const Value *old, const Stmt *stmt, bool origins)
{
    Value *value = value_new(matrix_ref(load->matrix));
    if (old->rows.n == value->rows.n)
        value_name_rows(value, old->rows.name);
    if (old->cols.n == value->cols.n)
        value_name_cols(value, old->cols.name);
    if (origins) {
        value_set_origin(value, op_get(OP_LOAD), stmt->value, NULL, NULL, 0);
        value->origin->note = memory_copy_text(load->load->file);
    }
    return value;
}

static Status replace_loaded(Setup *setup, const Stmt *stmt, const char *name, bool origins,
                             Value **value, Error *error)
{
    size_t i = setup_find_load(setup, name);
    if (i == setup->settings->load_count)
        return STATUS_OK;
    LoadState *load = &setup->loads[i];
    if ((*value)->kind != VALUE_MATRIX)
        return error_at(error, stmt->source, stmt->name_span,
                        "%s is loaded from %s, but it is no matrix here", name, load->load->file);
    Value *loaded = make_loaded(load, *value, stmt, origins);
    value_unref(*value);
    *value = loaded;
    load->done = true;
    return STATUS_OK;
}

static Status apply_edit(const Edit *edit, Matrix *m, Error *error)
{
    if (edit->row > m->rows || edit->col > m->cols)
        return error_set(error, "%s(%zu,%zu): out of bound (dimensions are %zux%zu)", edit->name,
                         edit->row, edit->col, m->rows, m->cols);
    matrix_fill(m)[(edit->row - 1) * m->cols + edit->col - 1] = edit->value;
    return STATUS_OK;
}

static Value *make_edited(Value *old, Matrix *m, bool origins)
{
    Value *value = value_new(m);
    value->logical = old->logical;
    for (size_t i = 0; i < matrix_count(m); i++)
        if (m->cells[i] != 0 && m->cells[i] != 1)
            value->logical = false;
    value_name_rows(value, old->rows.name);
    value_name_cols(value, old->cols.name);
    if (origins) {
        const Expr *at = old->origin ? old->origin->at : NULL;
        value_set_origin(value, op_get(OP_EDIT), at, NULL, &old, 1);
    }
    return value;
}

static Status replace_edited(Setup *setup, const char *name, bool origins, Value **value,
                             Error *error)
{
    Matrix *m = NULL;
    Status status = STATUS_OK;
    for (size_t i = 0; i < setup->settings->edit_count && status == STATUS_OK; i++) {
        const Edit *edit = &setup->settings->edits[i];
        if (setup->edited[i] || !text_equal(edit->name, name))
            continue;
        if (!trace_is_input(*value))
            return error_set(error, "%s is computed, not an input: only inputs can be edited",
                             name);
        const Matrix *old = value_matrix(*value);
        if (!m)
            m = matrix_from(old->rows, old->cols, old->cells);
        status = apply_edit(edit, m, error);
        setup->edited[i] = true;
    }
    if (m && status == STATUS_OK) {
        Value *edited = make_edited(*value, m, origins);
        value_unref(*value);
        *value = edited;
    } else {
        matrix_unref(m);
    }
    return status;
}

Status setup_replace(Setup *setup, const Stmt *stmt, const char *name, bool origins, Value **value,
                     Error *error)
{
    if (replace_loaded(setup, stmt, name, origins, value, error) != STATUS_OK)
        return STATUS_ERROR;
    return replace_edited(setup, name, origins, value, error);
}

Status setup_check_learned(const Setup *setup, Error *error)
{
    for (size_t i = 0; i < setup->settings->load_count; i++)
        if (!setup->loads[i].done)
            return error_set(error, "%s=@%s: the lesson binds nothing to %s",
                             setup->loads[i].load->name, setup->loads[i].load->file,
                             setup->loads[i].load->name);
    return STATUS_OK;
}

Status setup_check_done(const Setup *setup, Error *error)
{
    if (setup_check_learned(setup, error) != STATUS_OK)
        return STATUS_ERROR;
    for (size_t i = 0; i < setup->settings->edit_count; i++)
        if (!setup->edited[i])
            return error_set(error, "%s(%zu,%zu): the lesson binds nothing to %s",
                             setup->settings->edits[i].name, setup->settings->edits[i].row,
                             setup->settings->edits[i].col, setup->settings->edits[i].name);
    return STATUS_OK;
}

uint64_t setup_seed(const Setup *setup)
{
    size_t index;
    const Param *param = lesson_find_param(setup->lesson, "seed", &index);
    if (!param || param->kind == PARAM_CHOICE)
        return 1;
    return (uint64_t)(int64_t)fmin(fmax(setup->params[index].number, -9e18), 9e18);
}

Status setup_load_data(const Lesson *lesson, const char *path, size_t limit, Matrix **out,
                       Error *error)
{
    char *folder = build_folder(lesson->path);
    Str real = {0};
    Status status = find_data(folder, path, &real, error);
    if (status == STATUS_OK)
        status = npy_or_csv_read_real(str_text(&real), limit, out, error);
    str_clear(&real);
    free(folder);
    return status;
}
