/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/meter.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_MS = 1000, AGAIN_MS = 200, LINE_BYTES = 1024, USUAL_COLS = 80, MOST_COLS = 200 };

/* Where the line stands; changed only while the timer is off. */
static struct {
    int fd;
    const char *before, *after; /* what is written around it */
    const char *name;           /* what it begins with */
    size_t room;                /* columns it may take */
    struct timespec begun;
} place;

static bool running, covered; /* covered: data goes where the line would stand */
static volatile sig_atomic_t pauses;
static volatile sig_atomic_t width; /* of what stands there now */
static const char *volatile unit;
static _Atomic uint64_t done, total;

/* ---- in the signal's handler: no allocation, no stdio ---- */

typedef struct {
    char bytes[LINE_BYTES]; /* zeros behind length: a text */
    size_t length;
} Line;

static void add(Line *line, const char *text)
{
    size_t length = strlen(text), room = sizeof line->bytes - 1 - line->length;
    length = length < room ? length : room;
    memcpy(line->bytes + line->length, text, length);
    line->length += length;
}

static void add_count(Line *line, uint64_t count)
{
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do
        digits[--at] = (char)('0' + count % 10);
    while (count /= 10);
    add(line, digits + at);
}

static void add_progress(Line *line)
{
    struct timespec now;
    const char *counted = unit;
    uint64_t all = total, ready = done;
    if (counted) {
        add_count(line, ready);
        if (all > 0) {
            add(line, " of ");
            add_count(line, all);
        }
        add(line, " ");
        add(line, counted);
        if (all > 0) {
            add(line, " (");
            add_count(line, (uint64_t)(100 * (double)ready / (double)all));
            add(line, "%)");
        }
        add(line, ", ");
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    bool early = now.tv_nsec < place.begun.tv_nsec;
    add_count(line, (uint64_t)(now.tv_sec - place.begun.tv_sec - early));
    add(line, " s");
}

/* Writes text on the line, and blanks over the rest of what stood there.  What cannot be
 * written is not missed. */
static void put(const char *text)
{
    Line line = {.length = 0};
    size_t length = strlen(text);
    length = length < place.room ? length : place.room;
    add(&line, place.before);
    size_t start = line.length;
    add(&line, text);
    line.length = start + length;
    while (line.length < start + (size_t)width)
        line.bytes[line.length++] = ' ';
    line.bytes[line.length] = '\0';
    add(&line, place.after);
    width = (sig_atomic_t)length;
    if (write(place.fd, line.bytes, line.length) < 0)
        width = 0;
}

static void show(int number)
{
    (void)number;
    int saved = errno;
    if (pauses == 0) {
        Line line = {.length = 0};
        add(&line, place.name);
        add_progress(&line);
        put(line.bytes);
    }
    errno = saved;
}

/* ---- beginning and ending ---- */

static void set_timer(long first_ms, long again_ms)
{
    struct itimerval timer = {
        .it_value = {first_ms / 1000, first_ms % 1000 * 1000},
        .it_interval = {again_ms / 1000, again_ms % 1000 * 1000},
    };
    setitimer(ITIMER_REAL, &timer, NULL);
}

static size_t columns(int fd)
{
    struct winsize window;
    if (ioctl(fd, TIOCGWINSZ, &window) != 0 || window.ws_col == 0)
        return USUAL_COLS;
    return window.ws_col < MOST_COLS ? window.ws_col : MOST_COLS;
}

static void begin(int fd, const char *before, const char *after, const char *name)
{
    struct sigaction action = {.sa_handler = show};
    meter_end();
    if (!isatty(fd))
        return;
    place.fd = fd;
    place.before = before;
    place.after = after;
    place.name = name;
    place.room = columns(fd) - 1;
    clock_gettime(CLOCK_MONOTONIC, &place.begun);
    running = true;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    set_timer(FIRST_MS, AGAIN_MS);
}

void meter_begin(void)
{
    /* The cursor ends where the line begins: so does what somebody else may say then. */
    begin(STDERR_FILENO, "\r", "\r", "attnwalk: ");
}

void meter_begin_on_page(const char *before, const char *after)
{
    begin(STDOUT_FILENO, before, after, "working: ");
}

bool meter_end(void)
{
    if (!running)
        return false;
    set_timer(0, 0);
    running = false;
    unit = NULL;
    bool written = width > 0;
    if (written)
        put("");
    return written;
}

void meter_pause(void)
{
    pauses++;
    if (running && width > 0)
        put("");
}

void meter_resume(void)
{
    pauses--;
}

void meter_count(const char *what, double all, bool to_stdout)
{
    done = 0;
    total = (uint64_t)all;
    unit = what;
    covered = to_stdout && isatty(STDOUT_FILENO);
    if (covered)
        meter_pause();
}

void meter_show(double ready)
{
    done = (uint64_t)ready;
}

void meter_count_end(void)
{
    unit = NULL;
    if (covered)
        meter_resume();
    covered = false;
}
