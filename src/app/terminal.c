/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/memory.h"

static struct termios modes;
static char *undo;
static size_t undo_length;
static int terminal = -1;
static volatile sig_atomic_t remembered;
static const char *extra_on = "", *extra_off = "";

void terminal_remember(int fd, const char *bytes, size_t length)
{
    terminal_forget();
    terminal = fd;
    if (tcgetattr(fd, &modes) != 0)
        return;
    undo = memory_copy_slice(bytes, length);
    undo_length = length;
    remembered = 1;
}

/* What cannot be written is gone with its terminal. */
static void put(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(terminal, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        bytes += written;
        length -= (size_t)written;
    }
}

void terminal_set_extra(const char *on, const char *off)
{
    extra_on = on;
    extra_off = off;
}

void terminal_extra_on(void)
{
    put(extra_on, strlen(extra_on));
}

void terminal_extra_off(void)
{
    put(extra_off, strlen(extra_off));
}

void terminal_give_back(void)
{
    if (!remembered)
        return;
    remembered = 0;
    terminal_extra_off();
    put(undo, undo_length);
    tcsetattr(terminal, TCSADRAIN, &modes);
}

void terminal_forget(void)
{
    remembered = 0;
    free(undo);
    undo = NULL;
    undo_length = 0;
}
