/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/bench_memory.h"

#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "io/number.h"

enum { OWN_PAGES_FROM = 64 * 1024, USUAL_THRESHOLD = 32 * 1024 * 1024 };

/* The peak becomes what is resident now (man 5 proc, clear_refs). */
static bool forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (!file)
        return false;
    bool written = fputs("5", file) >= 0;
    return fclose(file) == 0 && written;
}

static double read_peak(void)
{
    char line[256];
    double peak = NAN;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *number = line + strcspn(line, "0123456789");
        double kilobytes;
        if (strncmp(line, "VmHWM:", 6) == 0 &&
            number_read(number, strspn(number, "0123456789"), &kilobytes) == NUMBER_OK)
            peak = kilobytes * 1024;
    }
    if (file)
        fclose(file);
    return peak;
}

/* Free memory that the heap keeps would hide what the work takes: it is given back first,
 * and larger blocks come in pages of their own.  Afterwards blocks are kept again, so that
 * times are those of memory that is there already. */
double bench_memory_peak(void (*work)(void *job), void *job)
{
    mallopt(M_MMAP_THRESHOLD, OWN_PAGES_FROM);
    malloc_trim(0);
    double before = forget_peak() ? read_peak() : NAN;
    work(job);
    double bytes = read_peak() - before;
    mallopt(M_MMAP_THRESHOLD, USUAL_THRESHOLD);
    mallopt(M_TRIM_THRESHOLD, 2 * USUAL_THRESHOLD);
    return bytes;
}
