/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/workspace.h"

#include <math.h>
#include <stdio.h>

#include "io/number.h"
#include "lang/explain.h"

static void start(Workspace *w)
{
    workspace_start(w, 7);
    workspace_set(w, "n", 3);
    workspace_set(w, "d", 4);
    workspace_run(w, "Q = [2 1 1 2; 0 1 2 -1; 1 0 -2 0.5];\n"
                     "K = [1 -1 2 0; 0 3 4 0; 0 2 2 1];\n"
                     "V = [1 2; 3 4; 5 6];\n");
}

/* --- Sentences --------------------------------------------------------------------------- */

typedef struct {
    const char *code; /* binds X */
    size_t i, j;      /* from 1 */
    const char *sentence;
} Case;

static void assert_sentences(const Case *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        Workspace w;
        Explanation e;
        start(&w);
        workspace_run(&w, cases[k].code);
        explain_cell(workspace_get(&w, "X"), "X", cases[k].i - 1, cases[k].j - 1, 0, false, &e);
        assert_string_equal(e.sentence, cases[k].sentence);
        explanation_clear(&e);
        workspace_end(&w);
    }
}

#define ASSERT_SENTENCES(cases) assert_sentences(cases, sizeof(cases) / sizeof *(cases))

static void products(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"X = Q*K';", 2, 3, "X(2,3) = Q(2,:)·K(3,:)' = 0·0 + 1·2 + 2·2 + (-1)·1 = 5"},
        {"X = K'*V;", 2, 1, "X(2,1) = K(:,2)'·V(:,1) = (-1)·1 + 3·3 + 2·5 = 18"},
        {"X = (Q*K')*V;", 2, 1, "X(2,1) = (Q*K')(2,:)·V(:,1) = 3·1 + 11·3 + 5·5 = 61"},
        {"X = Q(2,:)*K(3,:)';", 1, 1, "X = Q(2,:)·K(3,:)' = 0·0 + 1·2 + 2·2 + (-1)·1 = 5"},
        {"t = 2; X = K(t,:)'*V(t,:);", 2, 2, "X(2,2) = K(2,2)·V(2,2) = 3·4 = 12"},
        {"phi = @relu; X = phi(Q)'*V;", 3, 1, "X(3,1) = phi(Q)(:,3)'·V(:,1) = 1·1 + 2·3 + 0·5 = 7"},
        {"X = 2*V;", 3, 2, "X(3,2) = 2·V(3,2) = 2·6 = 12"},
        {"X = dot(K(1,:), K(2,:));", 1, 1, "X = K(1,:)·K(2,:) = 1·0 + (-1)·3 + 2·4 + 0·0 = 5"},
        {"X = [Inf 0]*[0; 1];", 1, 1,
         "X = [Inf 0](1,:)·[0; 1](:,1) = Inf·0 + 0·1 = NaN: Inf·0 is not a number"},
        {"X = [Inf -Inf]*[1; 1];", 1, 1,
         "X = [Inf -Inf](1,:)·[1; 1](:,1) = Inf·1 + (-Inf)·1 = NaN: Inf - Inf is not a number"},
        {"X = zeros(2, 0)*zeros(0, 2);", 1, 2, "X(1,2) = 0: nothing goes into it"},
        {"a = 1:8; X = a*a';", 1, 1,
         "X = a(1,:)·a(1,:)' = 5·5 + 6·6 + 7·7 + 8·8 + … (4 more: 30) = 204"},
        {"X = kron(V, [1 10]);", 2, 4, "X(2,4) = V(2,2)·10 = 4·10 = 40"},
    };
    ASSERT_SENTENCES(CASES);
}

