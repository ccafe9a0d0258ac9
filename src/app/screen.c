/* SPDX-License-Identifier: GPL-3.0-or-later */
#define NCURSES_WIDECHAR 1
#include <curses.h>

#include "app/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

#include "app/meter.h"
#include "app/signals.h"
#include "app/terminal.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/file.h"

enum {
    KEY_PASTE_BEGIN = KEY_MAX + 1, /* codes of our own, behind those of curses */
    KEY_PASTE_END,
    MOST_PAIRS = 256,       /* COLOR_PAIR wraps there */
    ESCAPE_DELAY = 25,      /* ms that Esc waits for the rest of a key */
    MOST_REPEATS = 10000,
    MOST_CELL_BYTES = 64, /* that curses writes for a cell: a move, colours, a character */
    MOST_EMPTY_READS = 10000 /* inputs that turn out to be none, before the terminal is lost */
};

/* What a role with a mark looks like to curses. */
typedef struct {
    attr_t attributes;
    short pair;
} Look;

typedef struct {
    short ink, paper;
} Pair;

/* curses writes a page in many small pieces.  While it does, its descriptor leads to a
 * piece of shared memory, and the whole leaves in one write. */
struct Screen {
    SCREEN *curses;
    FILE *output;   /* what curses writes to */
    int terminal;   /* where that leads otherwise */
    int collected;  /* the memory, or -1: there is none */
    off_t room;     /* how much of it there is for certain */
    FILE *keys; /* where keys come from: stdin or /dev/tty */
    bool color;
    int colors;
    Theme theme;
    Look looks[ROLE_COUNT][MARK_COUNT];
    Pair pairs[MOST_PAIRS]; /* from 1 */
    short pair_count;
    Size window; /* as it was last found to be */
    Str meter_before, meter_after; /* what the meter writes around its line */
};

/* ---- the terminal's type ---- */

/* Terminals that newer machines know and Debian's base does not; they all understand what
 * xterm does. */
static bool is_like_xterm(const char *term)
{
    static const char *const names[] = {"xterm",   "kitty",   "alacritty", "foot",   "ghostty",
                                        "wezterm", "contour", "rio",       "iterm2", "konsole"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(term, names[i]))
            return true;
    return false;
}

/* NULL, or what is wrong with the type. */
static const char *try_type(const char *term)
{
    int code = 0;
    if (setupterm(term, STDOUT_FILENO, &code) != OK)
        return "is not known here";
    const char *place = tigetstr("cup");
    bool can = place && place != (char *)-1;
    del_curterm(cur_term);
    return can ? NULL : "cannot place the cursor";
}

static Status choose_type(const char **out, Error *error)
{
    const char *term = getenv("TERM");
    if (!term || !*term)
        return error_set(error, "TERM is not set: the terminal's type is unknown "
                                "('attnwalk show PLACE' and 'attnwalk read LESSON' print text)");
    *out = term;
    const char *wrong = try_type(term);
    if (wrong && is_like_xterm(term)) {
        *out = "xterm-256color";
        wrong = try_type(*out);
    }
    if (!wrong)
        return STATUS_OK;
    Str visible = {0};
    text_add_visible(&visible, term, strlen(term));
    error_set(error, "the terminal type '%s' %s ('attnwalk show PLACE' and 'attnwalk read LESSON' "
                     "print text)", str_text(&visible), wrong);
    str_clear(&visible);
    return STATUS_ERROR;
}

/* ---- what has to be undone ---- */

/* Appends a capability without its padding ("$<5>"). */
static void add_capability(Str *out, const char *bytes)
{
    if (!bytes || bytes == (char *)-1)
        return;
    for (; *bytes; bytes++) {
        const char *end = bytes[0] == '$' && bytes[1] == '<' ? strchr(bytes, '>') : NULL;
        if (end)
            bytes = end;
        else
            str_add_char(out, *bytes);
    }
}

static bool has_paste(const char *term)
{
    static const char *const names[] = {"tmux", "screen", "rxvt", "st-"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_starts(term, names[i]))
            return true;
    return is_like_xterm(term);
}

