/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/file.h"
#include "lang/parse.h"
#include "lesson/build.h"
#include "lesson/check.h"
#include "lesson/find.h"
#include "lesson/labels.h"
#include "lesson/markdown.h"
#include "lesson/param.h"
#include "lesson/scan.h"
#include "lesson/view.h"

/* --- front matter ------------------------------------------------------------ */

/* One row a key; `title` and `about` must be there. */
static char **find_key(Lesson *lesson, const char *key)
{
    const struct {
        const char *name;
        char **value;
    } keys[] = {
        {"title", &lesson->title}, {"about", &lesson->about},       {"author", &lesson->author},
        {"lang", &lesson->lang},   {"requires", &lesson->requires}, {"sources", &lesson->sources},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (text_equal(keys[i].name, key))
            return keys[i].value;
    return NULL;
}

static Status read_front_line(void *context, Span key, Span value, Error *error)
{
    Lesson *lesson = context;
    char *name = build_copy(lesson->source, key);
    char **slot = find_key(lesson, name);
    free(name);
    if (!slot)
        return error_at(error, lesson->source, key,
                        "unknown key: there are title, about, author, lang, requires, sources");
    if (*slot)
        return error_at(error, lesson->source, key, "this key stands here twice");
    if (value.start == value.end)
        return error_at(error, lesson->source, key, "this key has no value");
    *slot = build_copy(lesson->source, value);
    if (slot == &lesson->requires)
        lesson->requires_span = value;
    return STATUS_OK;
}

Status lesson_read_front(Lesson *lesson, Scanner *scanner, Error *error)
{
    Span first = source_line(lesson->source, 0);
    if (scan_front_matter(scanner, read_front_line, lesson, error) != STATUS_OK)
        return STATUS_ERROR;
    if (scan_is_blank(scanner))
        return error_at(error, lesson->source, first,
                        "the file has no steps: a step begins with '## Title {#id}'");
    if (!lesson->title || !lesson->about)
        return error_at(error, lesson->source, first, "the front matter has no '%s:'",
                        lesson->title ? "about" : "title");
    return STATUS_OK;
}

/* --- blocks ------------------------------------------------------------------ */

typedef enum {
    FENCE_PARAMS,
    FENCE_LABELS,
    FENCE_OCTAVE,
    FENCE_FOLD,
    FENCE_VIEW,
    FENCE_CHECK,
    FENCE_PREDICT,
    FENCE_NOTES,
    FENCE_COUNT
} Fence;

static const char *const fence_names[FENCE_COUNT] = {
    "params", "labels", "octave", "octave fold", "view", "check", "predict", "notes",
};

static Status find_fence(const Lesson *lesson, const Piece *piece, Fence *out, Error *error)
{
    const char *info = lesson->source->text + piece->info.start;
    size_t length = piece->info.end - piece->info.start;
    for (int i = 0; i < FENCE_COUNT; i++) {
        if (strlen(fence_names[i]) == length && memcmp(fence_names[i], info, length) == 0) {
            *out = (Fence)i;
            return STATUS_OK;
        }
    }
    return error_at(error, lesson->source,
                    length ? piece->info : source_line(lesson->source, piece->span.start),
                    "unknown fence: there are params, labels, octave, octave fold, view, check, "
                    "predict, notes");
}

static Status read_fence_block(Lesson *lesson, Step *step, const Piece *piece, Fence fence,
                               Error *error)
{
    static const BlockKind kinds[FENCE_COUNT] = {
        [FENCE_OCTAVE] = BLOCK_CODE, [FENCE_FOLD] = BLOCK_CODE,       [FENCE_VIEW] = BLOCK_VIEW,
        [FENCE_CHECK] = BLOCK_CHECK, [FENCE_PREDICT] = BLOCK_PREDICT, [FENCE_NOTES] = BLOCK_NOTES,
    };
    Block *block = build_add_block(step, kinds[fence]);
    block->span = piece->span;
    block->inner = piece->inner;
    block->fold = fence == FENCE_FOLD;
    switch (block->kind) {
    case BLOCK_CODE:
        return code_parse(lesson->source, piece->inner, &block->code, error);
    case BLOCK_VIEW:
        return view_read_block(lesson, piece->inner, block, error);
    case BLOCK_CHECK:
        return check_read_block(lesson, piece->inner, block, error);
    case BLOCK_PREDICT:
        return check_read_prediction(lesson, piece->inner, block, error);
    default:
        return markdown_read_prose(lesson, piece->inner, &block->prose, error);
    }
}

static Status read_fence(Lesson *lesson, Step *step, const Piece *piece, Error *error)
{
    Fence fence = FENCE_OCTAVE;
    if (find_fence(lesson, piece, &fence, error) != STATUS_OK)
        return STATUS_ERROR;
    if (fence == FENCE_PARAMS || fence == FENCE_LABELS) {
        if (step)
            return error_at(error, lesson->source, source_line(lesson->source, piece->span.start),
                            "%s stand before the first step", fence_names[fence]);
        return fence == FENCE_PARAMS ? param_read_block(lesson, piece->inner, error)
                                     : labels_read_block(lesson, piece->inner, error);
    }
    if (!step)
        return error_at(error, lesson->source, source_line(lesson->source, piece->span.start),
                        "only params and labels stand before the first '## Title {#id}'");
    return read_fence_block(lesson, step, piece, fence, error);
}

Status lesson_read_heading(Lesson *lesson, const Piece *piece, Error *error)
{
    if (lesson->step_count == LESSON_MAX_STEPS)
        return error_at(error, lesson->source, piece->info, "more than %d steps (limit)",
                        LESSON_MAX_STEPS);
    char *id = build_copy(lesson->source, piece->info);
    if (lesson_find_step(lesson, id, NULL)) {
        error_at(error, lesson->source, piece->info, "the id %s names two steps", id);
        free(id);
        return STATUS_ERROR;
    }
    MEMORY_GROW(lesson->steps, lesson->step_count, lesson->step_room);
    Step *step = &lesson->steps[lesson->step_count++];
    *step =
        (Step){.id = id, .title = build_copy(lesson->source, piece->inner), .span = piece->span};
    return markdown_read_line(lesson, piece->inner, &step->heading, error);
}

/* The text of a formula, without blanks and line ends around it. */
static char *copy_tex(const Source *source, Span span)
{
    while (span.start < span.end && strchr(" \t\n", source->text[span.start]))
        span.start++;
    while (span.end > span.start && strchr(" \t\n", source->text[span.end - 1]))
        span.end--;
    return build_copy(source, span);
}

static bool is_blank(const Source *source, Span span)
{
    size_t at = span.start;
    while (at < span.end && strchr(" \t\n", source->text[at]))
        at++;
    return at == span.end;
}

Status lesson_read_text(Lesson *lesson, const Piece *piece, Error *error)
{
    Step *step = lesson->step_count ? &lesson->steps[lesson->step_count - 1] : NULL;
    if (piece->kind == PIECE_TEXT && is_blank(lesson->source, piece->span))
        return STATUS_OK;
    if (!step) {
        size_t at = piece->span.start;
        while (strchr(" \t\n", lesson->source->text[at]))
            at++;
        return error_at(error, lesson->source, source_line(lesson->source, at),
                        "text before the first step: a step begins with '## Title {#id}'");
    }
    if (piece->kind == PIECE_TEXT)
        return markdown_add_blocks(lesson, step, piece->span, error);
    Block *block = build_add_block(step, BLOCK_MATH);
    block->span = piece->span;
    block->inner = piece->inner;
    block->tex = copy_tex(lesson->source, piece->inner);
    if (!*block->tex)
        return error_at(error, lesson->source, piece->span, "a formula without anything in it");
    return STATUS_OK;
}

static Status read_piece(Lesson *lesson, const Piece *piece, Error *error)
{
    Step *step = lesson->step_count ? &lesson->steps[lesson->step_count - 1] : NULL;
    if (piece->kind == PIECE_HEADING)
        return lesson_read_heading(lesson, piece, error);
    if (piece->kind == PIECE_FENCE)
        return read_fence(lesson, step, piece, error);
    return lesson_read_text(lesson, piece, error);
}

static Status read_pieces(Lesson *lesson, Scanner *scanner, Error *error)
{
    for (;;) {
        Piece piece;
        if (scan_next(scanner, &piece, error) != STATUS_OK)
            return STATUS_ERROR;
        if (piece.kind == PIECE_END)
            break;
        if (read_piece(lesson, &piece, error) != STATUS_OK)
            return STATUS_ERROR;
    }
    if (lesson->step_count == 0)
        return error_at(error, lesson->source, source_line(lesson->source, 0),
                        "the file has no steps: a step begins with '## Title {#id}'");
    return STATUS_OK;
}

/* --- entries ----------------------------------------------------------------- */

/* The bytes without a byte-order mark, with LF ends, as valid UTF-8. */
static Source *make_source(const char *path, const char *text, size_t length)
{
    static const char mark[] = "\xEF\xBB\xBF";
    Str lines = {0};
    size_t at = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    str_add(&lines, "");
    while (at < length) {
        const char *cr = memchr(text + at, '\r', length - at);
        size_t stop = cr ? (size_t)(cr - text) : length;
        build_add_valid(&lines, text + at, stop - at);
        if (cr) {
            str_add_char(&lines, '\n');
            stop += stop + 1 < length && text[stop + 1] == '\n' ? 2 : 1;
        }
        at = stop;
    }
    Source *source = source_new(path, str_text(&lines), lines.length);
    str_clear(&lines);
    return source;
}

static char *make_id(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > 3 && text_equal(name + length - 3, ".md"))
        length -= 3;
    return memory_copy_slice(name, length);
}

