/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson: what a lesson file says, as plain data.
 *
 * A Lesson is a title, parameters, labels and steps; a step is a list of blocks in
 * the order of the file.  lesson_load or lesson_parse make one, everything else
 * only reads it.  The Lesson owns all it holds, the Source and every Code included;
 * Traces and Values made from it point into it, so it is freed after them.
 *
 * Texts are UTF-8 (invalid bytes were replaced on loading) but may hold control
 * characters: text_add_visible stands between them and a terminal. */
#ifndef LESSON_LESSON_H
#define LESSON_LESSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/source.h"
#include "lang/expr.h"
#include "lesson/prose.h"

/* The most bytes a lesson file may have. */
enum { LESSON_MAX_BYTES = 1000000 };

/* Steps, parameters, choices of one parameter, and sets of labels a lesson may have. */
enum { LESSON_MAX_STEPS = 2000, LESSON_MAX_PARAMS = 256, LESSON_MAX_CHOICES = 256,
       LESSON_MAX_LABELS = 256 };

typedef enum { PARAM_INTEGER, PARAM_REAL, PARAM_CHOICE } ParamKind;

/* One of the choices of a parameter: a number, or the name of a function. */
typedef struct {
    char *text;
    bool is_function;
    double number; /* unless is_function */
} Choice;

typedef struct {
    char *name;
    ParamKind kind;
    double number;          /* the default of a number */
    size_t choice;          /* the default of a PARAM_CHOICE: index of choices */
    bool has_low, has_high; /* false: that end of the range is open */
    double low, high;
    double step; /* what one key press changes: 1, or a round part of the range */
    Choice *choices;
    size_t choice_count;
    char *help;
    Span span; /* the name */
} Param;

/* tokens = Alice, Bob: what rows or columns are called in views. */
typedef struct {
    char *name;
    char **texts;
    size_t count;
    Span span;
} Labels;

typedef enum {
    VIEW_HEAT,
    VIEW_PRODUCT, /* args[0] is L * R; args[1], if there, the name of the result */
    VIEW_UPDATE,  /* args[0] is the matrix that is written, args[1] is X + Y or X - Y */
    VIEW_BARS,
    VIEW_DIFF, /* two arguments */
    VIEW_PLOT, /* at least two: x first */
    VIEW_TABLE,
    VIEW_COST,
    VIEW_FOCUS,
    VIEW_BENCH /* no arguments: what the machine is measured to do, no part of a trace */
} ViewKind;

typedef enum { SCALE_DEFAULT, SCALE_01, SCALE_SIGNED, SCALE_AUTO } Scale;

typedef struct {
    ViewKind kind;
    Code **args;
    size_t count;
    const Labels *rows, *cols; /* rows=… cols=…, or NULL */
    Scale scale;
    bool log_x, log_y;
    Span span; /* the whole line */
} View;

/* condition [when guard] : sentence */
typedef struct {
    Code *condition;
    Code *guard; /* or NULL */
    Runs sentence;
    Span span; /* the condition */
} Check;

typedef struct {
    bool right;
    Runs text;
    Runs feedback;
    Span span;
} Answer;

/* A task list: what stands before it asks. */
typedef struct {
    Answer *answers;
    size_t count;
} Question;

typedef struct {
    Code *code;
    Runs diagnosis;
    Span span;
} Trap;

typedef struct {
    Code *code;
    double tolerance; /* absolute */
    Runs name;
    Trap *traps;
    size_t trap_count;
    Span span;
} Prediction;

typedef enum {
    BLOCK_PROSE,
    BLOCK_MATH,
    BLOCK_CODE,
    BLOCK_VIEW,
    BLOCK_CHECK,
    BLOCK_QUESTION,
    BLOCK_PREDICT,
    BLOCK_NOTES
} BlockKind;

typedef struct {
    BlockKind kind;
    Span span;   /* fences and $$ included */
    Span inner;  /* what stands between them; BLOCK_PROSE: the same as span */
    Prose prose; /* BLOCK_PROSE, BLOCK_NOTES */
    char *tex;   /* BLOCK_MATH */
    Code *code;  /* BLOCK_CODE */
    bool fold;   /* BLOCK_CODE */
    View *views; /* BLOCK_VIEW */
    size_t view_count;
    Check *checks; /* BLOCK_CHECK */
    size_t check_count;
    Question question;     /* BLOCK_QUESTION */
    Prediction prediction; /* BLOCK_PREDICT */
} Block;

typedef struct {
    char *id;
    char *title;  /* as written */
    Runs heading; /* the same, with its formulas */
    Span span;
    Block *blocks;
    size_t count, room;
} Step;

/* Something worth saying that is no error: `requires` names no lesson. */
typedef struct {
    char *text;
    Span span;
} Remark;

typedef struct Lesson {
    char *id;   /* file name without .md */
    char *path; /* as given or found */
    Source *source;
    char *title, *about;                      /* never NULL */
    char *author, *lang, *requires, *sources; /* or NULL */
    Span requires_span;
    Param *params;
    size_t param_count, param_room;
    Labels **labels; /* each on its own: views point at them */
    size_t label_count, label_room;
    Step *steps;
    size_t step_count, step_room;
    Remark *remarks;
    size_t remark_count, remark_room;
    struct Lesson *words; /* the translation whose texts stand in it (translation.h), or NULL */
} Lesson;

/* Parses text (of at most LESSON_MAX_BYTES) that goes by name.  A byte-order mark
 * at the start is dropped, invalid UTF-8 becomes U+FFFD.  Stops at the first error,
 * with its place.  Files of labels are looked for beside path. */
Status lesson_parse(const char *path, const char *text, size_t length, Lesson **out, Error *error);

/* Reads and parses a lesson: an id (looked for by find.h) or a path, which holds a
 * slash or ends in .md.  Adds a remark for a required lesson that is not there. */
Status lesson_load(const char *id_or_path, Lesson **out, Error *error);

void lesson_free(Lesson *lesson);

/* The step of that id / the parameter of that name, or NULL; *index (if not NULL)
 * counts from 0. */
const Step *lesson_find_step(const Lesson *lesson, const char *id, size_t *index);
const Param *lesson_find_param(const Lesson *lesson, const char *name, size_t *index);
const Labels *lesson_find_labels(const Lesson *lesson, const char *name);

/* True if text is [a-z][a-z0-9-]*: what ids of lessons and steps look like. */
bool lesson_is_id(const char *text, size_t length);

#endif