/* The bytes that bring the terminal back, known before anything is switched on. */
static void remember(const char *term, bool mouse)
{
    static const char *const names[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
    Str undo = {0};
    if (mouse) /* every protocol that curses may have chosen */
        str_add(&undo, "\033[?1000l\033[?1002l\033[?1003l\033[?1006l");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_capability(&undo, tigetstr(names[i]));
    str_add(&undo, "\r");
    terminal_remember(STDOUT_FILENO, str_text(&undo));
    str_clear(&undo);
    if (has_paste(term))
        /* The cursor too: should what curses writes for it be lost, it is there all the same. */
        terminal_set_extra("\033[?2004h", "\033[?2004l\033[?25h");
    else
        terminal_set_extra("", "");
}

static void end_for_memory(void)
{
    terminal_give_back();
    file_remove_temporaries();
}

/* ncurses 6.4 takes some of its allocations for granted. */
static const char crash[] = "attnwalk: the terminal library crashed: too little memory?\n";

/* Curses ends the program itself when it has no memory, and says so to the screen. */
static bool curses_at_work;

static void meet_exit(void)
{
    if (curses_at_work)
        memory_exhausted();
}

/* ---- opening ---- */

static Status open_keys(Screen *s, Error *error)
{
    if (isatty(STDIN_FILENO)) {
        s->keys = stdin;
        return STATUS_OK;
    }
    int fd = open("/dev/tty", O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        s->keys = fdopen(fd, "r");
    if (!s->keys && fd >= 0)
        close(fd);
    if (s->keys)
        return STATUS_OK;
    return error_set(error, "no terminal to read keys from ('attnwalk show PLACE' and 'attnwalk "
                            "read LESSON' print text)");
}

static Size window_size(void)
{
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_row == 0 || window.ws_col == 0)
        return (Size){24, 80};
    return (Size){window.ws_row, window.ws_col};
}

/* Memory that can be written to as a file; it has no name. */
static int open_memory(void)
{
    Str name = {0};
    str_addf(&name, "/attnwalk-%ld", (long)getpid());
    int fd = shm_open(str_text(&name), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd >= 0)
        shm_unlink(str_text(&name));
    str_clear(&name);
    return fd;
}

static void close_files(Screen *s)
{
    if (s->output)
        fclose(s->output);
    if (s->terminal >= 0)
        close(s->terminal);
    if (s->collected >= 0)
        close(s->collected);
    if (s->keys && s->keys != stdin)
        fclose(s->keys);
    str_clear(&s->meter_before);
    str_clear(&s->meter_after);
    free(s);
}

static bool start_curses(Screen *s, const char *term)
{
    int fd = dup(STDOUT_FILENO);
    s->terminal = dup(STDOUT_FILENO);
    s->collected = open_memory();
    s->output = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!s->output && fd >= 0)
        close(fd);
    if (s->output && s->terminal >= 0)
        s->curses = newterm(term, s->output, s->keys);
    return s->curses != NULL;
}

/* Keys whose sequences the terminal's type may not tell: a paste, and the arrows of a
 * terminal that did not switch its keypad over. */
