/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walker_state: what the files of the walker share: walker.c dispatches inputs,
 * walker_act.c walks and changes, walker_bench.c measures, walker_look.c holds the cursor,
 * walker_prompt.c does what was typed, walker_list.c has the lists, walker_words.c the words,
 * walker_draw.c draws. */
#ifndef APP_WALKER_STATE_H
#define APP_WALKER_STATE_H

#include "app/action.h"
#include "app/answers.h"
#include "app/bench.h"
#include "app/inspect.h"
#include "app/list.h"
#include "app/progress.h"
#include "app/prompt.h"
#include "app/session.h"
#include "app/walker.h"
#include "lang/expr.h"
#include "page/page.h"

typedef enum { LIST_NONE, LIST_MENU, LIST_STEPS, LIST_KEYS, LIST_WORDS } ListKind;

/* One lesson of the menu. */
typedef struct {
    char *id;
    Lesson *lesson; /* NULL if it cannot be read … */
    char *error;    /* … for this reason */
} MenuLesson;

struct Walker {
    WalkerOptions options;
    Session session; /* no lesson: the menu is shown */
    Answers answers;
    Inspect inspect;
    Progress progress;
    bool done, redraw;

    /* what is shown */
    int digits;      /* 0: as many as the page likes */
    bool show_code, show_notes;
    int scroll;      /* of the page, or PAGE_SCROLL_AUTO */
    Page page;       /* as it was last drawn; no grid: never */
    bool fresh;      /* … and nothing has happened since */
    Size size;
    Str message;     /* until the next input */
    bool is_error;

    /* what lies over the page */
    Prompt prompt;
    bool pasting;
    bool params;     /* the list of parameters is open … */
    size_t param;    /* … at this one */
    ListKind list_kind;
    List list;
    MenuLesson *menu;
    size_t menu_count;
    char **word_places; /* where the words of the list are defined */
    size_t word_count;
    Code *result_code; /* of the last `:`; its values point into it */
    Source *result_source;
    Value *result;     /* NULL: none is shown */
    char *result_name;
    char *again;       /* a computed name the cursor was on before a new run, or NULL */
    size_t again_row, again_col;

    Bench *bench;      /* what was measured of this machine, or NULL … */
    bool measuring;    /* … and whether that goes on */

    /* search, write, autoplay */
    char *words;
    size_t match;      /* offset of the last match … */
    Position match_position; /* … and where the reader went for it */
    char *refused;     /* a folder that is not empty: Enter again writes into it */
    bool playing;
    int seconds;       /* of autoplay, between two stops */
    long long now, next_play, next_stat;
};

/* Says something in the bottom line. */
void walker_say(Walker *walker, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with the text of an error, which is cleared. */
void walker_complain(Walker *walker, Error *error);

/* The reader has come somewhere else: scrolls back, notes the progress. */
void walker_arrive(Walker *walker);
/* The lesson was run anew: what pointed into the old run is found again or dropped. */
void walker_rerun(Walker *walker);
/* Another lesson is there. */
void walker_new_lesson(Walker *walker);

/* walker_act.c */
void walker_act(Walker *walker, ActionId id);
/* True if the reader stands at a question or prediction that is still open. */
bool walker_is_asked(const Walker *walker);
/* True if the reader stands at a question that was skipped or answered wrongly: Enter and
 * the letters of the answers try again. */
bool walker_is_wrong(const Walker *walker);
/* Gives an input to the open question or prediction; true if it meant something there. */
bool walker_answer(Walker *walker, Input input);
void walker_play(Walker *walker);

/* walker_look.c */
void walker_look(Walker *walker);
bool walker_look_act(Walker *walker, ActionId id);
void walker_click(Walker *walker, int row, int col);
/* Puts the open cursor on another cell of its matrix; row and col are clamped. */
void walker_put_cursor(Walker *walker, size_t row, size_t col);
void walker_edit(Walker *walker);
/* Finds the cursor's matrix again in a new run; what is only a computed name on the page
 * is found by walker_find_again when that is drawn (true if it was). */
bool walker_find_again(Walker *walker);
void walker_look_again(Walker *walker, const char *name, size_t row, size_t col);
/* The name the value under the cursor is bound to, or NULL. */
const char *walker_bound_name(const Walker *walker, const Value *value);
/* True if the number under the cursor is kept back until it is guessed. */
bool walker_is_kept_back(const Walker *walker);
/* Appends what is said about the number under the cursor. */
void walker_add_explanation(const Walker *walker, Str *out);

/* walker_bench.c */
/* Begins to measure, if the step shows it, or ends it. */
void walker_bench(Walker *walker);
/* Measures one point more. */
void walker_bench_tick(Walker *walker);
/* Draws it for the page: what a `bench` view shows. */
Inset walker_bench_inset(Walker *walker);

/* walker_prompt.c */
void walker_ask(Walker *walker, PromptKind kind, const char *text);
void walker_prompt_input(Walker *walker, Input input);
void walker_search(Walker *walker, bool forward);
void walker_drop_result(Walker *walker);

/* walker_list.c */
void walker_open_list(Walker *walker, ListKind kind);
void walker_close_list(Walker *walker);
/* Opens the menu where there is neither a lesson nor a list to show. */
void walker_need_menu(Walker *walker);
void walker_list_act(Walker *walker, ActionId id);
void walker_list_click(Walker *walker, int row);
void walker_draw_list(Walker *walker, Grid *grid);
void walker_free_menu(Walker *walker);
/* Reads all lessons, once. */
void walker_load_menu(Walker *walker);
/* Closes the list and goes to a step of the lesson. */
void walker_to_step(Walker *walker, size_t step);

/* walker_words.c */
void walker_fill_words(Walker *walker);
/* Goes to where a word of the list is defined. */
void walker_open_word(Walker *walker, size_t word);
void walker_free_words(Walker *walker);

/* walker_draw.c */
/* Draws the page anew if something has happened since. */
void walker_refresh(Walker *walker);
void walker_add_keys(const Walker *walker, Str *out);

#endif