static void cell_by_cell(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"X = Q + K;", 1, 2, "X(1,2) = Q(1,2) + K(1,2) = 1 + (-1) = 0"},
        {"X = Q - K(1,:);", 3, 3, "X(3,3) = Q(3,3) - K(1,3) = (-2) - 2 = -4"},
        {"X = V./[1; 2; 4];", 3, 1, "X(3,1) = V(3,1)/4 = 5/4 = 1.25"},
        {"X = zeros(2,2)./zeros(2,2);", 1, 2,
         "X(1,2) = zeros(2,2)(1,2)/zeros(2,2)(1,2) = 0/0 = NaN: 0/0 is not a number"},
        {"X = V/0;", 1, 1, "X(1,1) = V(1,1)/0 = 1/0 = Inf: a division by zero"},
        {"X = V/3;", 1, 1, "X(1,1) = V(1,1)/3 = 1/3 = 0.3333"},
        {"X = Q.^2;", 2, 4, "X(2,4) = Q(2,4)^2 = (-1)^2 = 1"},
        {"X = Q > K;", 1, 2, "X(1,2) = (Q(1,2) > K(1,2)) = (1 > (-1)) = 1"},
        {"X = max(Q, 0);", 2, 4, "X(2,4) = max(Q(2,4), 0) = max((-1), 0) = 0"},
        {"X = mod(V, 4);", 3, 2, "X(3,2) = mod(V(3,2), 4) = mod(6, 4) = 2"},
        {"X = -Q;", 3, 3, "X(3,3) = -Q(3,3) = -(-2) = 2"},
        {"X = !Q;", 2, 1, "X(2,1) = !Q(2,1) = !0 = 1"},
        {"X = exp(Q);", 2, 4, "X(2,4) = exp(Q(2,4)) = exp(-1) = 0.3679"},
        {"X = elu1(Q);", 1, 1, "X(1,1) = elu1(Q(1,1)) = 2 + 1 = 3"},
        {"X = elu1(Q);", 2, 4, "X(2,4) = elu1(Q(2,4)) = exp(-1) = 0.3679"},
        {"f = @(x) max(x, 0) + 1; X = f(Q);", 3, 3, "X(3,3) = max(x, 0)(3,3) + 1 = 0 + 1 = 1"},
        {"X = 2^n;", 1, 1, "X = 2^n = 2^3 = 8"},
        {"X = 2\\V;", 2, 1, "X(2,1) = 2\\V(2,1) = 2\\3 = 1.5"},
        {"X = +V;", 2, 2, "X(2,2) = V(2,2) = 4"},
        {"X = identity(V);", 1, 2, "X(1,2) = identity(V(1,2)) = 2"},
        {"X = dims(V, 'n', 'd');", 3, 1, "X(3,1) = V(3,1) = 5"},
        {"X = relu(Q);", 2, 4, "X(2,4) = relu(Q(2,4)) = max(-1, 0) = 0"},
        {"X = min([1; 2], [0 3]);", 2, 2, "X(2,2) = min(2, 3) = 2"},
        {"X = 0/0;", 1, 1, "X = 0/0 = NaN: 0/0 is not a number"},
        {"X = NaN/0;", 1, 1, "X = NaN/0 = NaN"},
        {"X = Inf/0;", 1, 1, "X = Inf/0 = Inf"},
        {"X = V./[0 1];", 1, 1, "X(1,1) = V(1,1)/0 = 1/0 = Inf: a division by zero"},
        {"X = 0/2;", 1, 1, "X = 0/2 = 0"},
        {"X = 0*Inf;", 1, 1, "X = 0·Inf = NaN: 0·Inf is not a number"},
        {"X = 1:2:9;", 1, 3, "X(1,3) = 1 + 2·2 = 5"},
    };
    ASSERT_SENTENCES(CASES);
}

static void reductions(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"X = sum(V);", 1, 2, "X(1,2) = sum(V(:,2)) = 2 + 4 + 6 = 12"},
        {"X = sum(V, 2);", 2, 1, "X(2,1) = sum(V(2,:)) = 3 + 4 = 7"},
        {"X = sum(V')';", 2, 1, "X(2,1) = sum(V')(1,2) = 7"},
        {"X = mean(V);", 1, 1, "X(1,1) = mean(V(:,1)) = (1 + 3 + 5)/3 = 3"},
        {"X = prod(zeros(0, 2));", 1, 2, "X(1,2) = 1: nothing goes into it"},
        {"X = prod(V);", 1, 1, "X(1,1) = prod(V(:,1)) = 1·3·5 = 15"},
        {"X = max(K);", 1, 2, "X(1,2) = max(K(:,2)) = K(2,2) = 3"},
        {"X = max(K, [], 2);", 3, 1, "X(3,1) = max(K(3,:)) = K(3,2) = 2"},
        {"X = min(K(:));", 1, 1, "X = min(K(:)(:,1)) = K(1,2) = -1"},
        {"X = any(K > 2);", 1, 2, "X(1,2) = any((K > 2)(:,2)) = any(0, 1, 0) = 1"},
        {"X = all((1:9)' < 8);", 1, 1, "X = all(((1:9)' < 8)(:,1)) = all(1, 1, 1, 1, …, 0, …) = 0"},
        {"X = norm(K(2,:));", 1, 1, "X = norm(K(2,:)) = sqrt(0^2 + 3^2 + 4^2 + 0^2) = 5"},
        {"X = trace(V'*V);", 1, 1, "X = trace(V'*V) = 35 + 56 = 91"},
        {"X = cumsum(V);", 2, 2, "X(2,2) = sum(V(1:2,2)) = 2 + 4 = 6"},
        {"X = cumprod(V, 2);", 3, 2, "X(3,2) = prod(V(3,:)) = 5·6 = 30"},
        {"X = sum(V, 1);", 1, 1, "X(1,1) = sum(V(:,1)) = 1 + 3 + 5 = 9"},
        {"X = mean(5);", 1, 1, "X = mean(5) = 5/1 = 5"},
        {"X = mean(zeros(0, 1));", 1, 1, "X = NaN: nothing goes into it"},
        {"X = sum([]);", 1, 1, "X = sum([]) = 0: sum down the columns; sum(A,2) along the rows"},
        {"X = max([NaN NaN]);", 1, 1, "X = max([NaN NaN](1,:)) = NaN"},
        {"X = min([NaN 2 1 1]);", 1, 1, "X = min([NaN 2 1 1](1,:)) = 1"},
        {"X = sum([Inf; -Inf]);", 1, 1,
         "X = sum([Inf; -Inf](:,1)) = Inf + (-Inf) = NaN: Inf - Inf is not a number"},
        {"X = sum([1 NaN]);", 1, 1, "X = sum([1 NaN](1,:)) = 1 + NaN = NaN"},
        {"X = cumsum([1 NaN 2]);", 1, 3, "X(1,3) = sum([1 NaN 2](1,:)) = 1 + NaN + 2 = NaN"},
        {"X = norm(V, 'fro');", 1, 1,
         "X = norm(V, 'fro') = sqrt(1^2 + 2^2 + 3^2 + 4^2 + 5^2 + 6^2) = 9.539"},
        {"X = norm([], 'fro');", 1, 1, "X = sqrt(0) = 0: nothing goes into it"},
        {"X = norm(zeros(1, 0));", 1, 1, "X = sqrt(0) = 0: nothing goes into it"},
        {"X = norm(V(:,1), 2);", 1, 1, "X = norm(V(:,1)) = sqrt(1^2 + 3^2 + 5^2) = 5.916"},
        {"X = norm(V(1,:), 1);", 1, 1,
         "X = norm(V(1,:), 1) = 3: 2-norm of a vector (largest singular value of a matrix); "
         "norm(A,1), norm(A,Inf), norm(A,'fro')"},
        {"X = norm(V(1,:), 'inf');", 1, 1,
         "X = norm(V(1,:), 'inf') = 2: 2-norm of a vector (largest singular value of a matrix); "
         "norm(A,1), norm(A,Inf), norm(A,'fro')"},
        {"X = norm(diag([3 4]));", 1, 1,
         "X = norm(diag([3 4])) = 4: 2-norm of a vector (largest singular value of a matrix); "
         "norm(A,1), norm(A,Inf), norm(A,'fro')"},
    };
    ASSERT_SENTENCES(CASES);
}

