/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every expected value in tests/data/cases, by the table of systems below. The
 * manifest decides what is compared: a system or a file of it that the table
 * does not produce fails, as does a row that no file asks for. */
#include "case.h"

#include "core/delta.h"
#include "core/elementary.h"
#include "core/feature.h"
#include "core/linear.h"
#include "core/measure.h"
#include "core/product.h"
#include "core/rope.h"
#include "core/scan.h"
#include "core/softmax.h"

typedef Matrix *(*FeatureMap)(const Matrix *);

/* What distinguishes the systems that one function serves. */
typedef struct System System;
struct System {
    const char *name;
    void (*run)(Case *, const System *);
    FeatureMap phi;
    int variant;
    const char *text; /* the name of an input file */
};

static const Matrix *product(Case *c, const Matrix *a, const Matrix *b)
{
    return made(c, matrix_multiply(a, b));
}

static const Matrix *turned(Case *c, const Matrix *a)
{
    return made(c, matrix_transpose(a));
}

static const Matrix *unit_keys(Case *c)
{
    return made(c, feature_l2rows(input(c, "K")));
}

static size_t chunk_of(Case *c)
{
    return (size_t)param(c, "chunk");
}

/* --- softmax and the two orders of brackets ----------------------------------- */

enum { SCALED = 4 }; /* added to a SoftmaxMask */

static void run_softmax(Case *c, const System *s)
{
    const Matrix *Q = input(c, "Q"), *K = input(c, "K"), *V = input(c, "V");
    SoftmaxMask mask = (SoftmaxMask)(s->variant & 3);
    size_t w = (size_t)param(c, "window");
    const Matrix *scores =
        s->variant & SCALED ? made(c, softmax_scores(Q, K)) : product(c, Q, turned(c, K));
    const Matrix *seen = mask == SOFTMAX_FULL     ? scores
                         : mask == SOFTMAX_CAUSAL ? made(c, mask_causal(scores))
                                                  : made(c, mask_window(scores, w));
    const Matrix *P = made(c, softmax_rows(seen));
    result(c, "scores", scores);
    result(c, "P", P);
    result(c, "Y", product(c, P, V));
    if (s->variant & SCALED)
        give(c, "Y", softmax_attention(Q, K, V, mask, w));
}

static void run_left(Case *c, const System *s)
{
    (void)s;
    const Matrix *A = product(c, input(c, "Q"), turned(c, input(c, "K")));
    result(c, "A", A);
    result(c, "Y", product(c, A, input(c, "V")));
}

static void run_right(Case *c, const System *s)
{
    (void)s;
    const Matrix *S = product(c, turned(c, input(c, "K")), input(c, "V"));
    result(c, "S", S);
    result(c, "Y", product(c, input(c, "Q"), S));
}

/* --- linear attention ------------------------------------------------------------ */

static void run_phi(Case *c, const System *s)
{
    give(c, "phiQ", s->phi(input(c, "Q")));
    give(c, "phiK", s->phi(input(c, "K")));
}

static LinearInput linear_input(Case *c, const System *s)
{
    LinearInput in = {.V = input(c, "V")};
    in.phiQ = made(c, s->phi(input(c, "Q")));
    in.phiK = made(c, s->phi(input(c, "K")));
    in.normalised = s->phi != feature_identity;
    in.keep_states = in.keep_weights = true;
    return in;
}

static void give_linear(Case *c, LinearResult r)
{
    give(c, "Y", r.Y);
    give(c, "den", r.den);
    give(c, "A", r.A);
    give(c, "W", r.W);
    /* stacks where there are any, else the last state */
    give(c, "S", r.S_all ? r.S_all : matrix_ref(r.S));
    give(c, "z", r.z_all ? r.z_all : matrix_ref(r.z));
    matrix_unref(r.S);
    matrix_unref(r.z);
}

static void run_linear_full(Case *c, const System *s)
{
    LinearInput in = linear_input(c, s);
    give_linear(c, linear_full(&in));
}

/* The forms that keep stacks, and the parallel one, whose outputs must agree too. */
static void give_recurrent(Case *c, const LinearInput *in)
{
    LinearResult parallel = linear_causal(in);
    give(c, "Y", matrix_ref(parallel.Y));
    give(c, "den", matrix_ref(parallel.den));
    give(c, "A", matrix_ref(parallel.A));
    give(c, "W", matrix_ref(parallel.W));
    linear_result_clear(&parallel);
    give_linear(c, linear_recurrent(in));
}

