/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench: what each form of attention costs on this machine. */
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/bench.h"
#include "app/bench_draw.h"
#include "app/color.h"
#include "app/command.h"
#include "app/meter.h"
#include "app/options.h"
#include "app/output.h"
#include "core/fast_level.h"
#include "io/json.h"
#include "io/number.h"

enum {
    USUAL_N = 16384,
    USUAL_DIM = 64,
    MOST_DIM = 1024,
    USUAL_SECONDS = 20,
    MOST_SECONDS = 86400,
    MOST_THREADS = 256,
    USUAL_COLS = 80,
    MOST_COLS = 100
};

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* The first Ctrl-C ends measuring, a second one the program. */
static void catch_interrupt(void)
{
    struct sigaction old, action = {.sa_handler = note_interrupt};
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGINT, NULL, &old);
    if (old.sa_handler != SIG_IGN)
        sigaction(SIGINT, &action, NULL);
}

static bool read_options(const Options *options, BenchOptions *out)
{
    double n, d, threads, seconds;
    if (!options_integer(options, OPTION_MAX_N, BENCH_LEAST_N, BENCH_MOST_N, USUAL_N, &n) ||
        !options_integer(options, OPTION_DIM, 1, MOST_DIM, USUAL_DIM, &d) ||
        !options_integer(options, OPTION_THREADS, 1, MOST_THREADS, 1, &threads) ||
        !options_integer(options, OPTION_SECONDS, 1, MOST_SECONDS, USUAL_SECONDS, &seconds))
        return false;
    *out = (BenchOptions){.d = (size_t)d,
                          .max_n = (size_t)n,
                          .forms = BENCH_ALL_FORMS,
                          .threads = (size_t)threads,
                          .seconds = seconds,
                          .point = 1,
                          .stop = &interrupted};
    return true;
}

static void measure(Bench *bench)
{
    size_t count;
    meter_count("measurements", (double)bench_planned(bench), false);
    do {
        bench_points(bench, &count);
        meter_show((double)count);
    } while (bench_step(bench));
    meter_count_end();
}

/* ---- what comes out ---- */

static void add_field(Str *out, double x)
{
    str_add_char(out, ',');
    number_add(out, x);
}

static void add_csv(const Bench *bench, Str *out)
{
    size_t count;
    const BenchPoint *points = bench_points(bench, &count);
    str_add(out, "form,n,d,threads,seconds,runs,multiply_adds,exponentials,gflops,share_of_peak,"
                 "bytes\n");
    for (size_t i = 0; i < count; i++) {
        const BenchPoint *p = &points[i];
        str_add(out, bench_form(p->form)->id);
        add_field(out, (double)p->n);
        add_field(out, (double)bench_options(bench)->d);
        add_field(out, (double)bench_options(bench)->threads);
        add_field(out, p->seconds);
        add_field(out, (double)p->runs);
        add_field(out, p->multiply_adds);
        add_field(out, p->exponentials);
        add_field(out, 2 * p->multiply_adds / p->seconds * 1e-9);
        add_field(out, bench_share_of_peak(bench, p));
        add_field(out, p->bytes);
        str_add_char(out, '\n');
    }
}

static void json_pair(Json *json, const char *key, double x)
{
    json_key(json, key);
    json_number(json, x);
}

static void json_points(Json *json, const Bench *bench)
{
    size_t count;
    const BenchPoint *points = bench_points(bench, &count);
    json_key(json, "points");
    json_open_array(json);
    for (size_t i = 0; i < count; i++) {
        json_open_object(json);
        json_key(json, "form");
        json_text(json, bench_form(points[i].form)->id);
        json_pair(json, "n", (double)points[i].n);
        json_pair(json, "seconds", points[i].seconds);
        json_pair(json, "runs", (double)points[i].runs);
        json_pair(json, "multiply_adds", points[i].multiply_adds);
        json_pair(json, "exponentials", points[i].exponentials);
        json_pair(json, "gflops", 2 * points[i].multiply_adds / points[i].seconds * 1e-9);
        json_pair(json, "share_of_peak", bench_share_of_peak(bench, &points[i]));
        json_pair(json, "bytes", points[i].bytes);
        json_close_object(json);
    }
    json_close_array(json);
}

/* What follows from the points of each form. */
static void json_forms(Json *json, const Bench *bench)
{
    json_key(json, "forms");
    json_open_array(json);
    for (size_t form = 0; form < BENCH_FORMS; form++) {
        double n, seconds;
        bool crosses = bench_crossover(bench, BENCH_SOFTMAX, form, &n, &seconds);
        json_open_object(json);
        json_key(json, "form");
        json_text(json, bench_form(form)->id);
        json_pair(json, "time_power", bench_slope(bench, form));
        json_pair(json, "memory_power", bench_memory_slope(bench, form));
        json_pair(json, "softmax_takes_longer_from", crosses ? n : NAN);
        json_pair(json, "left_out_from",
                  bench_left_out(bench, form) ? (double)bench_left_out(bench, form) : NAN);
        json_close_object(json);
    }
    json_close_array(json);
}

static void add_json(const Bench *bench, Str *out)
{
    Json json = json_begin(out);
    json_open_object(&json);
    json_pair(&json, "d", (double)bench_options(bench)->d);
    json_pair(&json, "threads", (double)bench_options(bench)->threads);
    json_key(&json, "kernels");
    json_text(&json, fast_level_name(fast_level()));
    json_pair(&json, "peak_gflops", 2e-9 * bench_peak(bench));
    json_points(&json, bench);
    json_forms(&json, bench);
    json_close_object(&json);
    str_add_char(out, '\n');
}

static int columns(void)
{
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0)
        return USUAL_COLS;
    return window.ws_col < MOST_COLS ? window.ws_col : MOST_COLS;
}

typedef struct {
    bool color, ascii;
    Theme theme;
} Look;

static bool read_look(const Options *options, Look *look)
{
    ColorWhen when;
    ThemeKind kind;
    if (!color_when(options, &when) || !color_theme(options, &kind))
        return false;
    look->ascii = output_is_ascii(options_has(options, OPTION_ASCII));
    look->color = color_is_wanted(when, isatty(STDOUT_FILENO));
    theme_init(&look->theme, kind, look->color ? color_count() : 0, false);
    return true;
}

static void add_report(const Bench *bench, const Look *look, Str *out)
{
    Grid *grid = bench_draw_report(bench, columns(), look->ascii);
    if (look->color)
        grid_add_ansi(out, grid, &look->theme);
    else
        grid_add_text(out, grid);
    grid_free(grid);
}

int command_bench(const Options *options)
{
    BenchOptions wanted;
    Look look;
    Str out = {0};
    if (options_has(options, OPTION_CSV) && options_has(options, OPTION_JSON))
        return output_usage(options->command, "--csv and --json exclude each other", "");
    if (!read_options(options, &wanted) || !read_look(options, &look))
        return EXIT_USAGE;
    catch_interrupt();
    Bench *bench = bench_new(&wanted);
    measure(bench);
    if (interrupted)
        output_say("stopped: this is what was measured so far");
    if (options_has(options, OPTION_CSV))
        add_csv(bench, &out);
    else if (options_has(options, OPTION_JSON))
        add_json(bench, &out);
    else
        add_report(bench, &look, &out);
    int status = output_data(&out);
    bench_free(bench);
    str_clear(&out);
    return status;
}