/* Beyond rows and columns there is one entry a cell. */
static void reductions_of_single_cells(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"X = sum(V, 3);", 2, 1, "X(2,1) = sum(V(2,1)) = 3"},
        {"X = prod(V, 3);", 2, 2, "X(2,2) = prod(V(2,2)) = 4"},
        {"X = mean(V, 3);", 3, 1, "X(3,1) = mean(V(3,1)) = 5/1 = 5"},
        {"X = max(V, [], 3);", 3, 2, "X(3,2) = max(V(3,2)) = V(3,2) = 6"},
        {"X = any(V > 1, 3);", 1, 1, "X(1,1) = any((V > 1)(1,1)) = any(0) = 0"},
        {"X = all(V, 4);", 1, 2, "X(1,2) = all(V(1,2)) = all(2) = 1"},
        {"X = cumsum(V, 3);", 2, 2, "X(2,2) = sum(V(2,2)) = 4"},
        {"X = cumprod(V, 3);", 3, 1, "X(3,1) = prod(V(3,1)) = 5"},
        {"X = sort(V, 3, 'descend');", 2, 2, "X(2,2) = V(2,2) = 4"},
    };
    ASSERT_SENTENCES(CASES);
}

static void moved_cells(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"X = K';", 3, 2, "X(3,2) = K(2,3) = 4"},
        {"X = K([3 1], 2:end);", 1, 1, "X(1,1) = K(3,2) = 2"},
        {"X = K(K > 2);", 2, 1, "X(2,1) = K(2,3) = 4"},
        {"X = K(:);", 5, 1, "X(5,1) = K(2,2) = 3"},
        {"X = K(2,:)(3);", 1, 1, "X = K(2,3) = 4"},
        {"X = [Q, V; K, V];", 5, 6, "X(5,6) = V(2,2) = 4"},
        {"X = reshape(V, 2, 3);", 1, 2, "X(1,2) = V(3,1) = 5"},
        {"X = repmat(V, 2, 2);", 6, 3, "X(6,3) = V(3,1) = 5"},
        {"X = circshift(V, 1);", 1, 1, "X(1,1) = V(3,1) = 5"},
        {"X = diag(V(:,1));", 2, 2, "X(2,2) = V(2,1) = 3"},
        {"X = diag(V(:,1));", 2, 1, "X(2,1) = 0: off the diagonal"},
        {"X = tril(K);", 1, 2, "X(1,2) = 0: zeros above the k-th diagonal"},
        {"X = causal(Q*K');", 1, 2,
         "X(1,2) = -Inf: token 1 may not look at token 2, which comes later"},
        {"X = window(Q*K', 2);", 3, 1,
         "X(3,1) = -Inf: token 3 does not look back as far as token 1"},
        {"X = sort(K(1,:), 'descend');", 1, 2, "X(1,2) = K(1,1) = 1"},
        {"w = [2 1 2]; X = sort(w);", 1, 2, "X(1,2) = w(1,1) = 2"},
        {"w = [2 1 2]; X = sort(w);", 1, 3, "X(1,3) = w(1,3) = 2"},
        {"w = [2 NaN 1 NaN]; X = sort(w);", 1, 4, "X(1,4) = w(1,4) = NaN"},
        {"w = [2; 1; 2]; X = sort(w, 'descend');", 2, 1, "X(2,1) = w(3,1) = 2"},
        {"X = sort(K, 2);", 1, 1, "X(1,1) = K(1,2) = -1"},
        {"X = diag(V, 1);", 1, 1, "X = V(1,2) = 2"},
        {"X = diag(V, -1);", 2, 1, "X(2,1) = V(3,2) = 6"},
        {"X = diag([4 5], 1);", 2, 3, "X(2,3) = 5"},
        {"w = [4 5]; X = diag(w, -1);", 3, 2, "X(3,2) = w(1,2) = 5"},
        {"w = [4 5]; X = diag(w, -1);", 1, 1, "X(1,1) = 0: off the diagonal"},
        {"X = triu(V, 1);", 1, 1, "X(1,1) = 0: zeros below the k-th diagonal"},
        {"X = triu(V, 1);", 1, 2, "X(1,2) = V(1,2) = 2"},
        {"X = tril(K, -1);", 2, 1, "X(2,1) = K(2,1) = 0"},
        {"X = window(Q*K', 2);", 2, 1, "X(2,1) = (Q*K')(2,1) = 3"},
        {"X = window(Q*K', 2);", 1, 3,
         "X(1,3) = -Inf: token 1 may not look at token 3, which comes later"},
        {"X = circshift(V, -1);", 3, 2, "X(3,2) = V(1,2) = 2"},
        {"X = circshift(V, 3, 2);", 1, 1, "X(1,1) = V(1,2) = 2"},
        {"X = circshift(V, [1 1]);", 1, 1,
         "X(1,1) = circshift(V, [1 1])(1,1) = 6: rows moved down by k, the last to the top; "
         "circshift(A,k,2) columns"},
        {"X = V(:, [false true]);", 3, 1, "X(3,1) = V(3,2) = 6"},
        {"X = V([true; false; true], 1);", 2, 1, "X(2,1) = V(3,1) = 5"},
        {"X = V(2, 1, 1);", 1, 1, "X = V(2,1) = 3"},
        {"X = V(5);", 1, 1, "X = V(2,2) = 4"},
        {"X = [[] V; zeros(0, 2)];", 2, 2, "X(2,2) = V(2,2) = 4"},
        {"X = [zeros(3, 0) V];", 2, 2, "X(2,2) = V(2,2) = 4"},
        {"X = repmat(V, 0, 1); Y = [X; V]; X = Y;", 1, 1, "X(1,1) = V(1,1) = 1"},
    };
    ASSERT_SENTENCES(CASES);
}

