/* SPDX-License-Identifier: GPL-3.0-or-later */
/* note: what was computed of something that never changes, kept with it.
 *
 * A matrix and a trace have a place for one Note each.  It is the first member of a
 * struct of whoever computes it (page/digest, page/memo), and is freed with what it is
 * kept with.  It says nothing that could not be computed again, so it may be put there
 * through a const pointer; by one thread. */
#ifndef BASE_NOTE_H
#define BASE_NOTE_H

typedef struct Note {
    void (*free)(struct Note *note);
} Note;

#endif
