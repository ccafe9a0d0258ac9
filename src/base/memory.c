/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void (*exhausted_hook)(void);

void memory_set_hook(void (*hook)(void))
{
    exhausted_hook = hook;
}

_Noreturn void memory_exhausted(void)
{
    void (*hook)(void) = exhausted_hook;
    exhausted_hook = NULL; /* the hook itself may run out of memory */
    if (hook)
        hook();
    fputs("attnwalk: out of memory\n", stderr);
    _Exit(1);
}

void *memory_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p)
        memory_exhausted();
    return p;
}

void *memory_zeros(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        memory_exhausted();
    return p;
}

void *memory_resize(void *p, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        memory_exhausted();
    size_t bytes = count * size;
    void *q = realloc(p, bytes ? bytes : 1);
    if (!q)
        memory_exhausted();
    return q;
}

size_t memory_next_room(size_t room)
{
    return room ? 2 * room : 8;
}

char *memory_copy_slice(const char *text, size_t length)
{
    char *copy = memory_alloc(length + 1);
    if (length)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *memory_copy_text(const char *text)
{
    return memory_copy_slice(text, strlen(text));
}
