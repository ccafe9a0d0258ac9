/* SPDX-License-Identifier: GPL-3.0-or-later */
/* translation: a lesson's texts in another language.
 *
 * lessons/delta.zh.md translates lessons/delta.md: title and about in the front matter,
 * then for each step its title, prose and display formulas, questions, and fences with
 * nothing but sentences, one a line, in the order of the original:
 *
 *     ```check       the sentence of each check
 *     ```predict     the name, then the diagnosis of each trap
 *     ```notes       the notes
 *
 * Code, views, conditions and parameters come from the original. */
#ifndef LESSON_TRANSLATION_H
#define LESSON_TRANSLATION_H

#include "base/error.h"
#include "lesson/find.h"
#include "lesson/lesson.h"

/* The languages there are translations into (zh for a.zh.md beside a.md), sorted. */
Status translation_list(const char *lesson_path, IdList *list, Error *error);

/* The path of the translation of the lesson at lesson_path into lang. */
void translation_path(Str *out, const char *lesson_path, const char *lang);

/* What is called for everything missing or superfluous. */
typedef struct {
    void *context;
    void (*differs)(void *context, const Error *error);
} TranslationReport;

/* Replaces the texts of lesson by those of the translation in text, which goes by path.
 * A step that is missing or does not fit keeps the original's words, and is reported
 * (report may be NULL).  Fails, with lesson unchanged, if the file cannot be parsed. */
Status translation_apply(Lesson *lesson, const char *path, const char *text, size_t length,
                         const TranslationReport *report, Error *error);

/* Reads the file beside the lesson and applies it. */
Status translation_load(Lesson *lesson, const char *lang, const TranslationReport *report,
                        Error *error);

#endif
