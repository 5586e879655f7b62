/* lint: functions that call themselves, also through others. The calls of all functions are listed once; then a walk
 * along them meets a function that it has not left yet. */
#include <stdlib.h>

#include "base/pick.h"
#include "base/stack.h"
#include "lint/program_checks.h"

/* A call in function `from`. */
struct call_edge {
    size_t from, to;
    const struct ptog_op *op;
};

struct call_graph {
    const struct ptog_program *program;
    struct ptog_stack edges; /* struct call_edge, by caller */
    size_t *first;           /* by function: its first edge */
    unsigned char *state;    /* by function: NEW, OPEN, DONE */
    size_t *next;            /* by function: the edge to follow next */
    size_t *path;            /* functions that are open, outermost first */
};

enum { NEW = 0, OPEN, DONE };

/* The function that an operation of function `from` calls; NULL: it calls none. */
static const struct ptog_function *callee_of(const struct ptog_program *program, size_t from, const struct ptog_op *op)
{
    if (op->name != PTOG_OP_NAME_CALL && op->name != PTOG_OP_NAME_SHORT_CALL)
        return NULL;
    const struct ptog_part *items = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    if (!items || items->count != 1 || items->items[0].kind != PTOG_ITEM_SYMBOL)
        return NULL;
    return ptog_function_called(program, program->functions[from].scope, items->items[0].name);
}

/* Adds the calls that stand in a region to the graph; *good is false when out of memory. */
static void list_calls(struct call_graph *graph, size_t from, const struct ptog_region *region, bool *good)
{
    for (const struct ptog_op *op = region->first; op && *good; op = op->next) {
        const struct ptog_function *callee = callee_of(graph->program, from, op);
        if (callee) {
            struct call_edge edge = {from, (size_t)(callee - graph->program->functions), op};
            *good = ptog_stack_push(&graph->edges, &edge, sizeof edge);
        }
        for (uint32_t i = 0; i < op->part_count; i++)
            if (op->parts[i].kind == PTOG_PART_REGION && ptog_op_info(op->name)->kind != PTOG_KIND_FUNC)
                list_calls(graph, from, op->parts[i].region, good);
    }
}

/* Adds the calls of all functions, those of one beside each other. */
static bool list_all(struct call_graph *graph)
{
    size_t count = graph->program->function_count;
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        graph->first[i] = graph->edges.used / sizeof(struct call_edge);
        if (graph->program->functions[i].op)
            list_calls(graph, i, graph->program->functions[i].region, &good);
    }
    graph->first[count] = graph->edges.used / sizeof(struct call_edge);
    return good;
}

/* From one function on, along all calls; each function is walked once. */
static void walk_from(struct call_graph *graph, size_t start, struct ptog_diag_list *diags)
{
    const struct call_edge *edges = (const struct call_edge *)(const void *)graph->edges.data;
    size_t depth = 0;
    graph->path[depth++] = start;
    graph->state[start] = OPEN;
    graph->next[start] = graph->first[start];
    while (depth > 0) {
        size_t at = graph->path[depth - 1];
        if (graph->next[at] == graph->first[at + 1]) {
            graph->state[at] = DONE;
            depth--;
            continue;
        }
        const struct call_edge *edge = &edges[graph->next[at]++];
        if (graph->state[edge->to] == OPEN)
            ptog_diag_emit(diags, "text-recursive", edge->op->name_span, "@%.80s calls itself%s",
                           graph->program->functions[edge->to].name,
                           ptog_when(edge->to != at, ", through other functions"));
        if (graph->state[edge->to] != NEW)
            continue;
        graph->state[edge->to] = OPEN;
        graph->next[edge->to] = graph->first[edge->to];
        graph->path[depth++] = edge->to;
    }
}

void ptog_recursion_check(const struct ptog_program *program, struct ptog_diag_list *diags)
{
    size_t count = program->function_count;
    if (!program->tree.has_calls)
        return;
    struct call_graph graph = {.program = program,
                               .first = calloc(count + 1, sizeof *graph.first),
                               .state = calloc(count + 1, sizeof *graph.state),
                               .next = calloc(count + 1, sizeof *graph.next),
                               .path = calloc(count + 1, sizeof *graph.path)};
    bool good = graph.first && graph.state && graph.next && graph.path && list_all(&graph);
    for (size_t i = 0; i < count && good; i++)
        if (graph.state[i] == NEW)
            walk_from(&graph, i, diags);
    diags->no_memory = diags->no_memory || !good;
    ptog_stack_free(&graph.edges);
    free(graph.first);
    free(graph.state);
    free(graph.next);
    free(graph.path);
}
