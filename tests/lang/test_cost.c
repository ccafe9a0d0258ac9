/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/workspace.h"

#include <math.h>
#include <stdio.h>

#include "lang/cost.h"
#include "sparse.h"

typedef struct {
    double n, d, f, v; /* the parameters n, d_k (also d), f and d_v */
} Sizes;

static double size_of(void *context, const char *name)
{
    const Sizes *s = context;
    switch (name[0]) {
    case 'n':
        return s->n;
    case 'd':
        return strcmp(name, "d_v") == 0 ? s->v : s->d;
    case 'f':
        return s->f;
    default:
        return NAN;
    }
}

/* The cost of what code binds to Y. */
static Cost cost_at(const char *code, Sizes s)
{
    Workspace w;
    Cost cost;
    workspace_start(&w, 1);
    workspace_set(&w, "n", s.n);
    workspace_set(&w, "d", s.d);
    workspace_set(&w, "d_k", s.d);
    workspace_set(&w, "d_v", s.v);
    workspace_set(&w, "f", s.f);
    workspace_run(&w, "Q = randn(n, d); K = randn(n, d); V = randn(n, d);");
    workspace_run(&w, code);
    cost_of(workspace_get(&w, "Y"), &cost);
    workspace_end(&w);
    return cost;
}

static void assert_figure(const CostFigure *figure, double count, const char *formula)
{
    Str text = {0};
    poly_add_text(&text, figure->formula, false);
    assert_string_equal(str_text(&text), formula);
    assert_true(figure->count == count);
    str_clear(&text);
}

static const Sizes SIX = {6, 4, 3, 3}; /* n = 6, d = d_k = 4, f = 3, d_v = 3 */

static const char RECURRENT[] = "S = zeros(d, d); Y = zeros(n, d);\n"
                                "for t = 1:n\n"
                                "  S = S + K(t,:)'*V(t,:);\n"
                                "  Y(t,:) = Q(t,:)*S;\n"
                                "end\n";

/* --- Brackets, loops --------------------------------------------------------------------- */

static void two_orders_of_one_product(void **state)
{
    (void)state;
    Cost cost = cost_at("Y = (Q*K')*V;", SIX);
    assert_figure(&cost.multiply_adds, 288, "2n²d");
    assert_figure(&cost.exponentials, 0, "0");
    assert_figure(&cost.largest, 36, "n²");
    assert_figure(&cost.kept, 60, "n² + nd");
    assert_false(cost.opaque);
    cost_clear(&cost);
    cost = cost_at("Y = Q*(K'*V);", SIX);
    assert_figure(&cost.multiply_adds, 192, "2nd²");
    assert_figure(&cost.largest, 16, "d²");
    assert_figure(&cost.kept, 40, "nd + d²");
    cost_clear(&cost);
}

static void a_loop_is_its_body_times_its_trips(void **state)
{
    (void)state;
    Cost cost = cost_at(RECURRENT, SIX);
    assert_figure(&cost.multiply_adds, 192, "2nd²");
    assert_figure(&cost.largest, 16, "d²");
    assert_figure(&cost.kept, 24 + 3 * 16, "nd + 3d²"); /* Y; S before, what is added, S after */
    cost_clear(&cost);

    Workspace w;
    workspace_start(&w, 1);
    workspace_set(&w, "n", 6);
    workspace_set(&w, "d", 4);
    workspace_run(&w, "Q = randn(n, d); K = randn(n, d); V = randn(n, d);");
    workspace_run(&w, RECURRENT);
    cost_of(workspace_get(&w, "S"), &cost);
    assert_figure(&cost.multiply_adds, 96, "nd²");
    cost_clear(&cost);
    workspace_end(&w);
}

static void nested_loops(void **state)
{
    (void)state;
    Cost cost = cost_at("Y = zeros(n, f);\n"
                        "for t = 1:n\n for s = 1:f\n  Y(t,s) = Q(t,:)*K(s,:)';\n end\nend",
                        SIX);
    assert_figure(&cost.multiply_adds, 72, "ndf");
    cost_clear(&cost);
}

