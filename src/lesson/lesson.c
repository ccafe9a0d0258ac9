/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/lesson.h"

bool lesson_is_id(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool letter = text[i] >= 'a' && text[i] <= 'z';
        bool other = (text[i] >= '0' && text[i] <= '9') || text[i] == '-';
        if (!letter && (i == 0 || !other))
            return false;
    }
    return length > 0;
}

const Step *lesson_find_step(const Lesson *lesson, const char *id, size_t *index)
{
    for (size_t i = 0; i < lesson->step_count; i++)
        if (text_equal(lesson->steps[i].id, id)) {
            if (index)
                *index = i;
            return &lesson->steps[i];
        }
    return NULL;
}

const Param *lesson_find_param(const Lesson *lesson, const char *name, size_t *index)
{
    for (size_t i = 0; i < lesson->param_count; i++)
        if (text_equal(lesson->params[i].name, name)) {
            if (index)
                *index = i;
            return &lesson->params[i];
        }
    return NULL;
}

const Labels *lesson_find_labels(const Lesson *lesson, const char *name)
{
    for (size_t i = 0; i < lesson->label_count; i++)
        if (text_equal(lesson->labels[i]->name, name))
            return lesson->labels[i];
    return NULL;
}
