/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/startup.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/output.h"
#include "base/memory.h"
#include "base/str.h"
#include "core/fast_level.h"
#include "core/start.h"
#include "io/file.h"

/* A file opened later must not become stdout: a closed descriptor is opened the
 * wrong way round, so that using it fails as it should. */
static void open_standard(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) {
            perror("attnwalk: cannot open /dev/null");
            _exit(1);
        }
}

/* Which characters the terminal understands is all that is wanted of the locale; the rest,
 * numbers among it, stays "C", and its files need not be read. */
static void set_locale(void)
{
    if (!setlocale(LC_CTYPE, ""))
        setlocale(LC_CTYPE, "C.UTF-8");
}

/* Leaves no temporary behind, then dies by the signal, so that the shell sees it. */
static void end_by_signal(int number)
{
    file_remove_temporaries();
    signal(number, SIG_DFL);
    raise(number);
}

static void set_signals(void)
{
    static const int ending[] = {SIGHUP, SIGINT, SIGTERM};
    struct sigaction ignore = {.sa_handler = SIG_IGN}, end = {.sa_handler = end_by_signal}, old;
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL); /* what is written too large is an error, not the end */
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        sigaction(ending[i], NULL, &old);
        if (old.sa_handler != SIG_IGN) /* nohup stays nohup */
            sigaction(ending[i], &end, NULL);
    }
}

/* ATTNWALK_CPU, set and not empty: the instruction set to compute with. */
static bool set_level(void)
{
    const char *name = getenv("ATTNWALK_CPU");
    FastLevel level;
    if (!name || !*name)
        return true;
    if (fast_level_find(name, &level)) {
        fast_level_set(level);
        return true;
    }
    Str known = {0};
    for (level = 0; level < FAST_LEVELS; level++)
        if (fast_level_supported(level))
            str_addf(&known, "%s%s", known.length ? ", " : "", fast_level_name(level));
    output_say("ATTNWALK_CPU=%s: this is none of what this processor runs: %s", name,
               str_text(&known));
    str_clear(&known);
    return false;
}

bool startup_begin(void)
{
    open_standard();
    set_locale();
    set_signals();
    memory_set_hook(file_remove_temporaries);
    core_start();
    return set_level();
}

void startup_end(void)
{
    core_end();
}