static void define_keys(void)
{
    static const struct {
        const char *bytes;
        int code;
    } keys[] = {
        {"\033[200~", KEY_PASTE_BEGIN}, {"\033[201~", KEY_PASTE_END}, {"\033[A", KEY_UP},
        {"\033[B", KEY_DOWN},           {"\033[C", KEY_RIGHT},        {"\033[D", KEY_LEFT},
        {"\033[H", KEY_HOME},           {"\033[F", KEY_END},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (key_defined(keys[i].bytes) == 0)
            define_key(keys[i].bytes, keys[i].code);
}

static void set_modes(Screen *s, bool mouse)
{
    if (!getenv("ESCDELAY"))
        set_escdelay(ESCAPE_DELAY);
    cbreak();
    noecho();
    nonl();
    typeahead(-1);
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    curs_set(0);
    if (mouse) {
        mouseinterval(0);
        mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    }
    define_keys();
    if (s->color && has_colors() && start_color() == OK && use_default_colors() == OK)
        s->colors = COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : 8;
}

/* Sees to it that the terminal is given back however the program ends. */
static bool guard(const char *term, bool mouse)
{
    int code;
    if (setupterm(term, STDOUT_FILENO, &code) != OK)
        return false;
    remember(term, mouse);
    del_curterm(cur_term);
    memory_set_hook(end_for_memory);
    return true;
}

static void unguard(void)
{
    terminal_forget();
    memory_set_hook(file_remove_temporaries);
}

static Status open_screen(const ScreenOptions *options, Screen **out, Error *error)
{
    const char *term = NULL;
    if (choose_type(&term, error))
        return STATUS_ERROR;
    Screen *s = memory_zeros(1, sizeof *s);
    s->color = options->color;
    s->terminal = s->collected = -1;
    if (open_keys(s, error)) {
        close_files(s);
        return STATUS_ERROR;
    }
    bool mouse = options->mouse && !text_starts(term, "linux"); /* there it is gpm's */
    if (!guard(term, mouse) || !start_curses(s, term)) {
        unguard();
        close_files(s);
        return error_set(error, "the terminal cannot be used");
    }
    signals_catch_stop();
    set_modes(s, mouse);
    terminal_extra_on();
    s->theme.kind = THEME_COUNT; /* none yet */
    *out = s;
    return STATUS_OK;
}

Status screen_open(const ScreenOptions *options, Screen **out, Error *error)
{
    if (!isatty(STDOUT_FILENO))
        return error_set(error, "standard output is not a terminal ('attnwalk show PLACE' and "
                                "'attnwalk read LESSON' print text)");
    meter_end();
    curses_at_work = true;
    atexit(meet_exit);
    signals_catch();
    signals_explain_crash(crash);
    Status status = open_screen(options, out, error);
    signals_explain_crash(NULL);
    curses_at_work = status == STATUS_OK;
    if (status)
        signals_release();
    return status;
}

/* What curses writes goes to the terminal (again). */
static bool lead_back(const Screen *s)
{
    return dup2(s->terminal, fileno(s->output)) >= 0;
}

void screen_close(Screen *s)
{
    meter_end();
    bool led = lead_back(s);
    terminal_extra_off();
    endwin();
    if (!led)
        terminal_give_back();
    unguard();
    signals_explain_crash(crash);
    delscreen(s->curses);
    signals_explain_crash(NULL);
    signals_release();
    curses_at_work = false;
    close_files(s);
}

Size screen_size(const Screen *s)
{
    (void)s;
    Size size;
    getmaxyx(stdscr, size.rows, size.cols);
    return size;
}

/* ---- writing ---- */

/* Appends bytes, "repeat the last character n times" (CSI n b) written out: terminals that
 * pass for xterm differ about it at the right edge, or do not know it. */
static void add_written_out(Str *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        size_t k = i + 2, count = 0;
        if (bytes[i] == '\033' && k < length && bytes[i + 1] == '[')
            for (; k < length && bytes[k] >= '0' && bytes[k] <= '9' && count < MOST_REPEATS; k++)
                count = 10 * count + (size_t)(bytes[k] - '0');
        if (count > 0 && k < length && bytes[k] == 'b' && out->length > 0) {
            str_add_repeat(out, out->data[out->length - 1], count);
            i = k;
        } else {
            str_add_char(out, bytes[i]);
        }
    }
}

/* Sends what was collected. */
static void send_collected(const Screen *s)
{
    off_t length = lseek(s->collected, 0, SEEK_CUR);
    if (length <= 0)
        return;
    char *bytes = memory_alloc((size_t)length);
    ssize_t got = pread(s->collected, bytes, (size_t)length, 0);
    Str page = {0};
    if (got > 0)
        add_written_out(&page, bytes, (size_t)got);
    terminal_write(s->terminal, str_text(&page), page.length);
    str_clear(&page);
    free(bytes);
}

/* Makes sure that a page fits the memory: what curses could not write there would be lost. */
static bool has_room(Screen *s)
{
    Size size = screen_size(s);
    off_t room = MOST_CELL_BYTES * ((off_t)size.rows * size.cols + 1024);
    if (s->room < room && posix_fallocate(s->collected, 0, room) == 0)
        s->room = room;
    return s->room >= room;
}

static void refresh_explained(void)
{
    signals_explain_crash(crash);
    refresh();
    signals_explain_crash(NULL);
}

/* The same in one write.  Being stopped has to wait: curses would say good-bye to the
 * memory. */
