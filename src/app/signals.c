/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/terminal.h"
#include "base/memory.h"
#include "io/file.h"

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGSEGV, SIGABRT,
                             SIGBUS, SIGFPE, SIGILL};

enum { ENDING = sizeof ending / sizeof *ending, STACK_BYTES = 65536 };

static struct sigaction before[ENDING], before_stop, before_wake;
static bool caught[ENDING], stop_caught, wake_caught;
static volatile sig_atomic_t news;
static const char *volatile crash_message;
static void *stack;

/* The action is the default again by SA_RESETHAND, and the signal not blocked. */
static void end(int number)
{
    const char *message = crash_message;
    terminal_give_back();
    file_remove_temporaries();
    if (number == SIGSEGV && message && write(STDERR_FILENO, message, strlen(message)) > 0)
        _exit(EXIT_FAILURE);
    raise(number);
}

/* Stops in curses' own handler, and comes back there. */
static void stop(int number)
{
    int saved = errno;
    terminal_extra_off();
    before_stop.sa_handler(number);
    terminal_extra_on();
    news = SIGNALS_CONTINUED;
    errno = saved;
}

static void wake(int number)
{
    (void)number;
    news = SIGNALS_WOKEN;
}

static bool is_handler(const struct sigaction *action)
{
    return action->sa_handler != SIG_IGN && action->sa_handler != SIG_DFL;
}

void signals_catch(void)
{
    struct sigaction action = {.sa_handler = end};
    action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
    if (!stack)
        stack = memory_alloc(STACK_BYTES);
    /* A crash for want of stack needs another one to be handled on. */
    stack_t other = {.ss_sp = stack, .ss_size = STACK_BYTES};
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < ENDING; i++) {
        sigaction(ending[i], NULL, &before[i]);
        caught[i] = before[i].sa_handler != SIG_IGN && sigaction(ending[i], &action, NULL) == 0;
    }
}

void signals_explain_crash(const char *message)
{
    crash_message = message;
}

void signals_catch_stop(void)
{
    struct sigaction stopping = {.sa_handler = stop};
    sigaction(SIGTSTP, NULL, &before_stop);
    struct sigaction waking = {.sa_handler = wake};
    sigaction(SIGCONT, &waking, &before_wake);
    stop_caught = is_handler(&before_stop) && sigaction(SIGTSTP, &stopping, NULL) == 0;
    wake_caught = true;
}

void signals_release(void)
{
    for (size_t i = 0; i < ENDING; i++)
        if (caught[i])
            sigaction(ending[i], &before[i], NULL);
    if (stop_caught)
        sigaction(SIGTSTP, &before_stop, NULL);
    if (wake_caught)
        sigaction(SIGCONT, &before_wake, NULL);
    stop_caught = wake_caught = false;
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    free(stack);
    stack = NULL;
}

SignalsNews signals_take_news(void)
{
    SignalsNews was = (SignalsNews)news;
    news = SIGNALS_NOTHING;
    return was;
}
