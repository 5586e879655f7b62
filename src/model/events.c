/* model: names of pipes, the operand that names an event, the fault table of the machine, the cost table. */
#include "model/events.h"

#include <string.h>

#include "model/target.h"

const char *ptog_pipe_name(enum ptog_pipe pipe)
{
    static const char *const names[] = {"S", "V", "MTE2", "MTE3", "M", "MTE1", "FIX", "ALL"};
    if ((unsigned)pipe < sizeof names / sizeof names[0])
        return names[pipe];
    return "?";
}

/* How well an access tells what an instruction is about: a tile before global memory, what is written before what is
 * read. */
static int naming_rank(const struct ptog_access *access)
{
    if (access->kind == PTOG_SCRATCHES)
        return 0;
    return (access->space == PTOG_IN_GM ? 1 : 3) + ptog_access_writes(access);
}

struct ptog_operand_at ptog_event_operand(const struct ptog_event *event)
{
    struct ptog_operand_at best = {event->site, PTOG_AT_COUNT};
    int best_rank = 0;
    for (size_t i = 0; i < event->count && best_rank < 4; i++) {
        int rank = naming_rank(&event->accesses[i]);
        if (rank <= best_rank)
            continue;
        best_rank = rank;
        best.operand = event->accesses[i].operand;
    }
    return best;
}

static const struct ptog_machine_fault faults[] = {
#define MACHINE_FAULT(name, ...) {__VA_ARGS__, false, false, false},
#define SIMT_FAULT(name, ...) {__VA_ARGS__, true, false, false},
#define LAUNCH_FAULT(name, ...) {__VA_ARGS__, false, true, false},
#define MACHINE_LIMIT(name, ...) {__VA_ARGS__, false, false, true},
#include "spec/machine_faults.def"
#undef MACHINE_FAULT
};

const struct ptog_machine_fault *ptog_machine_fault_at(size_t i)
{
    if (i < sizeof faults / sizeof faults[0])
        return &faults[i];
    return NULL;
}

const struct ptog_machine_fault *ptog_machine_fault_find(const char *id)
{
    for (size_t i = 0; id && i < sizeof faults / sizeof faults[0]; i++)
        if (strcmp(faults[i].id, id) == 0)
            return &faults[i];
    return NULL;
}

#define COST(name, targets, cycles, source)
#define COST_TABLE(curve, name, targets, source, ...) static const double curve[][2] = {__VA_ARGS__};
#include "spec/costs.def"
#undef COST_TABLE
#undef COST

static const struct ptog_cost costs[] = {
#define COST(name, targets, cycles, source) {name, targets, cycles, NULL, 0, source},
#define COST_TABLE(curve, name, targets, source, ...) {name, targets, 0, curve, sizeof curve / sizeof curve[0], source},
#include "spec/costs.def"
#undef COST_TABLE
#undef COST
};

const struct ptog_cost *ptog_cost_at(size_t i)
{
    if (i < sizeof costs / sizeof costs[0])
        return &costs[i];
    return NULL;
}
