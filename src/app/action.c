/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/action.h"

#include <assert.h>
#include <string.h>

static const Action actions[ACTION_COUNT] = {
#define ACTION(id, context, keys, name, help) \
    [ACTION_##id] = {CONTEXT_##context, keys, name, help},
#include "app/actions.def"
#undef ACTION
};

const Action *action_get(ActionId id)
{
    assert(id > ACTION_NONE && id < ACTION_COUNT);
    return &actions[id];
}

bool action_key(ActionId id, size_t k, Input *out)
{
    const char *at = action_get(id)->keys;
    for (;; k--) {
        size_t length = strcspn(at, " ");
        if (length == 0)
            return false;
        if (k == 0) {
            *out = input_parse(at, length);
            return true;
        }
        at += length;
        at += strspn(at, " ");
    }
}

static bool has_key(ActionId id, Input input)
{
    Input key;
    for (size_t k = 0; action_key(id, k, &key); k++)
        if (input_same(key, input))
            return true;
    return false;
}

ActionId action_find(ActionContext context, Input input)
{
    for (int id = ACTION_NONE + 1; id < ACTION_COUNT; id++)
        if (actions[id].context == context && has_key((ActionId)id, input))
            return (ActionId)id;
    return ACTION_NONE;
}

const char *action_context_title(ActionContext context)
{
    static const char *const titles[CONTEXT_COUNT] = {
        [CONTEXT_WALK] = "On a page",
        [CONTEXT_LOOK] = "With the cursor on a number (other keys as on a page)",
        [CONTEXT_PARAMS] = "In the list of parameters",
        [CONTEXT_LIST] = "In the menu and other lists",
    };
    return titles[context];
}

void action_add_keys(Str *out, ActionId id, bool ascii)
{
    Input key;
    for (size_t k = 0; action_key(id, k, &key); k++) {
        if (k > 0)
            str_add_char(out, ' ');
        input_add_name(out, key, ascii);
    }
}