static void run_linear_causal(Case *c, const System *s)
{
    LinearInput in = linear_input(c, s);
    give_recurrent(c, &in);
}

static void run_linear_chunked(Case *c, const System *s)
{
    LinearInput in = linear_input(c, s);
    give_linear(c, linear_chunked(&in, chunk_of(c)));
}

enum { FIXED, STEPS, CHUNKED = 2 };

static LinearInput decay_input(Case *c, const System *s)
{
    LinearInput in = linear_input(c, s);
    in.decay =
        s->variant & STEPS ? input(c, "gamma") : made(c, matrix_scalar(param(c, "gamma_fixed")));
    return in;
}

static void run_decay(Case *c, const System *s)
{
    LinearInput in = decay_input(c, s);
    if (s->variant & CHUNKED) {
        give_linear(c, linear_chunked(&in, chunk_of(c)));
        return;
    }
    give(c, "D", linear_decay_mask(in.decay, in.V->rows));
    give_recurrent(c, &in);
}

static void run_favor(Case *c, const System *s)
{
    const Matrix *omega = input(c, s->text);
    const Matrix *Q = made(c, feature_quarter_scale(input(c, "Q")));
    const Matrix *K = made(c, feature_quarter_scale(input(c, "K")));
    LinearInput in = {.V = input(c, "V"), .normalised = true, .keep_weights = true};
    in.phiQ = made(c, feature_favor(Q, omega));
    in.phiK = made(c, feature_favor(K, omega));
    result(c, "phiQ", in.phiQ);
    result(c, "phiK", in.phiK);
    LinearInput stable = in; /* constants that cancel must not show */
    stable.phiQ = made(c, feature_favor_stable(Q, omega, true));
    stable.phiK = made(c, feature_favor_stable(K, omega, false));
    for (int i = 0; i < 2; i++) {
        const LinearInput *one = i ? &stable : &in;
        LinearResult r = s->variant == SOFTMAX_CAUSAL ? linear_causal(one) : linear_full(one);
        give(c, "W", matrix_ref(r.W));
        give(c, "Y", matrix_ref(r.Y));
        linear_result_clear(&r);
    }
}

/* --- delta ---------------------------------------------------------------------------- */

enum { RAW, UNIT, GATED }; /* CHUNKED_DELTA is added */
enum { CHUNKED_DELTA = 4 };

static void give_delta(Case *c, DeltaResult r)
{
    give(c, "Y", r.Y);
    give(c, "S", r.S_all);
    give(c, "pred", r.pred);
    give(c, "err", r.err);
    give(c, "U", r.U);
    give(c, "W", r.W);
    matrix_unref(r.S);
}

static void run_delta(Case *c, const System *s)
{
    int kind = s->variant & 3;
    DeltaInput in = {.Q = input(c, "Q"), .V = input(c, "V"), .beta = input(c, "beta")};
    in.K = kind == RAW ? input(c, "K") : unit_keys(c);
    in.alpha = kind == GATED ? input(c, "alpha") : NULL;
    in.keep_states = true;
    if (s->variant & CHUNKED_DELTA)
        give_delta(c, delta_chunked(&in, chunk_of(c)));
    else
        give_delta(c, delta_recurrent(&in));
}

/* --- scans, rotations, norms ------------------------------------------------------------ */

static void run_mamba(Case *c, const System *s)
{
    ScanInput in = {.x = input(c, "V"), .rule = (ScanRule)s->variant, .keep_states = true};
    in.delta = input(c, "mamba_delta");
    in.A = input(c, "mamba_A");
    in.B = input(c, "mamba_B");
    in.C = input(c, "mamba_C");
    in.D = input(c, "mamba_D");
    ScanResult r = scan_selective(&in);
    give(c, "Y", matrix_ref(r.Y));
    give(c, "h", matrix_ref(r.h_all));
    scan_result_clear(&r);
}

static void run_ssd(Case *c, const System *s)
{
    const Matrix *X = input(c, "V"), *a = input(c, "ssd_a");
    const Matrix *B = input(c, "mamba_B"), *C = input(c, "mamba_C");
    ScanResult r = s->variant ? scan_ssd_matrix(X, a, B, C) : scan_ssd(X, a, B, C, true);
    give(c, "D", linear_decay_mask(a, X->rows));
    give(c, "Y", matrix_ref(r.Y));
    if (r.M)
        give(c, "M", matrix_ref(r.M));
    if (r.h_all)
        give(c, "S", matrix_ref(r.h_all));
    scan_result_clear(&r);
}

