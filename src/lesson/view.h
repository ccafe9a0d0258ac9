/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view: the lines of a ```view block.
 *
 *     line    = kind argument { "," argument } { option }
 *     bench
 *     product L * R [ "=" result ]
 *     update  X "=" Y + Z                 or Y - Z
 *     option  = rows=labels | cols=labels | scale=01 | scale=signed | scale=auto   (heat)
 *             | cols=labels                                                        (bars)
 *             | logx | logy                                                        (plot) */
#ifndef LESSON_VIEW_H
#define LESSON_VIEW_H

#include "base/error.h"
#include "lesson/lesson.h"

/* Reads the lines in span of lesson's source into block. */
Status view_read_block(Lesson *lesson, Span span, Block *block, Error *error);

#endif
