/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start: what the numeric core needs once, before its first use.
 *
 * GSL's own error handler ends the program; core_start replaces it by one that
 * returns, so that GSL's codes can be looked at where they arise.  They never
 * leave core/.  MPFR's memory comes through base/memory's door, and so does GSL's
 * running out of it.  The command line and every test program call it first. */
#ifndef CORE_START_H
#define CORE_START_H

/* Prepares the libraries behind core/; calling it again does nothing more. */
void core_start(void);

/* Gives back what the libraries keep for their own use (MPFR's tables). */
void core_end(void);

#endif
