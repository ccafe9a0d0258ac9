/* SPDX-License-Identifier: GPL-3.0-or-later */
/* golden: expected drawings in one text file a test, as sections
 *
 *     == what is drawn
 *     expected lines
 *
 * A section's expectation ends at the next "== " or the end of the file.  With
 * GOLDEN_UPDATE set in the environment the file is written anew instead. */
#ifndef TESTS_PAGE_GOLDEN_H
#define TESTS_PAGE_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"

typedef struct {
    const char *path;
    Str old;      /* the file */
    Str now;      /* what a new one would hold */
} Golden;

static void golden_open(Golden *golden, const char *path)
{
    *golden = (Golden){.path = path};
    FILE *file = fopen(path, "rb");
    char buffer[4096];
    size_t got;
    while (file && (got = fread(buffer, 1, sizeof buffer, file)) > 0)
        str_add_bytes(&golden->old, buffer, got);
    if (file)
        fclose(file);
}

/* Calls draw with the head of every section and compares what it appends.  Returns
 * the number of sections that differ, having printed them. */
static int golden_check(Golden *golden, void (*draw)(const char *head, Str *out))
{
    int wrong = 0;
    const char *at = str_text(&golden->old);
    bool update = getenv("GOLDEN_UPDATE") != NULL;
    while (*at) {
        size_t length = strcspn(at, "\n");
        if (strncmp(at, "== ", 3) != 0) { /* what stands before the first section is kept */
            str_add_bytes(&golden->now, at, length + (at[length] == '\n'));
            at += length + (at[length] == '\n');
            continue;
        }
        char *head = memory_copy_slice(at + 3, length - 3);
        const char *body = at + length + (at[length] == '\n');
        const char *end = strncmp(body, "== ", 3) == 0 ? body - 1 : strstr(body, "\n== ");
        size_t size = end ? (size_t)(end + 1 - body) : strlen(body);
        Str drawn = {0};
        draw(head, &drawn);
        str_addf(&golden->now, "== %s\n%s", head, str_text(&drawn));
        bool same = drawn.length == size && memcmp(str_text(&drawn), body, size) == 0;
        if (!same && !update) {
            fprintf(stderr, "%s\n--- expected\n%.*s--- drawn\n%s---\n", head, (int)size, body,
                    str_text(&drawn));
            wrong++;
        }
        str_clear(&drawn);
        free(head);
        at = body + size;
    }
    FILE *file = update ? fopen(golden->path, "wb") : NULL;
    if (file) {
        fwrite(str_text(&golden->now), 1, golden->now.length, file);
        fclose(file);
    }
    str_clear(&golden->old);
    str_clear(&golden->now);
    return wrong;
}

#endif