Status lesson_begin(const char *path, const char *text, size_t length, Lesson **out, Error *error)
{
    if (length > LESSON_MAX_BYTES)
        return error_in_file(error, path, 0, 0, "larger than %d bytes, the limit of a lesson",
                             LESSON_MAX_BYTES);
    Lesson *lesson = memory_zeros(1, sizeof *lesson);
    lesson->path = memory_copy_text(path);
    lesson->id = make_id(path);
    lesson->source = make_source(path, text, length);
    *out = lesson;
    return STATUS_OK;
}

Status lesson_parse(const char *path, const char *text, size_t length, Lesson **out, Error *error)
{
    Lesson *lesson = NULL;
    if (lesson_begin(path, text, length, &lesson, error) != STATUS_OK)
        return STATUS_ERROR;
    Scanner scanner = {.source = lesson->source};
    Status status = lesson_read_front(lesson, &scanner, error);
    if (status == STATUS_OK)
        status = read_pieces(lesson, &scanner, error);
    if (status != STATUS_OK) {
        lesson_free(lesson);
        return status;
    }
    *out = lesson;
    return STATUS_OK;
}

/* A remark for every id of `requires: a, b` that no lesson has; the first ones will do. */
static void check_requires(Lesson *lesson)
{
    enum { MOST_REMARKS = 20 };
    Span rest = lesson->requires_span;
    while (rest.start < rest.end && lesson->remark_count < MOST_REMARKS) {
        const char *text = lesson->source->text + rest.start;
        const char *comma = memchr(text, ',', rest.end - rest.start);
        size_t end = comma ? rest.start + (size_t)(comma - text) : rest.end;
        Span one = build_trim(lesson->source, (Span){rest.start, end});
        char *id = build_copy(lesson->source, one);
        char *path = NULL;
        Error error = {0};
        if (find_lesson(id, &path, &error) != STATUS_OK)
            error_clear(&error); /* not known is not absent */
        else if (!path)
            build_add_remark(lesson, one, "requires '%s', which is no lesson here", id);
        free(path);
        free(id);
        rest.start = comma ? end + 1 : rest.end;
    }
}

