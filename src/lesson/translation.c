/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/translation.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/file.h"
#include "lesson/build.h"
#include "lesson/find.h"
#include "lesson/load.h"
#include "lesson/markdown.h"
#include "lesson/scan.h"

/* --- reading ----------------------------------------------------------------- */

typedef struct {
    Lesson *words;
    Block *block;
    size_t room;
    bool named; /* the name of the prediction was read */
} Reader;

static Status read_check_line(void *context, Span line, Error *error)
{
    Reader *r = context;
    Block *block = r->block;
    MEMORY_GROW(block->checks, block->check_count, r->room);
    Check *check = &block->checks[block->check_count++];
    *check = (Check){.span = line};
    return markdown_read_line(r->words, line, &check->sentence, error);
}

static Status read_predict_line(void *context, Span line, Error *error)
{
    Reader *r = context;
    Prediction *prediction = &r->block->prediction;
    if (!r->named) {
        r->named = true;
        return markdown_read_line(r->words, line, &prediction->name, error);
    }
    MEMORY_GROW(prediction->traps, prediction->trap_count, r->room);
    Trap *trap = &prediction->traps[prediction->trap_count++];
    *trap = (Trap){.span = line};
    return markdown_read_line(r->words, line, &trap->diagnosis, error);
}

static Status read_fence(Lesson *words, const Piece *piece, Error *error)
{
    static const struct {
        const char *name;
        BlockKind kind;
    } fences[] = {{"check", BLOCK_CHECK}, {"predict", BLOCK_PREDICT}, {"notes", BLOCK_NOTES}};
    Span line = source_line(words->source, piece->span.start);
    if (words->step_count == 0)
        return error_at(error, words->source, line,
                        "nothing but the front matter stands before the first step");
    char *info = build_copy(words->source, piece->info);
    size_t i = 0;
    while (i < 3 && !text_equal(info, fences[i].name))
        i++;
    free(info);
    if (i == 3)
        return error_at(error, words->source, line,
                        "a translation holds the sentences of check, predict and notes; all else "
                        "comes from the original");
    Block *block = build_add_block(&words->steps[words->step_count - 1], fences[i].kind);
    block->span = piece->span;
    block->inner = piece->inner;
    Reader r = {.words = words, .block = block};
    if (block->kind == BLOCK_NOTES)
        return markdown_read_prose(words, piece->inner, &block->prose, error);
    return build_each_line(words->source, piece->inner,
                           block->kind == BLOCK_CHECK ? read_check_line : read_predict_line, &r,
                           error);
}

static Status read_pieces(Lesson *words, Error *error)
{
    Scanner scanner = {.source = words->source};
    if (lesson_read_front(words, &scanner, error) != STATUS_OK)
        return STATUS_ERROR;
    for (;;) {
        Piece piece;
        if (scan_next(&scanner, &piece, error) != STATUS_OK)
            return STATUS_ERROR;
        if (piece.kind == PIECE_END)
            return STATUS_OK;
        Status status = piece.kind == PIECE_HEADING ? lesson_read_heading(words, &piece, error)
                        : piece.kind == PIECE_FENCE ? read_fence(words, &piece, error)
                                                    : lesson_read_text(words, &piece, error);
        if (status != STATUS_OK)
            return STATUS_ERROR;
    }
}

/* --- fitting ----------------------------------------------------------------- */

/* What of a step is translated piece by piece, in order. */
typedef enum {
    UNIT_PARAGRAPH,
    UNIT_FORMULA,
    UNIT_ANSWER,
    UNIT_SENTENCE,
    UNIT_GUESS, /* the name of a prediction, the diagnosis of a trap */
    UNIT_NOTES,
    UNIT_COUNT
} Unit;

static const char *const unit_names[UNIT_COUNT] = {
    "paragraphs", "formulas", "choices", "sentences of checks", "texts of predictions", "notes",
};

static void count_units(const Step *step, size_t counts[UNIT_COUNT])
{
    memset(counts, 0, UNIT_COUNT * sizeof *counts);
    for (size_t i = 0; i < step->count; i++) {
        const Block *block = &step->blocks[i];
        counts[UNIT_PARAGRAPH] += block->kind == BLOCK_PROSE ? block->prose.count : 0;
        counts[UNIT_FORMULA] += block->kind == BLOCK_MATH;
        counts[UNIT_ANSWER] += block->question.count;
        counts[UNIT_SENTENCE] += block->check_count;
        if (block->kind == BLOCK_PREDICT)
            counts[UNIT_GUESS] += 1 + block->prediction.trap_count;
        counts[UNIT_NOTES] += block->kind == BLOCK_NOTES;
    }
}