/* Where the trip count or the size of the work depends on the counter, the number stands. */
static void uneven_loops_are_added_up(void **state)
{
    (void)state;
    Cost cost = cost_at("Y = zeros(n, n);\n"
                        "for t = 1:n\n for s = 1:t\n  Y(t,s) = Q(t,:)*K(s,:)';\n end\nend",
                        SIX);
    assert_figure(&cost.multiply_adds, 21 * 4, "21d");
    cost_clear(&cost);
    cost = cost_at("Y = 0;\nfor t = 1:n\n Y = Y + sum(Q(t,:)*K(1:t,:)');\nend", SIX);
    assert_figure(&cost.multiply_adds, 21 * 4, "21d");
    cost_clear(&cost);
    cost = cost_at("S = zeros(d, d);\nfor t = 1:n\n S = S + K(t,:)'*V(t,:);\n if t == 2\n"
                   "  Y = S;\n end\nend",
                   SIX);
    assert_figure(&cost.multiply_adds, 32, "2d²"); /* two of the six iterations lie behind it */
    cost_clear(&cost);
    cost = cost_at("Y = K'*V;\nk = 0;\nwhile k < 3\n Y = Y*Y;\n k += 1;\nend", SIX);
    assert_figure(&cost.multiply_adds, 96 + 192, "nd² + 3d³");
    cost_clear(&cost);
}

/* --- Attention --------------------------------------------------------------------------- */

/* The multiplications that an independent reference counts: tests/data has them by shape. */
static double expected_multiplications(const char *shape, const char *what)
{
    char path[512], line[128];
    double x = NAN;
    snprintf(path, sizeof path, "%s/cases/%s/out/cost/multiplications.csv", TEST_DATA, shape);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = strlen(what);
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, what, length) == 0 && line[length] == ',')
            x = atof(line + length + 1);
    fclose(file);
    assert_true(x == x);
    return x;
}

static void step_by_step_attention_costs_what_the_reference_counts(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        Sizes sizes;
    } SHAPES[] = {{"n7_dk4_dv3_chunk3", {7, 4, 4, 3}},
                  {"n9_dk2_dv5_chunk4", {9, 2, 2, 5}},
                  {"n1_dk4_dv3", {1, 4, 4, 3}},
                  {"n5_dk1_dv1", {5, 1, 1, 1}}};
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        const char *inputs = "Q = randn(n, d_k); K = randn(n, d_k); V = randn(n, d_v);";
        static const struct {
            const char *what, *code, *formula;
        } FORMS[] = {{"softmax", "A = Q*K'; Y = A*V;", "n²·d_k + n²·d_v"},
                     {"linear", "fQ = elu1(Q); fK = elu1(K); Y = fQ*(fK'*V);", "2n·d_k·d_v"},
                     {"normaliser", "fQ = elu1(Q); fK = elu1(K); Y = fQ*sum(fK)';", "n·d_k"}};
        for (size_t k = 0; k < sizeof FORMS / sizeof *FORMS; k++) {
            Str code = {0};
            str_addf(&code, "%s %s", inputs, FORMS[k].code);
            Cost cost = cost_at(str_text(&code), SHAPES[i].sizes);
            assert_figure(&cost.multiply_adds,
                          expected_multiplications(SHAPES[i].shape, FORMS[k].what),
                          FORMS[k].formula);
            cost_clear(&cost);
            str_clear(&code);
        }
        Cost cost = cost_at("Q = randn(n, d_k); K = randn(n, d_k); V = randn(n, d_v);"
                            "Y = softmax_attention(Q, K, V, 'causal');",
                            SHAPES[i].sizes);
        assert_true(cost.multiply_adds.count ==
                    expected_multiplications(SHAPES[i].shape, "softmax_causal"));
        cost_clear(&cost);
    }
}

static void softmax_takes_an_exponential_and_a_division_a_cell(void **state)
{
    (void)state;
    Cost cost = cost_at("Y = softmax(Q*K'/sqrt(d))*V;", SIX);
    assert_figure(&cost.exponentials, 36, "n²"); /* sqrt(d) is no work: d is a setting */
    assert_figure(&cost.multiply_adds, 288 + 72, "2n²d + 2n²");
    assert_figure(&cost.largest, 36, "n²");
    cost_clear(&cost);
}

