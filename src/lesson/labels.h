/* SPDX-License-Identifier: GPL-3.0-or-later */
/* labels: the ```labels block: what rows and columns are called in views. */
#ifndef LESSON_LABELS_H
#define LESSON_LABELS_H

#include "base/error.h"
#include "lesson/lesson.h"

/* Reads the lines in span: name = text, "text", …  or  name = file path; the file (CSV)
 * is looked for beside the lesson, then in attnwalk's data. */
Status labels_read_block(Lesson *lesson, Span span, Error *error);

void labels_free(Labels *labels);

#endif