/* An indexed assignment leads to what wrote the cell. */
static void assigned_cells(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"X = zeros(3, 2);\nfor t = 1:3\n X(t,:) = V(t,:)*2;\nend", 2, 1,
         "X(2,1) = V(2,1)·2 = 3·2 = 6"},
        {"X = V; X(1,:) = 0; X(3,:) = 0;", 2, 2, "X(2,2) = 4 is written in the code: an input"},
        {"X = Q*K'; X(1,1) = 0;", 2, 3, "X(2,3) = Q(2,:)·K(3,:)' = 0·0 + 1·2 + 2·2 + (-1)·1 = 5"},
        {"y = 2*V; X = V; X(2,:) = y(2,:); X(3,:) = y(3,:);", 2, 1, "X(2,1) = y(2,1) = 6"},
        {"y = V(1,:)*3; X = V; X(2,:) = y;", 2, 2, "X(2,2) = y(1,2) = 6"},
        {"X = 1; X(3) = 7;", 1, 2, "X(1,2) = 0: filled in when the matrix grew"},
        {"X = V; X(X > 3) = [10; 20; 30];", 2, 2, "X(2,2) = 20 is written in the code: an input"},
        {"X = V; X([1 1], 1) = [8; 9];", 1, 1, "X(1,1) = 9 is written in the code: an input"},
    };
    ASSERT_SENTENCES(CASES);
}