/* The next block of kind at or behind *at, or NULL; *at is left on it. */
static Block *next_block(Step *step, BlockKind kind, size_t *at)
{
    while (*at < step->count && step->blocks[*at].kind != kind)
        ++*at;
    return *at < step->count ? &step->blocks[*at] : NULL;
}

/* Exchanges the records at a and b. */
static void swap(void *a, void *b, size_t size)
{
    char *x = a, *y = b;
    for (size_t i = 0; i < size; i++) {
        char c = x[i];
        x[i] = y[i];
        y[i] = c;
    }
}

static size_t item_count(const Block *block)
{
    switch (block->kind) {
    case BLOCK_PROSE:
        return block->prose.count;
    case BLOCK_QUESTION:
        return block->question.count;
    case BLOCK_CHECK:
        return block->check_count;
    case BLOCK_PREDICT:
        return 1 + block->prediction.trap_count;
    default:
        return 1;
    }
}

static void swap_item(Block *a, size_t i, Block *b, size_t j)
{
    Prediction *p = &a->prediction, *q = &b->prediction;
    switch (a->kind) {
    case BLOCK_PROSE:
        swap(&a->prose.items[i].runs, &b->prose.items[j].runs, sizeof(Runs));
        break;
    case BLOCK_QUESTION:
        swap(&a->question.answers[i].text, &b->question.answers[j].text, sizeof(Runs));
        swap(&a->question.answers[i].feedback, &b->question.answers[j].feedback, sizeof(Runs));
        break;
    case BLOCK_CHECK:
        swap(&a->checks[i].sentence, &b->checks[j].sentence, sizeof(Runs));
        break;
    case BLOCK_PREDICT:
        swap(i ? &p->traps[i - 1].diagnosis : &p->name, j ? &q->traps[j - 1].diagnosis : &q->name,
             sizeof(Runs));
        break;
    case BLOCK_MATH:
        swap(&a->tex, &b->tex, sizeof a->tex);
        break;
    default:
        swap(&a->prose, &b->prose, sizeof(Prose));
        break;
    }
}

/* Gives the items of kind in step the words of those in words; their numbers agree. */
static void swap_kind(Step *step, Step *words, BlockKind kind)
{
    size_t at = 0, from = 0, item = 0;
    for (Block *block; (block = next_block(step, kind, &at)); at++)
        for (size_t i = 0; i < item_count(block); i++) {
            Block *source = next_block(words, kind, &from);
            while (source && item == item_count(source)) {
                item = 0;
                from++;
                source = next_block(words, kind, &from);
            }
            if (!source)
                return;
            swap_item(block, i, source, item++);
        }
}

/* --- reporting --------------------------------------------------------------- */

typedef struct {
    Lesson *lesson, *words;
    const TranslationReport *report;
} Merge;

static void tell(const Merge *m, const Source *source, Span span, const char *text)
{
    Error error = {0};
    error_at(&error, source, span, "%s", text);
    if (m->report && m->report->differs)
        m->report->differs(m->report->context, &error);
    error_clear(&error);
}

/* True if step and words say as much; otherwise says what differs. */
static bool fits(const Merge *m, const Step *step, const Step *words)
{
    size_t here[UNIT_COUNT], there[UNIT_COUNT];
    bool same = true;
    count_units(step, here);
    count_units(words, there);
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (here[i] == there[i])
            continue;
        Str text = {0};
        str_addf(&text, "step %s: the original has %zu %s, the translation %zu", step->id, here[i],
                 unit_names[i], there[i]);
        tell(m, m->words->source, words->span, str_text(&text));
        str_clear(&text);
        same = false;
    }
    return same;
}

/* The marks of the choices must be those of the original. */
static bool same_marks(const Merge *m, Step *step, Step *words)
{
    size_t at = 0, from = 0;
    for (Block *a; (a = next_block(step, BLOCK_QUESTION, &at)); at++, from++) {
        Block *b = next_block(words, BLOCK_QUESTION, &from);
        bool same = b && a->question.count == b->question.count;
        for (size_t i = 0; same && i < a->question.count; i++)
            same = a->question.answers[i].right == b->question.answers[i].right;
        if (!same) {
            tell(m, m->words->source, b ? b->span : words->span,
                 "the choices are not marked as in the original");
            return false;
        }
    }
    return true;
}

