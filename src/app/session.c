/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/session.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "io/number.h"
#include "lesson/run.h"

/* ---- opening ---- */

static FileStamp stamp_of(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return (FileStamp){0};
    return (FileStamp){info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_size,
                       (long long)info.st_ino};
}

static bool stamp_same(FileStamp a, FileStamp b)
{
    return a.seconds == b.seconds && a.nanoseconds == b.nanoseconds && a.size == b.size &&
           a.inode == b.inode;
}

static void forget_history(Session *s)
{
    for (size_t i = 0; i < s->undo.count; i++)
        settings_clear(&s->undo.items[i]);
    free(s->undo.items);
    s->undo = (History){0};
}

void session_forget_old(Session *s)
{
    if (s->old)
        trace_free(s->old);
    s->old = NULL;
}

void session_close(Session *s)
{
    session_forget_old(s);
    if (s->trace)
        trace_free(s->trace);
    if (s->lesson)
        lesson_free(s->lesson);
    settings_clear(&s->initial);
    forget_history(s);
    *s = (Session){0};
}

static bool is_path(const char *lesson)
{
    size_t length = strlen(lesson);
    return strchr(lesson, '/') || (length > 3 && text_equal(lesson + length - 3, ".md"));
}

/* A place without a step opens at the lesson's first stop. */
Status session_open(Session *s, const Place *place, Error *error)
{
    Session fresh = {.by_path = is_path(place->lesson)};
    if (lesson_load(place->lesson, &fresh.lesson, error) ||
        lesson_run(fresh.lesson, &place->settings, NULL, &fresh.trace, error) ||
        trace_resolve(fresh.trace, place, &fresh.position, error)) {
        session_close(&fresh);
        return STATUS_ERROR;
    }
    settings_copy(&fresh.initial, &place->settings);
    fresh.stamp = stamp_of(fresh.lesson->path);
    session_close(s);
    *s = fresh;
    return STATUS_OK;
}

/* ---- places ---- */

static bool has_settings(const Settings *settings)
{
    return settings->param_count || settings->edit_count || settings->load_count;
}

/* True if text, up to '?' or ':', names a step of the open lesson (or is a number). */
static bool begins_with_step(const Session *s, const char *text)
{
    size_t length = strcspn(text, ":?");
    if (length == 0)
        return *text == '?';
    char *word = memory_copy_slice(text, length);
    bool found = lesson_find_step(s->lesson, word, NULL) ||
                 strspn(word, "0123456789") == length;
    free(word);
    return found;
}

/* "write:3" means the open lesson; ":write" too. */
static void complete(const Session *s, const char *text, Str *out)
{
    Place here = {0};
    trace_place(s->trace, s->position, &here);
    if (*text == ':')
        str_addf(out, "%s%s", here.lesson, text);
    else if (*text == '?') {
        str_addf(out, "%s:%s:%zu%s", here.lesson, here.step, here.stop, text);
    } else if (begins_with_step(s, text))
        str_addf(out, "%s:%s", here.lesson, text);
    else
        str_add(out, text);
    place_clear(&here);
}

/* Goes to a place of the open lesson. */
static Status go_within(Session *s, const Place *place, Error *error)
{
    Position target;
    if (has_settings(&place->settings) && session_change(s, &place->settings, error))
        return STATUS_ERROR;
    if (trace_resolve(s->trace, place, &target, error))
        return STATUS_ERROR;
    s->position = target;
    return STATUS_OK;
}

Status session_go(Session *s, const char *text, Error *error)
{
    Str whole = {0};
    Place place = {0}, here = {0};
    complete(s, text, &whole);
    trace_place(s->trace, s->position, &here);
    Status status = place_parse(str_text(&whole), &place, error);
    if (!status)
        status = text_equal(place.lesson, here.lesson) ? go_within(s, &place, error)
                                                       : session_open(s, &place, error);
    place_clear(&place);
    place_clear(&here);
    str_clear(&whole);
    return status;
}

void session_add_place(const Session *s, Str *out)
{
    Place place = {0};
    trace_place(s->trace, s->position, &place);
    place_add_text(out, &place, false);
    place_clear(&place);
}

/* ---- walking ---- */