static void rows(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"X = softmax(V);", 1, 2, "X(1,2) = exp(V(1,2) - max)/sum = exp(2 - 2)/1.368 = 0.7311"},
        {"X = softmax(repmat(-Inf, 2, 2));", 1, 2,
         "X(1,2) = exp(repmat(-Inf, 2, 2)(1,2) - max)/sum = 0: every score of the row is -Inf, "
         "there "
         "is nothing to choose from"},
        {"X = entropy([0.5 0.5; 0 1]);", 1, 1,
         "X(1,1) = entropy([0.5 0.5; 0 1](1,:)) = -(0.5·log(0.5) + 0.5·log(0.5)) = 0.6931"},
        {"X = l2rows(K);", 2, 3, "X(2,3) = K(2,3)/norm(K(2,:)) = 4/5 = 0.8"},
        {"X = l2rows([0 0; 3 4]);", 1, 1,
         "X(1,1) = 0/norm([0 0; 3 4](1,:)) = 0: a row of zeros stays zero"},
        {"X = rope(K);", 2, 2,
         "X(2,2) = K(2,1)·sin(1) + K(2,2)·cos(1) = 0·0.8415 + 3·0.5403 = 1.621"},
        {"X = quadratic(V);", 2, 2, "X(2,2) = V(2,1)·V(2,2)·sqrt(2) = 3·4·sqrt(2) = 16.97"},
        {"X = quadratic(V);", 2, 3, "X(2,3) = V(2,2)·V(2,2) = 4·4 = 16"},
        {"X = favor(V, [1 0; 0 1; 1 1; 0 0]);", 1, 2,
         "X(1,2) = exp(V(1,:)·[1 0; 0 1; 1 1; 0 0](2,:)' - norm(V(1,:))^2/2)/sqrt(4) = "
         "exp(2 - 5/2)/sqrt(4) = 0.3033"},
    };
    ASSERT_SENTENCES(CASES);
}

static void inputs_and_whole_layers(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"X = n;", 1, 1, "X = 3 is the parameter n: an input"},
        {"X = 0.5;", 1, 1, "X = 0.5 is written in the code: an input"},
        {"X = zeros(n, d);", 2, 3, "X(2,3) = 0 is made by zeros(n, d): an input"},
        {"X = rows(V);", 1, 1, "X = 3 is rows(V): a size"},
        {"for X = 1:3\nend", 1, 1, "X = 3 is the counter of 'for X = 1:3': an input"},
        {"X = n && d;", 1, 1, "X = 1 is the truth of n && d"},
        {"X = [2 0; 0 4]\\[2; 2];", 2, 1,
         "X(2,1) = ([2 0; 0 4]\\[2; 2])(2,1) = 0.5: A\\B: X with A*X = B (least squares where "
         "there "
         "is no such X)"},
        {"X = delta_rule(K, K, V, ones(n, 1));", 1, 1,
         "X(1,1) = delta_rule(K, K, V, ones(n, 1))(1,1) = 6: delta_rule(Q,K,V,beta): S = S + "
         "beta*k'*(v - k*S), read q*S after the write"},
    };
    ASSERT_SENTENCES(CASES);
}

static void numbers_and_ascii(void **state)
{
    (void)state;
    static const struct {
        const char *code, *sentence;
        int digits;
    } CASES[] = {
        {"X = 1/3;", "X = 1/3 = 0.33333333", 8},
        {"X = 123456.75 + 0;", "X = 123456.75 + 0 = 1.235e+05 + 0 = 1.235e+05", 4},
        {"X = 1e14 + 1;", "X = 1e14 + 1 = 100000000000000 + 1 = 100000000000001", 4},
        {"X = 2*1e300*1e300;", "X = (2*1e300)*1e300 = 2e+300*1e+300 = Inf", 4},
        {"X = (1:9)*(1:9)';",
         "X = (1:9)(1,:)*(1:9)(1,:)' = 6*6 + 7*7 + 8*8 + 9*9 + ... (5 more: 55) = 285", 4},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        Workspace w;
        Explanation e;
        start(&w);
        workspace_run(&w, CASES[k].code);
        explain_cell(workspace_get(&w, "X"), "X", 0, 0, CASES[k].digits, true, &e);
        assert_string_equal(e.sentence, CASES[k].sentence);
        explanation_clear(&e);
        workspace_end(&w);
    }
}

/* --- Parts ------------------------------------------------------------------------------- */

static void parts_are_the_cells_that_were_used(void **state)
{
    (void)state;
    Workspace w;
    Explanation e;
    start(&w);
    workspace_run(&w, "X = Q*K'; Z = X.*X;");
    explain_cell(workspace_get(&w, "X"), "X", 1, 2, 0, false, &e);
    assert_int_equal(e.count, 2);
    assert_false(e.input);
    assert_string_equal(e.parts[0].name, "Q");
    assert_ptr_equal(e.parts[0].value, workspace_get(&w, "Q"));
    assert_int_equal(e.parts[0].row, 1);
    assert_int_equal(e.parts[0].rows, 1);
    assert_int_equal(e.parts[0].col, 0);
    assert_int_equal(e.parts[0].cols, 4);
    assert_ptr_equal(e.parts[1].value, workspace_get(&w, "K")); /* seen through K' */
    assert_int_equal(e.parts[1].row, 2);
    assert_int_equal(e.parts[1].cols, 4);
    explanation_clear(&e);
    explain_cell(workspace_get(&w, "Z"), "Z", 0, 0, 0, false, &e);
    assert_int_equal(e.count, 1); /* X(1,1) twice is one part */
    explanation_clear(&e);
    explain_cell(workspace_get(&w, "Q"), "Q", 0, 0, 0, false, &e);
    assert_int_equal(e.count, 0);
    assert_true(e.input);
    explanation_clear(&e);
    workspace_end(&w);
}

