/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lang/route.h"
#include "lang/work.h"

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
    walk->nodes[walk->count++] = (Node){value, serial, serial, NOWHERE, is_input(value), false};
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

/* Inputs that say how large something is rather than bring data. */
static const OpId SETTINGS[] = {OP_LITERAL, OP_PARAMETER, OP_COUNTER, OP_PI,    OP_E,    OP_INF,
                                OP_NAN,     OP_EPS,       OP_TRUE,    OP_FALSE, OP_SIZE, OP_ROWS,
                                OP_COLUMNS, OP_NUMEL,     OP_ISEMPTY, OP_RANGE};

static bool is_setting(const Value *v)
{
    if (value_is_scalar(v) && route_is_written(v))
        return true;
    for (size_t k = 0; v->origin != NULL && k < sizeof SETTINGS / sizeof *SETTINGS; k++)
        if (v->origin->op->id == SETTINGS[k])
            return true;
    return false;
}

/* Arithmetic that single numbers may be put through and stay a setting. */
static bool is_arithmetic(const Op *op)
{
    return op->explain != EXPLAIN_OPAQUE || op->id == OP_RIGHT_DIVIDE || op->id == OP_LEFT_DIVIDE ||
           op->id == OP_MATRIX_POWER;
}

/* Finds the constants; needs operands before results.  Only single numbers count:
 * 2*n is not work, but 1:n is a setting so that x = 1:n; x(t) is one. */
static void walk_mark_constants(Walk *walk)
{
    for (size_t i = 0; i < walk->count; i++) {
        Node *node = &walk->nodes[i];
        const Origin *origin = node->value->origin;
        bool constant = is_setting(node->value);
        if (!constant && !node->input && value_is_scalar(node->value) && origin->count > 0) {
            constant = is_arithmetic(origin->op);
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

/* The operand at k if it is a matrix, or NULL. */
static const Value *operand(const Value *v, size_t k)
{
    const Origin *origin = v->origin;
    return k < origin->count && origin->operands[k]->kind == VALUE_MATRIX ? origin->operands[k]
                                                                          : NULL;
}

/* True if v only looks at the numbers of its first operand. */
static bool is_view(const Value *v)
{
    if (operand(v, 0) == NULL)
        return false;
    switch (v->origin->op->id) {
    case OP_INDEX:
    case OP_TRANSPOSE:
    case OP_RESHAPE:
    case OP_PLUS_SIGN:
    case OP_IDENTITY:
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

static size_t count_cells(const Value *v)
{
    return v->rows.n * v->cols.n;
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
        if (i != result && (largest == NULL || count_cells(v) > count_cells(largest)))
            largest = v;
    }
    if (largest != NULL)
        amount_set(&cost->largest, amount_cells(largest));
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