static void run_rope(Case *c, const System *s)
{
    const Matrix *Q = made(c, s->phi(input(c, "Q"))), *K = made(c, s->phi(input(c, "K")));
    result(c, "Q", Q);
    result(c, "K", K);
    result(c, "scores", product(c, Q, turned(c, K)));
}

/* Rotated features above, plain features below the line of the fraction. */
static void run_rope_after(Case *c, const System *s)
{
    const Matrix *phiQ = made(c, s->phi(input(c, "Q"))), *phiK = made(c, s->phi(input(c, "K")));
    LinearInput plain = {.phiQ = phiQ, .phiK = phiK, .V = input(c, "V")}, rotated = plain;
    rotated.phiQ = made(c, rope_interleaved(phiQ));
    rotated.phiK = made(c, rope_interleaved(phiK));
    rotated.keep_weights = true;
    LinearResult below = linear_causal(&plain), above = linear_causal(&rotated);
    Matrix *Y = matrix_from(above.Y->rows, above.Y->cols, above.Y->cells);
    for (size_t i = 0; i < matrix_count(Y); i++)
        matrix_fill(Y)[i] /= below.den->cells[i / Y->cols];
    give(c, "A", matrix_ref(above.A));
    give(c, "den", matrix_ref(below.den));
    give(c, "Y", Y);
    linear_result_clear(&below);
    linear_result_clear(&above);
}

static void run_l2norm(Case *c, const System *s)
{
    (void)s;
    result(c, "K", unit_keys(c));
}

/* --- a stack of layers --------------------------------------------------------------------- */

static Matrix *mix(int layer, const Matrix *Q, const Matrix *K, const Matrix *V, Case *c)
{
    if (layer == 0) {
        LinearInput in = {.V = V, .normalised = true};
        in.phiQ = made(c, feature_elu1(Q));
        in.phiK = made(c, feature_elu1(K));
        LinearResult r = linear_causal(&in);
        Matrix *Y = matrix_ref(r.Y);
        linear_result_clear(&r);
        return Y;
    }
    if (layer == 1) {
        DeltaInput in = {.Q = Q, .V = V};
        in.K = made(c, feature_l2rows(K));
        in.beta = made(c, matrix_scalar(1));
        DeltaResult r = delta_recurrent(&in);
        Matrix *Y = matrix_ref(r.Y);
        delta_result_clear(&r);
        return Y;
    }
    return softmax_attention(Q, K, V, layer == 2 ? SOFTMAX_WINDOW : SOFTMAX_CAUSAL, 2);
}

static const Matrix *weight(Case *c, int layer, const char *which)
{
    char name[32];
    snprintf(name, sizeof name, "hybrid_%d_W%s", layer, which);
    return input(c, name);
}

static void run_hybrid(Case *c, const System *s)
{
    (void)s;
    static const char *const names[] = {"X0", "X1", "X2", "X3", "X4"};
    const Matrix *X = input(c, "Q");
    result(c, names[0], X);
    for (int layer = 0; layer < 4; layer++) {
        const Matrix *Q = product(c, X, weight(c, layer, "q"));
        const Matrix *K = product(c, X, weight(c, layer, "k"));
        const Matrix *V = product(c, X, weight(c, layer, "v"));
        const Matrix *mixed = made(c, mix(layer, Q, K, V, c));
        Matrix *next = matrix_multiply(mixed, weight(c, layer, "o"));
        for (size_t i = 0; i < matrix_count(next); i++)
            matrix_fill(next)[i] += X->cells[i];
        X = made(c, next);
        result(c, names[layer + 1], X);
    }
}

/* --- measures -----------------------------------------------------------------------------------
 */

enum { ADDITIVE, DELTA_1, DELTA_3, BY_SOFTMAX };

static const Matrix *recalled(Case *c, int variant)
{
    const Matrix *K = unit_keys(c), *V = input(c, "V");
    if (variant == ADDITIVE)
        return product(c, K, product(c, turned(c, K), V));
    if (variant == BY_SOFTMAX) {
        Matrix *scores = matrix_multiply(K, turned(c, K));
        for (size_t i = 0; i < matrix_count(scores); i++)
            matrix_fill(scores)[i] *= (double)K->cols;
        return product(c, made(c, softmax_rows(made(c, scores))), V);
    }
    const Matrix *S = NULL; /* each pass goes on from the state of the last */
    for (int pass = 0; pass < (variant == DELTA_3 ? 3 : 1); pass++) {
        DeltaInput in = {.Q = K, .K = K, .V = V, .beta = made(c, matrix_scalar(1)), .S = S};
        DeltaResult r = delta_chunked(&in, chunk_of(c));
        S = made(c, matrix_ref(r.S));
        delta_result_clear(&r);
    }
    return product(c, K, S);
}

