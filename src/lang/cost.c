/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lang/route.h"

/* --- Amounts: a number and its polynomial, side by side ---------------------------------- */

/* A polynomial over its limits gives way to the number. */
static CostFigure amount_of(double count, Poly *formula)
{
    return (CostFigure){count, formula != NULL ? formula : poly_constant(count)};
}

static CostFigure amount_number(double count)
{
    return amount_of(count, NULL);
}

static CostFigure amount_dim(Dim dim)
{
    return amount_of((double)dim.n, dim_poly(dim));
}

static void amount_clear(CostFigure *a)
{
    poly_unref(a->formula);
    a->formula = NULL;
}

/* a b; takes over both. */
static CostFigure amount_times(CostFigure a, CostFigure b)
{
    CostFigure product = amount_of(a.count * b.count, poly_multiply(a.formula, b.formula));
    amount_clear(&a);
    amount_clear(&b);
    return product;
}

/* *sum += a; takes over a. */
static void amount_add(CostFigure *sum, CostFigure a)
{
    CostFigure total = amount_of(sum->count + a.count, poly_add(sum->formula, a.formula));
    amount_clear(&a);
    amount_clear(sum);
    *sum = total;
}

static CostFigure amount_scale(CostFigure a, double factor)
{
    CostFigure scaled = amount_of(factor * a.count, poly_scale(a.formula, factor));
    amount_clear(&a);
    return scaled;
}

static size_t count_cells(const Value *v)
{
    return v->rows.n * v->cols.n;
}

static CostFigure amount_cells(const Value *v)
{
    return amount_times(amount_dim(v->rows), amount_dim(v->cols));
}

/* --- The values behind a result ---------------------------------------------------------- */

static const size_t NOWHERE = (size_t)-1;

typedef struct {
    const Value *value;
    uint64_t serial; /* 0 for a value without origin */
    uint64_t last;   /* the serial of what uses it last, through views too */
    size_t storage;  /* where its numbers are kept, or NOWHERE */
    bool input;      /* nothing behind it is looked at */
    bool constant;   /* a single number computed from parameters, counters and literals */
} Node;

/* Every value once, and a hash table from the value to its place in nodes. */
typedef struct {
    Node *nodes;
    size_t count, room;
    size_t *slots; /* index + 1, or 0; slot_count is a power of two */
    size_t slot_count;
} Walk;