static void values_without_origins(void **state)
{
    (void)state;
    static const double CELLS[] = {1, 2};
    Value *v = value_new(matrix_from(1, 2, CELLS));
    Explanation e;
    Str name = {0};
    explain_cell(v, "x", 0, 1, 0, false, &e);
    assert_string_equal(e.sentence, "x(1,2) = 2 is given: nothing is known of where it comes from");
    assert_true(e.input);
    explanation_clear(&e);
    explain_add_name(&name, v, NULL);
    assert_string_equal(str_text(&name), "(unnamed)");
    str_clear(&name);

    Value *sum = value_new(matrix_from(1, 2, CELLS));
    Value *operands[] = {v, v};
    value_set_origin(sum, op_get(OP_ADD), NULL, NULL, operands, 2);
    explain_cell(sum, "x", 0, 0, 0, false, &e);
    assert_string_equal(e.sentence, "x(1,1) = (unnamed)(1,1) + (unnamed)(1,1) = 1 + 1 = 1");
    explanation_clear(&e);
    value_unref(sum);
    value_unref(v);
}

/* --- As text ----------------------------------------------------------------------------- */

static void the_tree_as_text(void **state)
{
    (void)state;
    Workspace w;
    Str text = {0};
    workspace_start(&w, 7);
    workspace_run(&w, "Q = [1 2];\nK = [3 4; 5 6];\nA = Q*K';\nX = A/2 + A(1);");
    explain_add_text(&text, workspace_get(&w, "X"), "X", 0, 1, 1, 0, false);
    assert_string_equal(str_text(&text), "X(1,2) = (A/2)(1,2) + A(1,1) = 8.5 + 11 = 19.5\n"
                                         "  (A/2)(1,2) = 8.5  (test:4:5  A/2)\n"
                                         "  A(1,1) = 11  (test:3:1  A = Q*K')\n");
    str_cut(&text, 0);
    explain_add_text(&text, workspace_get(&w, "X"), "X", 0, 1, 9, 0, false);
    assert_string_equal(
        str_text(&text),
        "X(1,2) = (A/2)(1,2) + A(1,1) = 8.5 + 11 = 19.5\n"
        "  (A/2)(1,2) = A(1,2)/2 = 17/2 = 8.5  (test:4:5  A/2)\n"
        "    A(1,2) = Q(1,:)·K(2,:)' = 1·5 + 2·6 = 17  (test:3:1  A = Q*K')\n"
        "      Q(1,:) = 1 2 is written in the code: an input  (test:1:1  Q = [1 2])\n"
        "      K(2,:) = 5 6 is written in the code: an input  (test:2:1  K = [3 4; 5 6])\n"
        "  A(1,1) = Q(1,:)·K(1,:)' = 1·3 + 2·4 = 11  (test:3:1  A = Q*K')\n"
        "    K(1,:) = 3 4 is written in the code: an input  (test:2:1  K = [3 4; 5 6])\n");
    str_clear(&text);
    workspace_end(&w);
}

static size_t count_lines(const Str *text)
{
    size_t lines = 0;
    for (size_t i = 0; i < text->length; i++)
        lines += text->data[i] == '\n';
    return lines;
}

/* A chain longer than any stack would take, and a tree wider than any screen. */
static void long_chains_and_wide_trees_stay_small(void **state)
{
    (void)state;
    Workspace w;
    Str text = {0};
    Explanation e;
    workspace_start(&w, 7);
    workspace_run(&w, "X = ones(2, 2);\nfor t = 1:50000\n X(1,1) = t;\nend\n"
                      "Y = ones(30, 30); Z = ones(30, 30);\n"
                      "for t = 1:40\n Y = Y*Z + 1; Y = Y/norm(Y, 'fro');\nend");
    explain_cell(workspace_get(&w, "X"), "X", 1, 1, 0, false, &e);
    assert_string_equal(e.sentence, "X(2,2) = 1 is made by ones(2, 2): an input");
    explanation_clear(&e);
    explain_add_text(&text, workspace_get(&w, "Y"), "Y", 4, 5, 1000000, 0, false);
    assert_true(count_lines(&text) > 50 && count_lines(&text) < 700);
    str_clear(&text);
    workspace_end(&w);
}

/* --- Properties -------------------------------------------------------------------------- */