static void merge_step(const Merge *m, Step *step, Step *words)
{
    static const BlockKind kinds[] = {BLOCK_PROSE, BLOCK_MATH,    BLOCK_QUESTION,
                                      BLOCK_CHECK, BLOCK_PREDICT, BLOCK_NOTES};
    swap(&step->title, &words->title, sizeof step->title);
    swap(&step->heading, &words->heading, sizeof step->heading);
    if (!fits(m, step, words) || !same_marks(m, step, words))
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        swap_kind(step, words, kinds[i]);
}

static void merge(const Merge *m)
{
    Lesson *lesson = m->lesson, *words = m->words;
    swap(&lesson->title, &words->title, sizeof lesson->title);
    swap(&lesson->about, &words->about, sizeof lesson->about);
    for (size_t i = 0; i < lesson->step_count; i++) {
        size_t index;
        if (lesson_find_step(words, lesson->steps[i].id, &index))
            merge_step(m, &lesson->steps[i], &words->steps[index]);
        else
            tell(m, lesson->source, lesson->steps[i].span, "this step is not translated");
    }
    for (size_t i = 0; i < words->step_count; i++)
        if (!lesson_find_step(lesson, words->steps[i].id, NULL))
            tell(m, words->source, words->steps[i].span, "the original has no step of this id");
}

/* --- entries ----------------------------------------------------------------- */

Status translation_apply(Lesson *lesson, const char *path, const char *text, size_t length,
                         const TranslationReport *report, Error *error)
{
    Lesson *words = NULL;
    if (lesson_begin(path, text, length, &words, error) != STATUS_OK)
        return STATUS_ERROR;
    if (read_pieces(words, error) != STATUS_OK) {
        lesson_free(words);
        return STATUS_ERROR;
    }
    Merge m = {lesson, words, report};
    merge(&m);
    words->words = lesson->words; /* kept: inline values point into its source */
    lesson->words = words;
    return STATUS_OK;
}

void translation_path(Str *out, const char *lesson_path, const char *lang)
{
    size_t length = strlen(lesson_path);
    bool has_end = length > 3 && text_equal(lesson_path + length - 3, ".md");
    str_add_bytes(out, lesson_path, has_end ? length - 3 : length);
    str_addf(out, ".%s.md", lang);
}

Status translation_load(Lesson *lesson, const char *lang, const TranslationReport *report,
                        Error *error)
{
    Str path = {0}, real = {0}, bytes = {0};
    char *folder = build_folder(lesson->path);
    translation_path(&path, lesson->path, lang);
    const char *slash = strrchr(str_text(&path), '/');
    Status status = find_data(folder, slash ? slash + 1 : str_text(&path), &real, error);
    if (status == STATUS_OK)
        status = file_read_real(str_text(&real), LESSON_MAX_BYTES, &bytes, error);
    if (status == STATUS_OK)
        status = translation_apply(lesson, str_text(&path), str_text(&bytes), bytes.length, report,
                                   error);
    str_clear(&bytes);
    str_clear(&real);
    str_clear(&path);
    free(folder);
    return status;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

Status translation_list(const char *lesson_path, IdList *list, Error *error)
{
    char *folder = build_folder(lesson_path);
    const char *slash = strrchr(lesson_path, '/');
    const char *name = slash ? slash + 1 : lesson_path;
    size_t stem = strlen(name) > 3 ? strlen(name) - 3 : 0;
    DIR *dir = opendir(folder);
    Status status = STATUS_OK;
    if (!dir)
        status = error_set(error, "%s: %s", folder, strerror(errno));
    errno = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir)); errno = 0) {
        const char *file = entry->d_name;
        size_t length = strlen(file);
        /* name "." lang ".md" */
        if (length < stem + 5 || strncmp(file, name, stem) != 0 || file[stem] != '.' ||
            !text_equal(file + length - 3, ".md") ||
            !lesson_is_id(file + stem + 1, length - stem - 4))
            continue;
        MEMORY_GROW(list->items, list->count, list->room);
        list->items[list->count++] = memory_copy_slice(file + stem + 1, length - stem - 4);
    }
    if (dir && errno)
        status = error_set(error, "%s: %s", folder, strerror(errno));
    if (dir)
        closedir(dir);
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, compare_texts);
    free(folder);
    return status;
}