static void run_recall(Case *c, const System *s)
{
    const Matrix *got = recalled(c, s->variant), *V = input(c, "V");
    result(c, "Vhat", got);
    double rel = relative_error(got, V);
    give(c, "measures", COLUMN(rel * rel, recall_rate(got, V), recall_rate_direction(got, V)));
}

static void give_shape(Case *c, const char *name, const char *entropy_name, const Matrix *W)
{
    const Matrix *H = made(c, entropy_rows(W));
    double entropy = 0, largest = 0;
    for (size_t i = 0; i < W->rows; i++) {
        double most = 0;
        for (size_t j = 0; j < W->cols; j++)
            most = fmax(most, matrix_at(W, i, j));
        entropy += H->cells[i] / (double)W->rows;
        largest += most / (double)W->rows;
    }
    give(c, name, COLUMN(effective_rank(W), numeric_rank(W), entropy, largest));
    result(c, entropy_name, H);
}

static void run_shapes(Case *c, const System *s)
{
    const Matrix *scores = made(c, softmax_scores(input(c, "Q"), input(c, "K")));
    const Matrix *seen = made(c, mask_causal(scores));
    give_shape(c, "softmax_scaled", "softmax_scaled_entropy", made(c, softmax_rows(scores)));
    give_shape(c, "softmax_scaled_causal", "softmax_scaled_causal_entropy",
               made(c, softmax_rows(seen)));
    LinearInput in = linear_input(c, s);
    LinearResult full = linear_full(&in), causal = linear_causal(&in);
    give_shape(c, "linear_elu1_full", "linear_elu1_full_entropy", made(c, matrix_ref(full.W)));
    give_shape(c, "linear_elu1_causal", "linear_elu1_causal_entropy",
               made(c, matrix_ref(causal.W)));
    linear_result_clear(&full);
    linear_result_clear(&causal);
}

/* --- edge/
 * ------------------------------------------------------------------------------------------ */

static void run_edge_decay(Case *c, const System *s)
{
    LinearInput in = {.phiQ = input(c, "Q"), .phiK = input(c, "K"), .V = input(c, "V")};
    (void)s;
    in.decay = input(c, "gamma");
    in.keep_weights = true;
    give(c, "D", linear_decay_mask(in.decay, in.V->rows));
    give_recurrent(c, &in);
    for (size_t chunk = 1; chunk <= 5; chunk++)
        give_linear(c, linear_chunked(&in, chunk));
}

static void run_edge_delta(Case *c, const System *s)
{
    DeltaInput in = {.Q = input(c, "Q"), .K = input(c, "K"), .V = input(c, "V")};
    in.beta = input(c, "beta");
    in.alpha = s->variant == GATED ? input(c, "alpha") : NULL;
    in.keep_states = true;
    give_delta(c, delta_recurrent(&in));
    for (size_t chunk = 1; chunk <= 4; chunk++) {
        DeltaResult r = delta_chunked(&in, chunk);
        give(c, "Y", matrix_ref(r.Y));
        delta_result_clear(&r);
    }
}

static void run_edge_favor(Case *c, const System *s)
{
    (void)s;
    const Matrix *omega = input(c, "omega");
    const Matrix *Q = made(c, feature_quarter_scale(input(c, "Q")));
    const Matrix *K = made(c, feature_quarter_scale(input(c, "K")));
    give(c, "phiQ", feature_favor(Q, omega));
    LinearInput in = {.V = input(c, "V"), .normalised = true};
    in.phiQ = made(c, feature_favor_stable(Q, omega, true));
    in.phiK = made(c, feature_favor_stable(K, omega, false));
    LinearResult r = linear_full(&in);
    give(c, "Y", matrix_ref(r.Y));
    linear_result_clear(&r);
}

static void run_edge_l2norm(Case *c, const System *s)
{
    (void)s;
    give(c, "X", feature_l2rows(input(c, "X")));
    give(c, "X_eps1e6", feature_l2rows_eps(input(c, "X"), 1e-6));
}

static void run_edge_softmax(Case *c, const System *s)
{
    (void)s;
    give(c, "P", softmax_rows(input(c, "scores")));
}

