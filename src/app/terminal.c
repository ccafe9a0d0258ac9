/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/memory.h"

static struct termios modes;
static char *undo;
static int terminal = -1;
static volatile sig_atomic_t remembered;
static const char *extra_on = "", *extra_off = "";

void terminal_remember(int fd, const char *bytes)
{
    terminal_forget();
    terminal = fd;
    if (tcgetattr(fd, &modes) != 0)
        return;
    undo = memory_copy_text(bytes);
    remembered = 1;
}

void terminal_write(int fd, const char *bytes, size_t length)
{
    struct pollfd full = {.fd = fd, .events = POLLOUT};
    for (int tries = 3; length > 0 && tries > 0;) {
        ssize_t written = write(fd, bytes, length);
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN) { /* another program has left it so */
            poll(&full, 1, -1);
        } else if (written == 0 || errno != EINTR) {
            tries--;
        }
    }
}

static void put(const char *bytes)
{
    terminal_write(terminal, bytes, strlen(bytes));
}

void terminal_set_extra(const char *on, const char *off)
{
    extra_on = on;
    extra_off = off;
}

void terminal_extra_on(void)
{
    put(extra_on);
}

void terminal_extra_off(void)
{
    put(extra_off);
}

void terminal_give_back(void)
{
    if (!remembered)
        return;
    remembered = 0;
    terminal_extra_off();
    put(undo);
    tcsetattr(terminal, TCSADRAIN, &modes);
}

void terminal_forget(void)
{
    remembered = 0;
    free(undo);
    undo = NULL;
}