static void whole_layers(void **state)
{
    (void)state;
    static const struct {
        const char *code, *multiply_adds, *exponentials;
        double m, e;
    } LAYERS[] = {
        {"Y = softmax_attention(Q, K, V);", "2n²d", "n²", 288, 36},
        {"Y = softmax_attention(Q, K, V, 'causal');", "n²d + nd", "½n² + ½n", 168, 21},
        {"Y = softmax_attention(Q, K, V, 3);", "6nd - 6d", "3n - 3", 120, 15},
        {"Y = softmax_attention(Q, K, V, 9);", "n²d + nd", "½n² + ½n", 168, 21},
        {"Y = linear_attention(@elu1, Q, K, V);", "2nd² + nd", "2nd", 216, 48},
        {"Y = linear_attention(@identity, Q, K, V, 'causal');", "2nd² + nd", "0", 216, 0},
        {"Y = linear_attention(@quadratic, Q, K, V);", "nd³ + 1.5nd² + ½nd", "0", 540, 0},
        {"Y = delta_rule(Q, K, V, ones(n, 1));", "3nd²", "0", 288, 0},
        {"Y = gated_delta_rule(Q, K, V, ones(n, 1), ones(n, 1));", "3nd²", "0", 288, 0},
        {"W = gaussian_features(f, d); Y = favor(Q, W);", "ndf", "nf", 72, 18},
        {"Y = softmax_attention(Q, K, V, f);", "2ndf - df² + df", "nf - ½f² + ½f", 120, 15},
        {"Y = linear_attention(@exp, Q, K, V);", "2nd² + nd", "2nd", 216, 48},
        {"Y = selective_scan(Q, K, -ones(d, f), randn(n, f), randn(n, f));", "3ndf", "ndf", 216,
         72},
        {"Y = elu1(Q);", "0", "nd", 0, 24},
        {"Y = Q.^2;", "nd", "0", 24, 0},
        {"Y = Q.^3;", "0", "nd", 0, 24},
        {"Y = abs(Q).^K;", "0", "nd", 0, 24},
        {"Y = sum(Q(:))^2;", "1", "0", 1, 0},
        {"Y = sum(Q(:))^3;", "0", "1", 0, 1},
        {"Y = Q./K;", "nd", "0", 24, 0},
        {"Y = 2\\Q;", "nd", "0", 24, 0},
        {"Y = dot(Q(1,:), K(1,:));", "d", "0", 4, 0},
        {"Y = relative_error(Q, K);", "nd", "0", 24, 0},
        {"Y = 2*Q - K + 1;", "nd", "0", 24, 0},
        {"Y = relu(Q) > K;", "0", "0", 0, 0},
        {"Y = sum(Q)*2^n/sqrt(d);", "2d", "0", 8, 0},
        {"Y = entropy(softmax(Q*K'));", "n²d + n²", "2n²", 180, 72},
    };
    for (size_t i = 0; i < sizeof LAYERS / sizeof *LAYERS; i++) {
        Cost cost = cost_at(LAYERS[i].code, SIX);
        assert_figure(&cost.multiply_adds, LAYERS[i].m, LAYERS[i].multiply_adds);
        assert_figure(&cost.exponentials, LAYERS[i].e, LAYERS[i].exponentials);
        assert_false(cost.opaque);
        cost_clear(&cost);
    }
}

static void decompositions_are_said_not_to_be_counted(void **state)
{
    (void)state;
    Cost cost = cost_at("Y = (K'*K)\\V';", SIX);
    assert_true(cost.opaque);
    assert_figure(&cost.multiply_adds, 96, "nd²");
    cost_clear(&cost);
    cost = cost_at("phi = @(x) exp(x) + 1; Y = linear_attention(phi, Q, K, V);", SIX);
    assert_true(cost.opaque);
    cost_clear(&cost);
    cost = cost_at("Y = Q/2;", SIX);
    assert_false(cost.opaque);
    cost_clear(&cost);
}

/* --- What is kept ------------------------------------------------------------------------ */

static void inputs_and_settings_cost_nothing(void **state)
{
    (void)state;
    static const char *const CODES[] = {"Y = Q;", "Y = n;", "Y = 2*n - 1;", "Y = [1 -2; 3 4];",
                                        "Y = zeros(n, d);"};
    for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++) {
        Cost cost = cost_at(CODES[i], SIX);
        assert_figure(&cost.multiply_adds, 0, "0");
        assert_figure(&cost.exponentials, 0, "0");
        assert_figure(&cost.largest, 0, "0");
        assert_figure(&cost.kept, 0, "0");
        cost_clear(&cost);
    }
}

static void what_is_shared_counts_once(void **state)
{
    (void)state;
    Cost cost = cost_at("A = Q*K'; Y = A + A.*A + A';", SIX);
    assert_figure(&cost.multiply_adds, 144 + 36, "n²d + n²");
    assert_figure(&cost.largest, 36, "n²");
    assert_figure(&cost.kept, 108, "3n²"); /* A, A + A.*A, Y; A' is a view of A */
    cost_clear(&cost);
}