/* --- the table
 * ------------------------------------------------------------------------------------------ */

#define LINEAR(map)                                                                                \
    {"linear_" #map "_full", run_linear_full, feature_##map, 0, NULL},                             \
        {"linear_" #map "_causal", run_linear_causal, feature_##map, 0, NULL},                     \
    {                                                                                              \
        "linear_" #map "_chunked", run_linear_chunked, feature_##map, 0, NULL                      \
    }
#define DELTA(kind, variant)                                                                       \
    {kind, run_delta, NULL, variant, NULL},                                                        \
    {                                                                                              \
        kind "_chunked", run_delta, NULL, (variant) | CHUNKED_DELTA, NULL                          \
    }

static const System systems[] = {
    {"softmax_scaled", run_softmax, NULL, SCALED | SOFTMAX_FULL, NULL},
    {"softmax_scaled_causal", run_softmax, NULL, SCALED | SOFTMAX_CAUSAL, NULL},
    {"softmax_scaled_window", run_softmax, NULL, SCALED | SOFTMAX_WINDOW, NULL},
    {"softmax_unscaled", run_softmax, NULL, SOFTMAX_FULL, NULL},
    {"softmax_unscaled_causal", run_softmax, NULL, SOFTMAX_CAUSAL, NULL},
    {"unnormalised_left", run_left, NULL, 0, NULL},
    {"unnormalised_right", run_right, NULL, 0, NULL},
    {"phi_elu1", run_phi, feature_elu1, 0, NULL},
    {"phi_relu", run_phi, feature_relu, 0, NULL},
    {"phi_exp", run_phi, feature_exp, 0, NULL},
    {"phi_quadratic", run_phi, feature_quadratic, 0, NULL},
    LINEAR(elu1),
    LINEAR(relu),
    LINEAR(exp),
    LINEAR(identity),
    LINEAR(quadratic),
    {"retention_fixed", run_decay, feature_identity, FIXED, NULL},
    {"retention_fixed_chunked", run_decay, feature_identity, FIXED | CHUNKED, NULL},
    {"retention_steps", run_decay, feature_identity, STEPS, NULL},
    {"retention_steps_chunked", run_decay, feature_identity, STEPS | CHUNKED, NULL},
    {"decay_fixed_elu1_normalised", run_decay, feature_elu1, FIXED, NULL},
    {"decay_steps_elu1_normalised", run_decay, feature_elu1, STEPS, NULL},
    {"favor_iid_full", run_favor, NULL, SOFTMAX_FULL, "omega_iid"},
    {"favor_iid_causal", run_favor, NULL, SOFTMAX_CAUSAL, "omega_iid"},
    {"favor_orthogonal_full", run_favor, NULL, SOFTMAX_FULL, "omega_orthogonal"},
    {"favor_orthogonal_causal", run_favor, NULL, SOFTMAX_CAUSAL, "omega_orthogonal"},
    DELTA("delta_raw", RAW),
    DELTA("delta_unit", UNIT),
    DELTA("gated_delta_unit", GATED),
    {"mamba_s6", run_mamba, NULL, SCAN_EULER, NULL},
    {"mamba_s6_zoh", run_mamba, NULL, SCAN_HOLD, NULL},
    {"ssd_recurrent", run_ssd, NULL, 0, NULL},
    {"ssd_matrix", run_ssd, NULL, 1, NULL},
    {"rope_interleaved", run_rope, rope_interleaved, 0, NULL},
    {"rope_half", run_rope, rope_half, 0, NULL},
    {"rope_after_elu1", run_rope_after, feature_elu1, 0, NULL},
    {"l2norm", run_l2norm, NULL, 0, NULL},
    {"hybrid_linear_delta_window2_softmax", run_hybrid, NULL, 0, NULL},
    {"recall_additive", run_recall, NULL, ADDITIVE, NULL},
    {"recall_delta", run_recall, NULL, DELTA_1, NULL},
    {"recall_delta_3_passes", run_recall, NULL, DELTA_3, NULL},
    {"recall_softmax", run_recall, NULL, BY_SOFTMAX, NULL},
    {"shape_of_weights", run_shapes, feature_elu1, 0, NULL},
    {"edge/decay_reset_to_zero", run_edge_decay, NULL, 0, NULL},
    {"edge/delta_key_norm2_diverges", run_edge_delta, NULL, RAW, NULL},
    {"edge/delta_same_key_beta1", run_edge_delta, NULL, RAW, NULL},
    {"edge/delta_same_key_beta2", run_edge_delta, NULL, RAW, NULL},
    {"edge/delta_same_key_beta_half", run_edge_delta, NULL, RAW, NULL},
    {"edge/gated_delta_order", run_edge_delta, NULL, GATED, NULL},
    {"edge/favor_features_underflow", run_edge_favor, NULL, 0, NULL},
    {"edge/l2norm_zero_row", run_edge_l2norm, NULL, 0, NULL},
    {"edge/relu_zero_denominator", run_linear_full, feature_relu, 0, NULL},
    {"edge/softmax_extreme_scores", run_edge_softmax, NULL, 0, NULL},
    /* counted by lang/ from the operations of a program, so tested there */
    {"cost", NULL, NULL, 0, NULL},
};
enum { SYSTEMS = sizeof systems / sizeof *systems };

static size_t shapes_seen[SYSTEMS];

static size_t find_system(const char *name)
{
    for (size_t i = 0; i < SYSTEMS; i++)
        if (strcmp(systems[i].name, name) == 0)
            return i;
    fail_msg("the manifest names %s, which no test computes", name);
    return 0;
}

/* A path of the manifest: SHAPE/out/SYSTEM/NAME.csv or edge/CASE/out/NAME.csv. */
typedef struct {
    char *folder, *system, *name;
} Output;

static char *slice_before(const char *text, const char *end)
{
    return memory_copy_slice(text, (size_t)(end - text));
}

/* False if path is none of an output. */
static bool parse_output(const char *path, Output *o)
{
    const char *out = strstr(path, "/out/"), *last = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!out || !dot)
        return false;
    o->folder = slice_before(path, out);
    o->system = out + 4 == last ? memory_copy_text(o->folder) : slice_before(out + 5, last);
    o->name = slice_before(last + 1, dot);
    return true;
}

static void output_clear(Output *o)
{
    free(o->folder);
    free(o->system);
    free(o->name);
}

/* Row i of the manifest and those after it in the same system; the first after. */
static size_t run_system(const CsvTable *manifest, size_t i, const Output *first)
{
    size_t index = find_system(first->system);
    const System *s = &systems[index];
    Case c = {.folder = first->folder};
    shapes_seen[index]++;
    if (s->run)
        s->run(&c, s);
    for (; i < manifest->count; i++) {
        const char *path = manifest->rows[i][0];
        Output o;
        if (!parse_output(path, &o))
            break;
        bool same = !strcmp(o.folder, first->folder) && !strcmp(o.system, first->system);
        if (same && s->run && case_compare(&c, path, o.name) == 0)
            fail_msg("%s: nothing of that name was computed", path);
        output_clear(&o);
        if (!same)
            break;
    }
    case_clear(&c);
    return i;
}

static void every_expected_value(void **state)
{
    (void)state;
    CsvTable manifest = case_table("MANIFEST.csv");
    size_t outputs = 0;
    for (size_t i = 1; i < manifest.count;) {
        Output o;
        if (!parse_output(manifest.rows[i][0], &o)) {
            i++;
            continue;
        }
        size_t next = run_system(&manifest, i, &o);
        outputs += next - i;
        i = next;
        output_clear(&o);
    }
    csv_table_clear(&manifest);
    assert_true(outputs > 1000);
    for (size_t i = 0; i < SYSTEMS; i++)
        if (shapes_seen[i] < (strncmp(systems[i].name, "edge/", 5) == 0 ? 1 : 3))
            fail_msg("%s: only %zu shapes", systems[i].name, shapes_seen[i]);
}

/* The comparison itself must be able to fail. */
static void a_wrong_value_is_seen(void **state)
{
    (void)state;
    Matrix *a = MATRIX(1, 3, 1, NAN, -INFINITY), *b = MATRIX(1, 3, 1 + 2e-10, NAN, -INFINITY);
    Matrix *c = MATRIX(1, 3, 1, 0, -INFINITY), *d = MATRIX(1, 3, 1, NAN, INFINITY);
    assert_true(support_agrees("same", a, a, 1e-10));
    assert_false(support_agrees("meant to differ", a, b, 1e-10));
    assert_false(support_agrees("meant to differ", a, c, 1e-10));
    assert_false(support_agrees("meant to differ", c, a, 1e-10));
    assert_false(support_agrees("meant to differ", a, d, 1e-10));
    matrix_unref(a);
    matrix_unref(b);
    matrix_unref(c);
    matrix_unref(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_expected_value),
        cmocka_unit_test(a_wrong_value_is_seen),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
