/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup: what the settings of a run do to a lesson: parameters, loaded matrices and
 * edited cells. */
#ifndef LESSON_SETUP_H
#define LESSON_SETUP_H

#include "base/error.h"
#include "core/matrix.h"
#include "lang/value.h"
#include "lesson/lesson.h"
#include "lesson/param.h"
#include "lesson/place.h"

/* One --load: the matrix, and what is known of the value it replaces. */
typedef struct {
    const Load *load; /* borrowed from the settings */
    Matrix *matrix;
    bool done;         /* its statement was executed */
    char *rows, *cols; /* the parameters that name its dimensions, or NULL */
} LoadState;

typedef struct {
    const Lesson *lesson;
    const Settings *settings;
    ParamValue *params; /* one for each of the lesson's */
    bool *given;        /* … and whether the settings name it */
    LoadState *loads;
    bool *edited; /* for each edit of the settings: done */
} Setup;

/* Reads the settings' values and files. Fails for a parameter that is unknown or out
 * of range and for a file that cannot be read. The setup borrows both arguments and is
 * to be cleared also after an error. */
Status setup_begin(const Lesson *lesson, const Settings *settings, Setup *out, Error *error);
void setup_clear(Setup *setup);

/* Notes the names of the dimensions of the value that load i will replace. */
void setup_learn(Setup *setup, size_t i, const Value *value);

/* True once setup_learn saw a value for every load. */
bool setup_knows_all(const Setup *setup);

/* Sets the parameters that name dimensions of loaded matrices to the files' sizes, and
 * makes the loads not done again.  Fails where a setting or another load says otherwise. */
Status setup_fit_params(Setup *setup, Error *error);

/* The index of the load of name that is not done yet, or settings->load_count. */
size_t setup_find_load(const Setup *setup, const char *name);

/* Replaces *value, bound to name by stmt, by the loaded matrix (if there is one for name
 * that is not done) and then by one with the edited cells (likewise); takes over its
 * reference. Values get origins if origins. */
Status setup_replace(Setup *setup, const Stmt *stmt, const char *name, bool origins, Value **value,
                     Error *error);

/* Fails if setup_learn saw no value for a load: no statement binds its name. */
Status setup_check_learned(const Setup *setup, Error *error);

/* Fails if a load or an edit was never reached: no statement binds its name. */
Status setup_check_done(const Setup *setup, Error *error);

/* Reads what load_csv('path') of lesson means (find_data), of at most limit entries. */
Status setup_load_data(const Lesson *lesson, const char *path, size_t limit, Matrix **out,
                       Error *error);

/* The number random calls are seeded with: the parameter seed, or 1. */
uint64_t setup_seed(const Setup *setup);

#endif
