/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load: reading a lesson file.  lesson_parse, lesson_load and lesson_free are declared in
 * lesson.h; here are the pieces that a translation shares. */
#ifndef LESSON_LOAD_H
#define LESSON_LOAD_H

#include "lesson/lesson.h"
#include "lesson/scan.h"

/* A lesson without content whose source is text: no byte-order mark, LF ends, valid UTF-8.
 * Fails for more than LESSON_MAX_BYTES. */
Status lesson_begin(const char *path, const char *text, size_t length, Lesson **out, Error *error);

/* Reads the front matter; scanner is left behind it. */
Status lesson_read_front(Lesson *lesson, Scanner *scanner, Error *error);

/* Begins the step of a PIECE_HEADING. */
Status lesson_read_heading(Lesson *lesson, const Piece *piece, Error *error);

/* Reads a PIECE_TEXT or PIECE_MATH into the last step. */
Status lesson_read_text(Lesson *lesson, const Piece *piece, Error *error);

#endif