static bool is_path(const char *text)
{
    size_t length = strlen(text);
    return strchr(text, '/') || (length > 3 && text_equal(text + length - 3, ".md"));
}

Status lesson_load(const char *id_or_path, Lesson **out, Error *error)
{
    char *path = NULL;
    if (is_path(id_or_path))
        path = memory_copy_text(id_or_path);
    else if (find_lesson(id_or_path, &path, error) != STATUS_OK)
        return STATUS_ERROR;
    if (!path)
        return error_set(error, "there is no lesson '%s'", id_or_path);
    Str bytes = {0};
    Status status = file_read(path, LESSON_MAX_BYTES, false, &bytes, error);
    if (status == STATUS_OK)
        status = lesson_parse(path, str_text(&bytes), bytes.length, out, error);
    if (status == STATUS_OK)
        check_requires(*out);
    str_clear(&bytes);
    free(path);
    return status;
}

static void clear_step(Step *step)
{
    for (size_t i = 0; i < step->count; i++)
        build_clear_block(&step->blocks[i]);
    free(step->blocks);
    free(step->id);
    free(step->title);
    runs_clear(&step->heading);
}

void lesson_free(Lesson *lesson)
{
    if (!lesson)
        return;
    for (size_t i = 0; i < lesson->step_count; i++)
        clear_step(&lesson->steps[i]);
    for (size_t i = 0; i < lesson->param_count; i++)
        param_clear(&lesson->params[i]);
    for (size_t i = 0; i < lesson->label_count; i++)
        labels_free(lesson->labels[i]);
    for (size_t i = 0; i < lesson->remark_count; i++)
        free(lesson->remarks[i].text);
    free(lesson->steps);
    free(lesson->params);
    free(lesson->labels);
    free(lesson->remarks);
    char *texts[] = {lesson->id,     lesson->path, lesson->title,    lesson->about,
                     lesson->author, lesson->lang, lesson->requires, lesson->sources};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    source_free(lesson->source);
    lesson_free(lesson->words); /* one for each translation applied: a handful */
    free(lesson);
}