/* The slot of value: its own, or the empty one where it belongs. */
static size_t *walk_slot(const Walk *walk, const Value *value)
{
    size_t mask = walk->slot_count - 1;
    size_t at = (size_t)(((uint64_t)(uintptr_t)value >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20);
    for (at &= mask; walk->slots[at] != 0; at = (at + 1) & mask)
        if (walk->nodes[walk->slots[at] - 1].value == value)
            break;
    return &walk->slots[at];
}

static void walk_index(Walk *walk, size_t slot_count)
{
    free(walk->slots);
    walk->slots = memory_zeros(slot_count, sizeof *walk->slots);
    walk->slot_count = slot_count;
    for (size_t i = 0; i < walk->count; i++)
        *walk_slot(walk, walk->nodes[i].value) = i + 1;
}

static bool is_input(const Value *v)
{
    return value_is_input(v) || route_is_written(v);
}

static void walk_add(Walk *walk, const Value *value)
{
    if (2 * walk->count >= walk->slot_count)
        walk_index(walk, walk->slot_count ? 2 * walk->slot_count : 64);
    size_t *slot = walk_slot(walk, value);
    if (*slot != 0)
        return;
    MEMORY_GROW(walk->nodes, walk->count, walk->room);
    uint64_t serial = value->origin != NULL ? value->origin->serial : 0;
    walk->nodes[walk->count++] =
        (Node){value, serial, serial, NOWHERE, is_input(value), false};
    *slot = walk->count;
}

static Node *walk_find(const Walk *walk, const Value *value)
{
    size_t slot = value->kind == VALUE_MATRIX ? *walk_slot(walk, value) : 0;
    return slot != 0 ? &walk->nodes[slot - 1] : NULL;
}

static int compare_serials(const void *a, const void *b)
{
    uint64_t x = ((const Node *)a)->serial, y = ((const Node *)b)->serial;
    return x < y ? -1 : x > y;
}

/* True for inputs that say how large something is rather than bring data. */
static bool is_setting(const Value *v)
{
    if (v->origin == NULL)
        return false;
    switch (v->origin->op->id) {
    case OP_LITERAL: case OP_PARAMETER: case OP_COUNTER: case OP_PI: case OP_E: case OP_INF:
    case OP_NAN: case OP_EPS: case OP_TRUE: case OP_FALSE: case OP_SIZE: case OP_ROWS:
    case OP_COLUMNS: case OP_NUMEL: case OP_ISEMPTY: case OP_RANGE:
        return true;
    default:
        return false;
    }
}

/* Finds the constants; needs operands before results.  Only single numbers count:
 * 2*n is not work, but 1:n is a setting so that x = 1:n; x(t) is one. */
static void walk_mark_constants(Walk *walk)
{
    for (size_t i = 0; i < walk->count; i++) {
        Node *node = &walk->nodes[i];
        const Origin *origin = node->value->origin;
        bool constant = is_setting(node->value) ||
                        (value_is_scalar(node->value) && route_is_written(node->value));
        if (!constant && !node->input && value_is_scalar(node->value) && origin->count > 0) {
            constant = origin->op->explain != EXPLAIN_OPAQUE || origin->op == op_get(OP_RIGHT_DIVIDE) ||
                       origin->op == op_get(OP_LEFT_DIVIDE) || origin->op == op_get(OP_MATRIX_POWER);
            for (size_t k = 0; constant && k < origin->count; k++) {
                const Node *operand = walk_find(walk, origin->operands[k]);
                constant = operand != NULL && operand->constant;
            }
        }
        node->constant = constant;
    }
}

/* Collects value and everything behind it down to the inputs, in the order made. */
static void walk_collect(Walk *walk, const Value *value)
{
    walk_add(walk, value);
    for (size_t i = 0; i < walk->count; i++) { /* nodes is its own work list */
        if (walk->nodes[i].input)
            continue;
        const Origin *origin = walk->nodes[i].value->origin;
        for (size_t k = 0; k < origin->count; k++)
            if (origin->operands[k]->kind == VALUE_MATRIX)
                walk_add(walk, origin->operands[k]);
    }
    qsort(walk->nodes, walk->count, sizeof *walk->nodes, compare_serials);
    walk_index(walk, walk->slot_count);
    walk_mark_constants(walk);
}

/* --- The work of one operation ----------------------------------------------------------- */

typedef struct {
    CostFigure multiply_adds, exponentials;
    bool opaque;
} Work;

/* The operand at k if it is a matrix, or NULL. */
static const Value *operand(const Value *v, size_t k)
{
    const Origin *origin = v->origin;
    return k < origin->count && origin->operands[k]->kind == VALUE_MATRIX ? origin->operands[k] : NULL;
}

static bool scalar_operand(const Value *v, size_t k)
{
    return operand(v, k) != NULL && value_is_scalar(operand(v, k));
}

/* Of two dimensions that agree, the one with a name. */
static Dim named(Dim a, Dim b)
{
    return a.name != NULL ? a : b;
}

static CostFigure times3(Dim a, Dim b, Dim c)
{
    return amount_times(amount_times(amount_dim(a), amount_dim(b)), amount_dim(c));
}

static void set(CostFigure *to, CostFigure amount)
{
    amount_clear(to);
    *to = amount;
}

/* (m,k)(k,n): m k n.  A single number times a matrix: one a cell. */
static void work_product(const Value *v, Work *work)
{
    const Value *a = operand(v, 0), *b = operand(v, 1);
    if (a->cols.n == b->rows.n)
        set(&work->multiply_adds, times3(a->rows, named(a->cols, b->rows), b->cols));
    else
        set(&work->multiply_adds, amount_cells(v));
}

/* Squares are products; any other power counts as an elementary function. */
static void work_power(const Value *v, Work *work)
{
    bool square = scalar_operand(v, 1) && value_number(operand(v, 1)) == 2.0;
    set(square ? &work->multiply_adds : &work->exponentials, amount_cells(v));
}

/* How many pairs of tokens attention looks at: n², causal n(n+1)/2, and with a window
 * of w tokens nw - w(w-1)/2. */
static CostFigure attention_pairs(const Value *v, Dim n)
{
    const Origin *origin = v->origin;
    const Value *option = origin->count > 3 ? origin->operands[3] : NULL;
    CostFigure pairs = amount_times(amount_dim(n), amount_dim(n));
    if (option == NULL)
        return pairs;
    if (option->kind == VALUE_TEXT) {
        amount_add(&pairs, amount_dim(n));
        return amount_scale(pairs, 0.5);
    }
    double w = option->kind == VALUE_MATRIX && value_is_scalar(option) ? value_number(option) : 0;
    if (!(w >= 1 && w < (double)n.n))
        return pairs;
    amount_clear(&pairs);
    pairs = amount_times(amount_dim(n), amount_of(w, poly_ref(option->number)));
    CostFigure missing = amount_times(amount_of(w, poly_ref(option->number)),
                                      amount_of(w - 1, NULL));
    amount_add(&pairs, amount_scale(missing, -0.5));
    return pairs;
}

/* softmax_attention(Q, K, V[, 'causal' | w]): pairs (d_k + d_v) and an exponential a pair. */
static void work_softmax_attention(const Value *v, Work *work)
{
    const Value *Q = operand(v, 0), *V = operand(v, 2);
    CostFigure width = amount_dim(Q->cols);
    amount_add(&width, amount_dim(V->cols));
    set(&work->exponentials, attention_pairs(v, Q->rows));
    set(&work->multiply_adds, amount_times(attention_pairs(v, Q->rows), width));
}

/* The width f of phi(K) and whether phi takes exponentials; false if phi is no operation. */
static bool feature_width(const Value *phi, Dim d, CostFigure *width, bool *exponential)
{
    const Op *op = phi->kind == VALUE_FUNCTION ? phi->function->op : NULL;
    *width = amount_dim(d);
    *exponential = op != NULL && (op->id == OP_ELU1 || op->id == OP_EXP);
    if (op != NULL && op->id == OP_QUADRATIC) {
        amount_add(width, amount_number(1));
        *width = amount_scale(amount_times(*width, amount_dim(d)), 0.5);
    }
    return op != NULL;
}

/* linear_attention(phi, Q, K, V, …): phi(K)'*V and phi(Q)*(…): 2 n f d_v; phi(Q)*z: n f. */
static void work_linear_attention(const Value *v, Work *work)
{
    const Value *Q = operand(v, 1), *V = operand(v, 3);
    CostFigure width, products = amount_scale(amount_dim(V->cols), 2);
    bool exponential;
    work->opaque = !feature_width(v->origin->operands[0], Q->cols, &width, &exponential);
    amount_add(&products, amount_number(1));
    set(&work->multiply_adds, amount_times(amount_times(amount_dim(Q->rows), width), products));
    if (exponential)
        set(&work->exponentials,
            amount_scale(amount_times(amount_dim(Q->rows), amount_dim(Q->cols)), 2));
}

/* Whole layers, each with as many matrix operands as it names. */
static void work_layer(const Value *v, Work *work)
{
    const Value *a = operand(v, 0), *b = operand(v, 1), *c = operand(v, 2);
    switch (v->origin->op->cost) {
    case COST_FAVOR: /* X (n,d), W (m,d) */
        set(&work->multiply_adds, times3(a->rows, named(a->cols, b->cols), b->rows));
        set(&work->exponentials, amount_times(amount_dim(a->rows), amount_dim(b->rows)));
        break;
    case COST_SOFTMAX_ATTENTION:
        work_softmax_attention(v, work);
        break;
    case COST_LINEAR_ATTENTION:
        work_linear_attention(v, work);
        break;
    case COST_DELTA: /* Q, K (n,d_k), V (n,d_v) */
        set(&work->multiply_adds, amount_scale(times3(a->rows, a->cols, c->cols), 3));
        break;
    default: /* COST_SCAN: x, delta (n,c), A (c,N) */
        set(&work->multiply_adds, amount_scale(times3(a->rows, a->cols, c->cols), 3));
        set(&work->exponentials, times3(a->rows, a->cols, c->cols));
        break;
    }
}

/* Divisions and powers are opaque only where they are those of matrices. */
static void work_opaque(const Value *v, Work *work)
{
    OpId id = v->origin->op->id;
    if ((id == OP_RIGHT_DIVIDE && scalar_operand(v, 1)) ||
        (id == OP_LEFT_DIVIDE && scalar_operand(v, 0)))
        set(&work->multiply_adds, amount_cells(v));
    else if (id == OP_MATRIX_POWER && scalar_operand(v, 0) && scalar_operand(v, 1))
        work_power(v, work);
    else
        work->opaque = true;
}

/* True if the first count operands, from first on, are matrices. */
static bool has_operands(const Value *v, size_t first, size_t count)
{
    for (size_t k = first; k < count; k++)
        if (operand(v, k) == NULL)
            return false;
    return true;
}

static bool operands_fit(const Value *v)
{
    switch (v->origin->op->cost) {
    case COST_PRODUCT: case COST_FAVOR: return has_operands(v, 0, 2);
    case COST_SOFTMAX_ATTENTION: case COST_DELTA: case COST_SCAN: return has_operands(v, 0, 3);
    case COST_LINEAR_ATTENTION: return has_operands(v, 1, 4);
    default: return true;
    }
}

static Work work_of(const Value *v)
{
    Work work = {amount_number(0), amount_number(0), false};
    const Op *op = v->origin->op;
    /* What a measure does it does a cell of its argument, not of its one result. */
    bool measure = op->id == OP_DOT || op->id == OP_RELATIVE_ERROR || op->id == OP_ENTROPY;
    const Value *cells = measure && operand(v, 0) != NULL ? operand(v, 0) : v;
    if (!operands_fit(v)) {
        work.opaque = true;
        return work;
    }
    switch (op->cost) {
    case COST_FREE: case COST_CELLS: case COST_REDUCE:
        break;
    case COST_MULTIPLY: case COST_QUADRATIC:
        set(&work.multiply_adds, amount_cells(cells));
        break;
    case COST_EXP:
        if (op->id == OP_POWER)
            work_power(v, &work);
        else
            set(&work.exponentials, amount_cells(cells));
        break;
    case COST_FEATURE:
        if (op->id == OP_ELU1 || op->id == OP_EXP)
            set(&work.exponentials, amount_cells(v));
        break;
    case COST_SOFTMAX:
        set(&work.multiply_adds, amount_cells(v));
        set(&work.exponentials, amount_cells(v));
        break;
    case COST_PRODUCT:
        work_product(v, &work);
        break;
    case COST_OPAQUE:
        work_opaque(v, &work);
        break;
    default:
        work_layer(v, &work);
        break;
    }
    return work;
}

/* --- Summing up, loop by loop ------------------------------------------------------------ */

/* Orders values by where in the code they were made: source place, operation, loops
 * around it.  0: made by the same expression of the same loops. */
static int compare_places(const Value *a, const Value *b)
{
    const Origin *p = a->origin, *q = b->origin;
    if (p->at != q->at) {
        if (p->at == NULL || q->at == NULL)
            return p->at == NULL ? -1 : 1;
        if (p->at->span.start != q->at->span.start)
            return p->at->span.start < q->at->span.start ? -1 : 1;
        return (uintptr_t)p->at < (uintptr_t)q->at ? -1 : 1;
    }
    if (p->op->id != q->op->id)
        return p->op->id < q->op->id ? -1 : 1;
    const Loop *x = p->loop, *y = q->loop;
    while (x != NULL && y != NULL && x->stmt == y->stmt) {
        if (x == y)
            return 0;
        x = x->parent;
        y = y->parent;
    }
    if (x == NULL || y == NULL)
        return x == y ? 0 : x == NULL ? -1 : 1;
    return (uintptr_t)x->stmt < (uintptr_t)y->stmt ? -1 : 1;
}

static int compare_value_places(const void *a, const void *b)
{
    return compare_places(*(const Value *const *)a, *(const Value *const *)b);
}

/* How often the body of the innermost loop runs in all. */
static CostFigure amount_trips(const Loop *loop)
{
    CostFigure trips = amount_number(1);
    for (; loop != NULL; loop = loop->parent)
        trips = amount_times(trips, amount_dim(loop->trips));
    return trips;
}

/* A figure of the count values at group, all made at one place: if they all cost the
 * same and there are k of them each time the loops run, k times the cost times the trip
 * counts; otherwise the plain sum.  amounts are taken over. */
static CostFigure group_total(const Value *const *group, CostFigure *amounts, size_t count)
{
    CostFigure trips = amount_trips(group[0]->origin->loop);
    bool alike = fmod((double)count, trips.count) == 0.0;
    for (size_t i = 1; alike && i < count; i++) {
        CostFigure other = amount_trips(group[i]->origin->loop);
        alike = poly_equal(amounts[0].formula, amounts[i].formula) &&
                poly_equal(trips.formula, other.formula);
        amount_clear(&other);
    }
    CostFigure total = amount_number(0);
    if (alike) {
        double each = (double)count / trips.count;
        amount_add(&total, amount_scale(amount_times(amounts[0], trips), each));
    } else {
        amount_add(&total, amounts[0]);
        amount_clear(&trips);
    }
    for (size_t i = 1; i < count; i++) {
        if (alike)
            amount_clear(&amounts[i]);
        else
            amount_add(&total, amounts[i]);
    }
    return total;
}

static void add_group(Cost *cost, const Value *const *group, size_t count)
{
    CostFigure *products = memory_zeros(count, sizeof *products);
    CostFigure *exponentials = memory_zeros(count, sizeof *exponentials);
    for (size_t i = 0; i < count; i++) {
        Work work = work_of(group[i]);
        products[i] = work.multiply_adds;
        exponentials[i] = work.exponentials;
        cost->opaque |= work.opaque;
    }
    amount_add(&cost->multiply_adds, group_total(group, products, count));
    amount_add(&cost->exponentials, group_total(group, exponentials, count));
    free(products);
    free(exponentials);
}

static void sum_work(const Walk *walk, Cost *cost)
{
    const Value **values = memory_alloc(walk->count * sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < walk->count; i++)
        if (!walk->nodes[i].input && !walk->nodes[i].constant)
            values[count++] = walk->nodes[i].value;
    qsort(values, count, sizeof *values, compare_value_places);
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count; end++)
            if (compare_places(values[start], values[end]) != 0)
                break;
        add_group(cost, values + start, end - start);
    }
    free(values);
}