/* Something of everything; every name bound is looked into. */
static const char PROGRAM[] =
    "Q = randn(n, d); K = randn(n, d); V = randn(n, d); W = gaussian_features(5, d); X1 = randn(d, "
    "n);\n"
    "A = Q*K'; P = softmax(causal(A)); P2 = softmax(window(A/sqrt(d), 2)); Y1 = P*V; Y2 = "
    "(A*V)*2;\n"
    "fQ = elu1(Q); fK = elu1(K); z = sum(fK); Y3 = (fQ*(fK'*V))./(fQ*z'); G = favor(K, W);\n"
    "S = zeros(d, d); Y4 = zeros(n, d); Y5 = [];\n"
    "for t = 1:n\n"
    "  k = l2rows(K(t,:)); v = V(t,:); e = v - k*S; S = S + 0.5*k'*e;\n"
    "  Y4(t,:) = Q(t,:)*S; Y5(t,1) = norm(e); Y5(t,2) = t;\n"
    "end\n"
    "B = [Q, K; V, -V]; C = B(2:2*n, [1 d 2]); D = B'; E = reshape(D, 2*n, 2*d);\n"
    "F = circshift(A, -2); F2 = circshift(A, 1, 2); L = tril(A, -1); U = triu(A) + L'; M = A > 0; "
    "N = A(M);\n"
    "A2 = A; A2(M) = 0; A2(:, 1) = 7; A2(end, end) = A(1, 1); A3 = A; A3(:) = 1:n*n;\n"
    "R1 = cumsum(Q); R2 = cumprod(K, 2); R3 = max(A); R4 = min(A, [], 2); R5 = mean(Q, 2); R6 = "
    "prod(Q);\n"
    "R7 = any(A > 1); R8 = all(A < 3, 2); R9 = norm(Q(1,:)); R10 = trace(A); R11 = dot(Q(1,:), "
    "K(1,:));\n"
    "T1 = sort(A); T2 = sort(A, 2, 'descend'); T3 = kron(Q, [1 2; 3 4]); T4 = repmat(z, 3, 2);\n"
    "T5 = diag(z); T6 = diag(A); T7 = diag(z, 1); H = entropy(P); O = quadratic(K);\n"
    "I1 = Q.*K - K./2 + Q.^2; I2 = abs(Q); I3 = mod(A, 3); I4 = !M; I5 = -(1:n); I6 = (1:n)';\n"
    "J1 = linear_attention(@elu1, Q, K, V); J2 = delta_rule(Q, l2rows(K), V, ones(n, 1)); J3 = "
    "V\\V;\n"
    "f = @(x) max(x, 0).*x + 1; J4 = f(Q)*X1; J5 = zeros(2, 2)./0; J6 = [Inf, -Inf]*[1; 1];\n"
    "J7 = dims(Q, 'n', 'd'); J8 = identity(Q)(:, 1); J9 = 1:0.5:4; J10 = Q(:)(3:2:9);\n"
    "W1 = rope([Q, Q]); W2 = A2(:, sum(M) > 1); W3 = B(:)(end:-1:1); W4 = [1:3; 4:6](2, :);\n";

static const char *const NAMES[] = {
    "Q",  "A",  "P",  "P2", "Y1", "Y2", "fQ",  "z",  "Y3",  "G",   "S",  "Y4", "Y5", "k",
    "e",  "B",  "C",  "D",  "E",  "F",  "F2",  "L",  "U",   "M",   "N",  "A2", "A3", "R1",
    "R2", "R3", "R4", "R5", "R6", "R7", "R8",  "R9", "R10", "R11", "T1", "T2", "T3", "T4",
    "T5", "T6", "T7", "H",  "O",  "I1", "I2",  "I3", "I4",  "I5",  "I6", "J1", "J2", "J3",
    "J4", "J5", "J6", "J7", "J8", "J9", "J10", "W1", "W2",  "W3",  "W4"};

/* The text of the number that the sentence ends in: what follows the last " = " before the
 * remark, if there is one. */
static void assert_ends_in(const char *sentence, double x)
{
    const char *from = sentence, *next;
    Str expected = {0};
    str_add(&expected, " = ");
    if (x == floor(x) && fabs(x) < 1e15)
        number_add(&expected, x);
    else
        number_add_format(&expected, x, 'g', 4);
    bool found = false;
    while ((next = strstr(from, str_text(&expected))) != NULL) {
        const char *after = next + expected.length;
        /* the number ends here, and no further step follows */
        if ((*after == '\0' || strncmp(after, ": ", 2) == 0 || strncmp(after, " is ", 4) == 0))
            found = true;
        from = next + 1;
    }
    if (!found)
        fail_msg("'%s' does not end in '%s'", sentence, str_text(&expected));
    str_clear(&expected);
}

/* The sum, product or quotient that a sentence shows just before its number, if all its
 * numbers are shown in full, is worth that number.  Reads "a·b + c·d" with operands in
 * brackets; false if the step is of another form. */
static bool read_operand(const char **at, double *x)
{
    bool bracket = **at == '(';
    const char *start = *at + bracket, *end = start;
    end += strspn(end, "+-");
    while ((*end >= '0' && *end <= '9') || *end == '.' || *end == 'e' ||
           ((*end == '-' || *end == '+') && end[-1] == 'e'))
        end++;
    if (end == start || number_read(start, (size_t)(end - start), x) != NUMBER_OK ||
        (bracket && *end != ')'))
        return false;
    *at = end + bracket;
    return true;
}

