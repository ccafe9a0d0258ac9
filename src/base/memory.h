/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory: the one door to the heap.
 *
 * Every allocation of the program goes through these functions, so running out
 * of memory has one place: memory_exhausted() calls the hook (app/ gives the
 * terminal back and removes temporaries there), writes one line to stderr and
 * exits with status 1.  No caller tests for NULL.  Sizes are multiplied with a
 * check: a product that does not fit a size_t counts as out of memory. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* size bytes, uninitialised; size 0 gives a pointer that may be freed. */
void *memory_alloc(size_t size);

/* count elements of size bytes each, all zero. */
void *memory_zeros(size_t count, size_t size);

/* p resized to count elements of size bytes; the old content is kept. */
void *memory_resize(void *p, size_t count, size_t size);

/* A copy of the NUL-terminated text. */
char *memory_copy_text(const char *text);

/* A NUL-terminated copy of the length bytes at text. */
char *memory_copy_slice(const char *text, size_t length);

/* What is called, once, before the program exits for want of memory. */
void memory_set_hook(void (*hook)(void));

/* Calls the hook, says "out of memory" on stderr and exits with status 1. */
_Noreturn void memory_exhausted(void);

/* The room that a growable array of that room gets next: twice as much, or 8 at first. */
size_t memory_next_room(size_t room);

/* Doubles the room of a growable array when count has reached it.  `items` is
 * the array, `room` its capacity in elements; the idiom of every array here:
 *
 *     MEMORY_GROW(list->items, list->count, list->room);
 *     list->items[list->count++] = item;
 */
#define MEMORY_GROW(items, count, room)                                                \
    do {                                                                               \
        if ((count) == (room)) {                                                       \
            (room) = memory_next_room(room);                                           \
            (items) = memory_resize((items), (room), sizeof *(items));                 \
        }                                                                              \
    } while (0)

#endif