/* --- What is kept, and for how long ------------------------------------------------------ */

/* A place for numbers: one value, the views of it, and what indexed assignments made of
 * it.  Alive from the serial birth to the serial death. */
typedef struct {
    uint64_t birth, death;
    const Value *largest; /* the value it is as large as */
} Storage;

typedef struct {
    Storage *items;
    size_t count, room;
} Storages;

/* True if v only looks at the numbers of its first operand. */
static bool is_view(const Value *v)
{
    if (operand(v, 0) == NULL)
        return false;
    switch (v->origin->op->id) {
    case OP_INDEX: case OP_TRANSPOSE: case OP_RESHAPE: case OP_PLUS_SIGN: case OP_IDENTITY:
    case OP_DIMS:
        return true;
    default:
        return false;
    }
}

/* last of every node, from the newest back: a view hands its own on to what it views. */
static void find_last_uses(Walk *walk, const Value *result)
{
    walk_find(walk, result)->last = UINT64_MAX;
    for (size_t i = walk->count; i-- > 0;) {
        const Node *node = &walk->nodes[i];
        if (node->input)
            continue;
        const Origin *origin = node->value->origin;
        for (size_t k = 0; k < origin->count; k++) {
            Node *used = walk_find(walk, origin->operands[k]);
            uint64_t use = k == 0 && is_view(node->value) ? node->last : node->serial;
            if (used != NULL && used->last < use)
                used->last = use;
        }
    }
}