static void an_indexed_assignment_writes_in_place_if_it_may(void **state)
{
    (void)state;
    Cost cost = cost_at("A = Q*K'; A(1,1) = 0; A(2,:) = 1; Y = A*V;", SIX);
    assert_figure(&cost.kept, 60, "n² + nd");
    cost_clear(&cost);
    cost = cost_at("A = Q*K'; B = A; B(1,1) = 0; Y = A*V + B*V;", SIX); /* A is needed again */
    assert_figure(&cost.kept, 36 * 2 + 24, "2n² + nd");
    cost_clear(&cost);
}

static void a_view_keeps_what_it_views(void **state)
{
    (void)state;
    Cost cost = cost_at("A = Q*K'; T = A'; B = 2*Q; C = 3*K; Y = T*B + C;", SIX);
    assert_figure(&cost.kept, 36 + 3 * 24, "n² + 3nd"); /* A, B, C and T*B */
    cost_clear(&cost);
    cost = cost_at("A = Q*K'; T = A'; A(1,1) = 0; Y = A*V + T*V;", SIX); /* T sees the old A */
    assert_figure(&cost.kept, 36 * 2 + 24, "2n² + nd");
    cost_clear(&cost);
}

/* --- Any size ---------------------------------------------------------------------------- */

/* The formula, evaluated, is the count. */
static void assert_true_formula(const CostFigure *figure, Sizes s)
{
    assert_true(fabs(poly_evaluate(figure->formula, size_of, &s) - figure->count) < 1e-9);
}

static void formulas_are_true_and_the_same_at_any_size(void **state)
{
    (void)state;
    static const struct {
        const char *code, *formula;
    } CODES[] = {
        {"Y = (Q*K')*V;", "2n²d"},
        {"Y = Q*(K'*V);", "2nd²"},
        {RECURRENT, "2nd²"},
        {"Y = softmax(Q*K')*V;", "2n²d + n²"},
        {"S = zeros(d, d);\nfor t = 1:n\n k = K(t,:); e = V(t,:) - k*S; S = S + k'*e;\nend\n"
         "Y = Q*S;",
         "3nd²"}};
    for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++)
        for (int n = 1; n <= 5; n += 2)
            for (int d = 1; d <= 4; d++) {
                Sizes s = {n, d, 1, 1};
                Cost cost = cost_at(CODES[i].code, s);
                if (d > 1) /* a product of single numbers does not tell rows from columns */
                    assert_figure(&cost.multiply_adds, cost.multiply_adds.count, CODES[i].formula);
                assert_true_formula(&cost.multiply_adds, s);
                assert_true_formula(&cost.exponentials, s);
                assert_true_formula(&cost.largest, s);
                assert_true_formula(&cost.kept, s);
                cost_clear(&cost);
            }
}

/* Deeper than any stack would take by recursion. */
static void a_long_chain(void **state)
{
    (void)state;
    size_t steps = sparse(100000);
    Str code = {0}, formula = {0};
    str_addf(&code, "Y = K'*V;\nfor t = 1:%zu\n Y = Y + 0.5*Y;\nend", steps);
    str_addf(&formula, "nd² + %zud²", steps);
    Cost cost = cost_at(str_text(&code), SIX);
    assert_figure(&cost.multiply_adds, 96 + 16 * (double)steps, str_text(&formula));
    str_clear(&code);
    str_clear(&formula);
    assert_figure(&cost.kept, 48, "3d²");
    cost_clear(&cost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_orders_of_one_product),
        cmocka_unit_test(a_loop_is_its_body_times_its_trips),
        cmocka_unit_test(nested_loops),
        cmocka_unit_test(uneven_loops_are_added_up),
        cmocka_unit_test(step_by_step_attention_costs_what_the_reference_counts),
        cmocka_unit_test(softmax_takes_an_exponential_and_a_division_a_cell),
        cmocka_unit_test(whole_layers),
        cmocka_unit_test(decompositions_are_said_not_to_be_counted),
        cmocka_unit_test(inputs_and_settings_cost_nothing),
        cmocka_unit_test(what_is_shared_counts_once),
        cmocka_unit_test(an_indexed_assignment_writes_in_place_if_it_may),
        cmocka_unit_test(a_view_keeps_what_it_views),
        cmocka_unit_test(formulas_are_true_and_the_same_at_any_size),
        cmocka_unit_test(a_long_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
