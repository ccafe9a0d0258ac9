/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check: the lines of ```check and ```predict blocks.
 *
 *     check      = condition [ "when" guard ] ":" sentence
 *     prediction = expression "within" tolerance ":" name
 *                  { "trap" expression ":" diagnosis } */
#ifndef LESSON_CHECK_H
#define LESSON_CHECK_H

#include "base/error.h"
#include "lesson/lesson.h"

Status check_read_block(Lesson *lesson, Span span, Block *block, Error *error);
Status check_read_prediction(Lesson *lesson, Span span, Block *block, Error *error);

#endif