static void stand_at(Session *s, size_t stop)
{
    s->position = (Position){stop, trace_stop(s->trace, stop)->last};
}

bool session_next_stop(Session *s)
{
    if (s->position.stop + 1 >= trace_stop_count(s->trace))
        return false;
    stand_at(s, s->position.stop + 1);
    return true;
}

bool session_last_stop(Session *s)
{
    if (s->position.stop == 0)
        return false;
    stand_at(s, s->position.stop - 1);
    return true;
}

bool session_next_frame(Session *s)
{
    const Stop *stop = session_stop(s);
    if (s->position.frame < stop->last) {
        s->position.frame++;
        return true;
    }
    if (!session_next_stop(s))
        return false;
    stop = session_stop(s);
    if (stop->first <= stop->last)
        s->position.frame = stop->first;
    return true;
}

bool session_last_frame(Session *s)
{
    const Stop *stop = session_stop(s);
    if (stop->first <= stop->last && s->position.frame > stop->first) {
        s->position.frame--;
        return true;
    }
    return session_last_stop(s);
}

void session_to_step(Session *s, size_t step)
{
    size_t first;
    trace_step_stops(s->trace, step, &first);
    stand_at(s, first);
}

bool session_next_step(Session *s)
{
    size_t step = session_stop(s)->step;
    if (step + 1 >= s->lesson->step_count)
        return false;
    session_to_step(s, step + 1);
    return true;
}

/* To the beginning of this step first, as a reader who wants to see it again expects. */
bool session_last_step(Session *s)
{
    size_t step = session_stop(s)->step, first;
    trace_step_stops(s->trace, step, &first);
    if (s->position.stop > first)
        step++;
    if (step == 0)
        return false;
    session_to_step(s, step - 1);
    return true;
}

void session_first(Session *s)
{
    stand_at(s, 0);
}

void session_end(Session *s)
{
    stand_at(s, trace_stop_count(s->trace) - 1);
}

const Stop *session_stop(const Session *s)
{
    return trace_stop(s->trace, s->position.stop);
}

const Step *session_step(const Session *s)
{
    return &s->lesson->steps[session_stop(s)->step];
}

const Block *session_block(const Session *s)
{
    const Step *step = session_step(s);
    size_t block = session_stop(s)->block;
    return block < step->count ? &step->blocks[block] : NULL;
}

/* ---- changing ---- */

static Status run_again(Session *s, const Settings *settings, Error *error)
{
    Trace *trace = NULL;
    if (lesson_run(s->lesson, settings, NULL, &trace, error))
        return STATUS_ERROR;
    s->position = trace_match(s->trace, s->position, trace);
    session_forget_old(s);
    s->old = s->trace;
    s->trace = trace;
    return STATUS_OK;
}

Status session_change(Session *s, const Settings *settings, Error *error)
{
    Settings before = {0};
    settings_copy(&before, trace_settings(s->trace));
    if (run_again(s, settings, error)) {
        settings_clear(&before);
        return STATUS_ERROR;
    }
    MEMORY_GROW(s->undo.items, s->undo.count, s->undo.room);
    s->undo.items[s->undo.count++] = before;
    return STATUS_OK;
}

Status session_set_param(Session *s, size_t i, const char *text, Error *error)
{
    ParamValue value;
    if (param_parse(&s->lesson->params[i], text, &value, error))
        return STATUS_ERROR;
    Settings settings = {0};
    settings_copy(&settings, trace_settings(s->trace));
    settings_set_param(&settings, s->lesson->params[i].name, text);
    Status status = session_change(s, &settings, error);
    settings_clear(&settings);
    return status;
}

/* The value `steps` key presses away, on the grid of the parameter's steps. */
static ParamValue move(ParamValue value, int steps)
{
    const Param *param = value.param;
    if (param->kind == PARAM_CHOICE) {
        long at = (long)value.choice + steps, last = (long)param->choice_count - 1;
        value.choice = (size_t)(at < 0 ? 0 : at > last ? last : at);
        return value;
    }
    double x = value.number + steps * param->step;
    if (param->kind == PARAM_REAL) /* 0.1 + 0.2 is 0.3 here */
        x = nearbyint(x / param->step * 1024) / 1024 * param->step;
    if (param->has_low && x < param->low)
        x = param->low;
    if (param->has_high && x > param->high)
        x = param->high;
    value.number = x;
    return value;
}