/* The node whose storage v shares, or NULL: a view that of its operand; an indexed
 * assignment writes in place if it is the last to use the old value. */
static const Node *shared_with(const Walk *walk, const Node *node, const Value *result)
{
    const Value *v = node->value;
    const Node *first = operand(v, 0) != NULL ? walk_find(walk, operand(v, 0)) : NULL;
    OpId id = v->origin->op->id;
    if (is_view(v) && !(v == result && id == OP_INDEX))
        return first;
    if (id == OP_SET_INDEX && first != NULL && !first->input && !is_view(first->value) &&
        first->last == node->serial)
        return first;
    return NULL;
}

static void place_storages(Walk *walk, Storages *storages, const Value *result)
{
    for (size_t i = 0; i < walk->count; i++) {
        Node *node = &walk->nodes[i];
        if (node->input || node->constant)
            continue;
        const Node *shared = shared_with(walk, node, result);
        if (shared != NULL) {
            node->storage = shared->storage;
        } else {
            MEMORY_GROW(storages->items, storages->count, storages->room);
            storages->items[storages->count] = (Storage){node->serial, node->last, node->value};
            node->storage = storages->count++;
        }
        if (node->storage == NOWHERE)
            continue;
        Storage *storage = &storages->items[node->storage];
        if (storage->death < node->last)
            storage->death = node->last;
        if (count_cells(node->value) > count_cells(storage->largest))
            storage->largest = node->value;
    }
}

