/* SPDX-License-Identifier: GPL-3.0-or-later */
/* action: everything a key can do, one row of actions.def each.
 *
 * The table feeds the dispatch (action_find), the `?` screen and the manual; keys
 * are nowhere else. */
#ifndef APP_ACTION_H
#define APP_ACTION_H

#include <stdbool.h>
#include <stddef.h>

#include "app/input.h"
#include "base/str.h"

typedef enum {
    CONTEXT_WALK,   /* on a page */
    CONTEXT_LOOK,   /* with the cursor on a number; what is not here is looked for in WALK */
    CONTEXT_PARAMS, /* in the list of parameters; likewise */
    CONTEXT_LIST,   /* in the menu, the list of steps, the list of keys */
    CONTEXT_COUNT
} ActionContext;

typedef enum {
    ACTION_NONE,
#define ACTION(id, ...) ACTION_##id,
#include "app/actions.def"
#undef ACTION
    ACTION_COUNT
} ActionId;

typedef struct {
    ActionContext context;
    const char *keys; /* names as input_parse takes them, separated by blanks */
    const char *name, *help;
} Action;

/* The row of an action other than ACTION_NONE. */
const Action *action_get(ActionId id);

/* What input means in context, or ACTION_NONE. */
ActionId action_find(ActionContext context, Input input);

/* What a group of actions is called on the help screen. */
const char *action_context_title(ActionContext context);

/* The k-th key of the action (from 0); false if it has fewer. */
bool action_key(ActionId id, size_t k, Input *out);

/* Appends all keys of an action, one blank between. */
void action_add_keys(Str *out, ActionId id, bool ascii);

#endif