static bool read_sum(const char *at, const char *end, double *sum)
{
    *sum = 0;
    for (;;) {
        double a, b;
        if (strncmp(at, "… (", strlen("… (")) == 0) { /* "… (12 more: -0.37)" */
            at = strstr(at, "more: ");
            const char *close = at != NULL ? strchr(at, ')') : NULL;
            if (close == NULL || number_read(at + 6, (size_t)(close - at - 6), &a) != NUMBER_OK)
                return false;
            at = close + 1;
        } else if (!read_operand(&at, &a)) {
            return false;
        }
        while (strncmp(at, "·", strlen("·")) == 0) {
            at += strlen("·");
            if (!read_operand(&at, &b))
                return false;
            a *= b;
        }
        *sum += a;
        if (at == end)
            return true;
        if (strncmp(at, " + ", 3) != 0)
            return false;
        at += 3;
    }
}

/* Returns true if there was a sum to check. */
static bool assert_arithmetic(const Explanation *e, double x)
{
    char *text = memory_copy_text(e->sentence), *last = NULL, *before = NULL;
    for (char *p = strstr(text, " = "); p != NULL; p = strstr(p + 1, " = ")) {
        before = last;
        last = p;
    }
    double sum;
    bool is_sum = before != NULL && read_sum(before + 3, last, &sum);
    if (is_sum && !(fabs(sum - x) <= 1e-9 * fmax(1, fabs(x))))
        fail_msg("'%s': the sum shown is %.17g, the cell %.17g", e->sentence, sum, x);
    free(text);
    return is_sum;
}

/* Goes from the cell into random parts until an input is reached. */
static void assert_leads_to_an_input(const Value *value, const char *name, size_t i, size_t j)
{
    char *own = memory_copy_text(name);
    for (int steps = 0;; steps++) {
        Explanation e;
        assert_true(steps < 200);
        double x = matrix_at(value_matrix(value), i, j);
        explain_cell(value, own, i, j, 0, false, &e);
        assert_ends_in(e.sentence, x);
        assert_true(e.input == (e.count == 0));
        for (size_t k = 0; k < e.count; k++) {
            const ExplainPart *part = &e.parts[k];
            assert_true(part->rows > 0 && part->row + part->rows <= part->value->rows.n);
            assert_true(part->cols > 0 && part->col + part->cols <= part->value->cols.n);
            assert_true(part->name[0] != '\0');
        }
        free(own);
        own = NULL;
        if (!e.input) {
            const ExplainPart *part = &e.parts[(size_t)rand() % e.count];
            value = part->value;
            own = memory_copy_text(part->name);
            i = part->row + (size_t)rand() % part->rows;
            j = part->col + (size_t)rand() % part->cols;
        }
        bool input = e.input;
        explanation_clear(&e);
        if (input)
            return;
    }
}

static void start_program(Workspace *w, int n, int d)
{
    workspace_start(w, (uint64_t)(n * 10 + d));
    workspace_set(w, "n", n);
    workspace_set(w, "d", d);
    workspace_run(w, PROGRAM);
}

static void every_cell_leads_to_its_inputs(void **state)
{
    (void)state;
    srand(3);
    for (int n = 3; n <= 9; n += 3) {
        Workspace w;
        start_program(&w, n, n == 6 ? 8 : 4);
        for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
            const Value *v = workspace_get(&w, NAMES[k]);
            for (int run = 0; run < 12 && v->rows.n * v->cols.n > 0; run++)
                assert_leads_to_an_input(v, NAMES[k], (size_t)rand() % v->rows.n,
                                         (size_t)rand() % v->cols.n);
        }
        workspace_end(&w);
    }
}

static void the_arithmetic_shown_is_true(void **state)
{
    (void)state;
    size_t sums = 0;
    Workspace w;
    start_program(&w, 9, 8);
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        const Value *v = workspace_get(&w, NAMES[k]);
        for (size_t c = 0; c < v->rows.n * v->cols.n; c++) {
            Explanation e;
            explain_cell(v, NAMES[k], c / v->cols.n, c % v->cols.n, 17, false, &e);
            sums += assert_arithmetic(&e, matrix_at(value_matrix(v), c / v->cols.n, c % v->cols.n));
            explanation_clear(&e);
        }
    }
    assert_true(sums > 1000);
    workspace_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(cell_by_cell),
        cmocka_unit_test(reductions),
        cmocka_unit_test(reductions_of_single_cells),
        cmocka_unit_test(moved_cells),
        cmocka_unit_test(assigned_cells),
        cmocka_unit_test(rows),
        cmocka_unit_test(inputs_and_whole_layers),
        cmocka_unit_test(numbers_and_ascii),
        cmocka_unit_test(parts_are_the_cells_that_were_used),
        cmocka_unit_test(values_without_origins),
        cmocka_unit_test(the_tree_as_text),
        cmocka_unit_test(long_chains_and_wide_trees_stay_small),
        cmocka_unit_test(every_cell_leads_to_its_inputs),
        cmocka_unit_test(the_arithmetic_shown_is_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