static void find_largest(const Storages *storages, size_t result, Cost *cost)
{
    const Value *largest = NULL;
    for (size_t i = 0; i < storages->count; i++) {
        const Value *v = storages->items[i].largest;
        if (i != result &&
            (largest == NULL || count_cells(v) > count_cells(largest)))
            largest = v;
    }
    if (largest != NULL)
        set(&cost->largest, amount_cells(largest));
}

static int compare_deaths(const void *a, const void *b)
{
    uint64_t x = ((const Storage *)a)->death, y = ((const Storage *)b)->death;
    return x < y ? -1 : x > y;
}

/* The serial at which most numbers are alive. */
static uint64_t find_peak(const Storages *storages)
{
    Storage *dying = memory_alloc(storages->count * sizeof *dying);
    if (storages->count > 0)
        memcpy(dying, storages->items, storages->count * sizeof *dying);
    qsort(dying, storages->count, sizeof *dying, compare_deaths);
    double alive = 0, most = -1;
    uint64_t peak = 0;
    for (size_t i = 0, gone = 0; i < storages->count; i++) { /* items are in order of birth */
        uint64_t now = storages->items[i].birth;
        for (; gone < storages->count && dying[gone].death < now; gone++)
            alive -= (double)count_cells(dying[gone].largest);
        alive += (double)count_cells(storages->items[i].largest);
        if (alive > most) {
            most = alive;
            peak = now;
        }
    }
    free(dying);
    return peak;
}

static void measure_storage(Walk *walk, const Value *result, Cost *cost)
{
    Storages storages = {0};
    find_last_uses(walk, result);
    place_storages(walk, &storages, result);
    find_largest(&storages, walk_find(walk, result)->storage, cost);
    uint64_t peak = find_peak(&storages);
    for (size_t i = 0; i < storages.count; i++)
        if (storages.items[i].birth <= peak && peak <= storages.items[i].death)
            amount_add(&cost->kept, amount_cells(storages.items[i].largest));
    free(storages.items);
}

/* --- The whole ----------------------------------------------------------------------------- */

void cost_of(const Value *value, Cost *out)
{
    *out = (Cost){amount_number(0), amount_number(0), amount_number(0), amount_number(0), false};
    if (value->kind != VALUE_MATRIX)
        return;
    Walk walk = {0};
    walk_collect(&walk, value);
    sum_work(&walk, out);
    measure_storage(&walk, value, out);
    free(walk.nodes);
    free(walk.slots);
}

void cost_clear(Cost *cost)
{
    amount_clear(&cost->multiply_adds);
    amount_clear(&cost->exponentials);
    amount_clear(&cost->largest);
    amount_clear(&cost->kept);
}