/* Numbers are rounded to 12 digits, so that a place does not show 0.30000000000000004. */
static void add_param_text(Str *out, const ParamValue *value)
{
    double x;
    if (value->param->kind != PARAM_REAL) {
        param_add_text(out, value);
        return;
    }
    Str rounded = {0};
    number_add_format(&rounded, value->number, 'g', 12);
    if (number_read(str_text(&rounded), rounded.length, &x) == NUMBER_OK)
        number_add(out, x);
    str_clear(&rounded);
}

Status session_move_param(Session *s, size_t i, int steps, bool *moved, Error *error)
{
    const ParamValue *now = trace_param(s->trace, i);
    ParamValue next = move(*now, steps);
    Str text = {0}, current = {0};
    add_param_text(&text, &next);
    add_param_text(&current, now);
    *moved = !text_equal(str_text(&text), str_text(&current));
    Status status = *moved ? session_set_param(s, i, str_text(&text), error) : STATUS_OK;
    str_clear(&text);
    str_clear(&current);
    return status;
}

Status session_edit(Session *s, const char *name, size_t row, size_t col, double value,
                    Error *error)
{
    Settings settings = {0};
    settings_copy(&settings, trace_settings(s->trace));
    settings_set_cell(&settings, name, row + 1, col + 1, value);
    Status status = session_change(s, &settings, error);
    settings_clear(&settings);
    return status;
}

bool session_undo(Session *s)
{
    if (s->undo.count == 0)
        return false;
    Settings *before = &s->undo.items[s->undo.count - 1];
    Error error = {0};
    bool done = !run_again(s, before, &error); /* it ran before */
    error_clear(&error);
    settings_clear(before);
    s->undo.count--;
    return done;
}

static bool settings_same(const Settings *a, const Settings *b)
{
    Str left = {0}, right = {0};
    Place place = {.lesson = (char *)"x"};
    place.settings = *a;
    place_add_text(&left, &place, false);
    place.settings = *b;
    place_add_text(&right, &place, false);
    bool same = text_equal(str_text(&left), str_text(&right));
    str_clear(&left);
    str_clear(&right);
    return same;
}

/* Loads stay: they are the matrices the reader came with. */
Status session_reset(Session *s, bool *changed, Error *error)
{
    Settings bare = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < s->initial.load_count && !status; i++) {
        const Load *load = &s->initial.loads[i];
        status = settings_add_load(&bare, load->name, load->file, error);
    }
    *changed = !settings_same(&bare, trace_settings(s->trace));
    if (!status && *changed)
        status = session_change(s, &bare, error);
    settings_clear(&bare);
    return status;
}

/* ---- a lesson that is being written ---- */

bool session_is_outdated(const Session *s)
{
    if (!s->trace || !s->by_path)
        return false;
    FileStamp now = stamp_of(s->lesson->path);
    return now.inode != 0 && !stamp_same(now, s->stamp);
}

/* The settings as far as the lesson still takes them: all, or none. */
static Status run_fresh(const Lesson *lesson, const Settings *settings, Trace **out, Error *error)
{
    Error first = {0};
    if (!lesson_run(lesson, settings, NULL, out, &first))
        return STATUS_OK;
    error_clear(&first);
    return lesson_run(lesson, NULL, NULL, out, error);
}

Status session_reload(Session *s, Error *error)
{
    Lesson *lesson = NULL;
    Trace *trace = NULL;
    s->stamp = stamp_of(s->lesson->path);
    if (lesson_load(s->lesson->path, &lesson, error))
        return STATUS_ERROR;
    if (run_fresh(lesson, trace_settings(s->trace), &trace, error)) {
        lesson_free(lesson);
        return STATUS_ERROR;
    }
    s->position = trace_match(s->trace, s->position, trace);
    session_forget_old(s);
    trace_free(s->trace);
    lesson_free(s->lesson);
    s->lesson = lesson;
    s->trace = trace;
    forget_history(s);
    return STATUS_OK;
}