static void refresh_at_once(Screen *s)
{
    int fd = fileno(s->output);
    sigset_t stop, before;
    if (s->collected < 0 || !has_room(s) || lseek(s->collected, 0, SEEK_SET) != 0) {
        refresh_explained();
        return;
    }
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    sigprocmask(SIG_BLOCK, &stop, &before);
    bool led = dup2(s->collected, fd) >= 0;
    refresh_explained();
    if (led) {
        lead_back(s); /* should it fail, pages are sent all the same, and the end sees to it */
        send_collected(s);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ---- while the program works ---- */

/* The last row says so, and the cursor comes back to where curses left it. */
static void begin_work(Screen *s)
{
    int row, col, last = screen_size(s).rows - 1;
    getyx(stdscr, row, col);
    str_cut(&s->meter_before, 0);
    str_cut(&s->meter_after, 0);
    add_capability(&s->meter_before, tiparm(cursor_address, last, 0));
    add_capability(&s->meter_before, enter_reverse_mode);
    add_capability(&s->meter_after, exit_attribute_mode);
    add_capability(&s->meter_after, tiparm(cursor_address, row, col));
    meter_begin_on_page(str_text(&s->meter_before), str_text(&s->meter_after));
}

/* What the meter wrote is unknown to curses.  True if there was any. */
static bool end_work(void)
{
    bool written = meter_end();
    if (written)
        wredrawln(stdscr, getmaxy(stdscr) - 1, 1);
    return written;
}

/* ---- painting ---- */

static short color_pair(Screen *s, short ink, short paper)
{
    if (ink == COLOR_OF_TERMINAL && paper == COLOR_OF_TERMINAL)
        return 0;
    for (short i = 1; i <= s->pair_count; i++)
        if (s->pairs[i].ink == ink && s->pairs[i].paper == paper)
            return i;
    if (s->pair_count + 1 >= MOST_PAIRS || s->pair_count + 1 >= COLOR_PAIRS)
        return 0;
    s->pair_count++;
    s->pairs[s->pair_count] = (Pair){ink, paper};
    init_pair(s->pair_count, ink, paper);
    return s->pair_count;
}

static Look look_of(Screen *s, Style style)
{
    Look look = {0, s->colors ? color_pair(s, style.ink, style.paper) : (short)0};
    if (style.attributes & STYLE_BOLD)
        look.attributes |= WA_BOLD;
    if (style.attributes & STYLE_UNDERLINE)
        look.attributes |= WA_UNDERLINE;
    if (style.attributes & STYLE_REVERSE)
        look.attributes |= WA_REVERSE;
    return look;
}

static void set_theme(Screen *s, ThemeKind kind, bool projector)
{
    if (s->theme.kind == kind && s->theme.projector == projector)
        return;
    theme_init(&s->theme, s->colors ? kind : THEME_MONO, s->colors, projector);
    s->pair_count = 0;
    for (int role = 0; role < ROLE_COUNT; role++)
        for (int mark = 0; mark < MARK_COUNT; mark++)
            s->looks[role][mark] = look_of(s, theme_style(&s->theme, (Role)role, (Mark)mark));
    s->theme.kind = kind; /* as asked for, so that it is not set again */
    s->theme.projector = projector;
}

/* The grapheme as curses wants it; "?" for what the locale's tables make wider or
 * narrower than the page does. */
static void to_wide(const char *text, size_t length, int width, wchar_t *out)
{
    size_t count = 0;
    for (size_t i = 0; i < length && count < CCHARW_MAX; i += text_next(text + i, length - i)) {
        int32_t c = text_decode(text + i, length - i);
        out[count++] = c < 0 ? L'?' : (wchar_t)c;
    }
    out[count] = L'\0';
    if (count == 0 || wcwidth(out[0]) != width) {
        out[0] = count ? L'?' : L' ';
        out[1] = L'\0';
    }
}

static void paint_cell(Screen *s, const Grid *grid, int row, int col, Str *text)
{
    const Cell *cell = grid_cell(grid, row, col);
    const Look *look = &s->looks[cell->role][cell->mark];
    wchar_t wide[CCHARW_MAX + 1];
    cchar_t shown;
    if (cell->width == 0)
        return;
    str_cut(text, 0);
    grid_add_cell(text, grid, cell);
    to_wide(str_text(text), text->length, cell->width, wide);
    setcchar(&shown, wide, look->attributes, look->pair, NULL);
    mvadd_wch(row, col, &shown);
    if (cell->width == 2 && wide[0] == L'?')
        mvadd_wch(row, col + 1, &shown);
}

void screen_paint(Screen *s, const Grid *grid, ThemeKind theme, bool projector, int row, int col,
                  bool afresh)
{
    Str text = {0};
    Size size = screen_size(s);
    end_work();
    set_theme(s, theme, projector);
    erase();
    for (int i = 0; i < grid->rows && i < size.rows; i++)
        for (int j = 0; j < grid->cols && j < size.cols; j++)
            paint_cell(s, grid, i, j, &text);
    str_clear(&text);
    if (row >= 0 && row < size.rows && col < size.cols)
        move(row, col);
    else
        move(size.rows - 1, 0);
    if (afresh)
        clearok(stdscr, TRUE);
    refresh_at_once(s);
}

/* ---- inputs ---- */

static Input key(InputKind kind)
{
    return (Input){.kind = kind};
}

static Input mouse_input(void)
{
    MEVENT event;
    if (getmouse(&event) != OK)
        return key(INPUT_NONE);
    if (event.bstate & BUTTON4_PRESSED)
        return key(INPUT_WHEEL_UP);
    if (event.bstate & BUTTON5_PRESSED)
        return key(INPUT_WHEEL_DOWN);
    if (event.bstate & BUTTON1_PRESSED)
        return (Input){.kind = INPUT_CLICK, .row = event.y, .col = event.x};
    return key(INPUT_NONE);
}

static Input code_input(wint_t code)
{
    switch (code) {
    case KEY_LEFT: return key(INPUT_LEFT);
    case KEY_RIGHT: return key(INPUT_RIGHT);
    case KEY_UP: return key(INPUT_UP);
    case KEY_DOWN: return key(INPUT_DOWN);
    case KEY_HOME: return key(INPUT_HOME);
    case KEY_END: return key(INPUT_END);
    case KEY_PPAGE: return key(INPUT_PAGE_UP);
    case KEY_NPAGE: return key(INPUT_PAGE_DOWN);
    case KEY_ENTER: return key(INPUT_ENTER);
    case KEY_BTAB: return key(INPUT_BACK_TAB);
    case KEY_BACKSPACE: return key(INPUT_BACKSPACE);
    case KEY_DC: return key(INPUT_DELETE);
    case KEY_RESIZE: return key(INPUT_RESIZE);
    case KEY_MOUSE: return mouse_input();
    case KEY_PASTE_BEGIN: return key(INPUT_PASTE_BEGIN);
    case KEY_PASTE_END: return key(INPUT_PASTE_END);
    default: return key(INPUT_NONE);
    }
}

static Input character_input(wint_t c)
{
    switch (c) {
    case '\r':
    case '\n': return key(INPUT_ENTER);
    case '\t': return key(INPUT_TAB);
    case '\b':
    case 0x7F: return key(INPUT_BACKSPACE);
    case 0x1B: return key(INPUT_ESCAPE);
    default:
        if (c < ' ')
            return (Input){.kind = INPUT_CONTROL, .c = (uint32_t)c + '@'};
        return (Input){.kind = INPUT_CHAR, .c = (uint32_t)c};
    }
}

/* The next input that curses has, or can read without waiting. */
static bool take(Input *out)
{
    wint_t c;
    int status = get_wch(&c);
    if (status == ERR)
        return false;
    *out = status == KEY_CODE_YES ? code_input(c) : character_input(c);
    return true;
}

/* True if there is nothing to read though reading would not wait: the other end is gone.
 * (Bytes that are no characters have been read and dropped: then reading would wait.) */
static bool is_ended(struct pollfd *keys)
{
    int waiting = 0;
    if (keys->revents & (POLLHUP | POLLERR | POLLNVAL))
        return true;
    if (poll(keys, 1, 0) <= 0)
        return false;
    return ioctl(keys->fd, FIONREAD, &waiting) != 0 || waiting == 0;
}

/* The program goes on.  Whoever had the terminal meanwhile may have left anything there, and
 * another size; woken: and nobody has switched our modes on again. */
static void resume(bool woken)
{
    Size size = window_size();
    if (woken) {
        endwin();
        refresh();
        terminal_extra_on();
    }
    resizeterm(size.rows, size.cols);
    clearok(stdscr, TRUE);
}

static ScreenEvent wait_for_input(Screen *s, int timeout, Input *out)
{
    struct pollfd keys = {.fd = fileno(s->keys), .events = POLLIN};
    for (int empty = 0; empty < MOST_EMPTY_READS; empty++) {
        if (take(out))
            return SCREEN_INPUT;
        int ready = poll(&keys, 1, timeout);
        SignalsNews news = signals_take_news();
        if (news != SIGNALS_NOTHING) {
            resume(news == SIGNALS_WOKEN);
            *out = key(INPUT_RESIZE);
            return SCREEN_INPUT;
        }
        if (ready == 0)
            return SCREEN_TIMEOUT;
        if (ready > 0 && take(out))
            return SCREEN_INPUT;
        if (ready > 0 && is_ended(&keys))
            return SCREEN_ENDED;
        if (ready < 0 && errno != EINTR)
            return SCREEN_ENDED;
    }
    return SCREEN_ENDED;
}

/* Between a wait that may last and the next page or wait, the program works. */
ScreenEvent screen_wait(Screen *s, int timeout, Input *out)
{
    Size size = window_size();
    if (timeout != 0 && end_work())
        refresh_at_once(s);
    if (size.rows != s->window.rows || size.cols != s->window.cols) {
        s->window = size; /* in a storm of changes curses may miss the last */
        resume(false);
        *out = key(INPUT_RESIZE);
        return SCREEN_INPUT;
    }
    ScreenEvent event = wait_for_input(s, timeout, out);
    if (timeout != 0)
        begin_work(s);
    return event;
}
