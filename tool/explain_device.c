/* tool: the pages of `ptog explain` about a target or a pipe: what it is, what differs there, what it costs, and a
 * picture of the pipes. */
#include "tool.h"

#include <inttypes.h>
#include <string.h>

#include <ptog/ptog.h>

#include "io/pick.h"

/* How a vector core moves data; the arrows are the pipes. */
static const char core_picture[] = "              MTE2  -->                      <-> V\n"
                                   "global memory             on-chip buffer (UB)\n"
                                   "    (GM)      <--  MTE3                      <-> S\n"
                                   "\n"
                                   "S runs the kernel and queues every instruction on its pipe. Pipes run in\n"
                                   "parallel; only flags and barriers make one wait for another:\n"
                                   "\n"
                                   "    MTE2   tload %idx ---- set_flag(MTE2, V, 0)\n"
                                   "                                     |\n"
                                   "    V                      wait_flag(MTE2, V, 0) ---- tgather reads %idx\n";

/* ---- pipes */

static const struct {
    const char *name, *what, *barrier, *ids;
} pipes[] = {
    {"S",
     "the scalar pipe: it runs the kernel, issues every instruction, loads and stores single numbers, and reads the "
     "indices of an mgather on a2a3",
     "none: it runs in order", "barrier-on-scalar scalar-stale scalar-unflushed"},
    {"V", "the vector pipe: arithmetic, tgather and reductions on tiles in UB; on a5 also the SIMT launches of mgather",
     "pto.barrier <PIPE_V> makes its instructions wait for each other; a5 has none, and needs none",
     "same-pipe-hazard barrier-bad-pipe text-barrier-v"},
    {"MTE2",
     "the load pipe: transfers from global memory (GM) to the on-chip buffer (UB), such as tload, and the rows of "
     "an mgather on a2a3",
     "pto.barrier <PIPE_MTE2>", "race-raw race-war same-pipe-hazard"},
    {"MTE3", "the store pipe: transfers from the on-chip buffer (UB) to global memory (GM), such as tstore",
     "pto.barrier <PIPE_MTE3>", "race-raw race-war race-waw"},
    {"MTE1", "a pipe of the cube core: copies from L1 to L0A, L0B and the bias table, such as tmov",
     "pto.barrier <PIPE_MTE1>; no effect on a vector core", "race-raw race-war flag-bad-pair"},
    {"M", "the matrix pipe of the cube core: tmatmul", "pto.barrier <PIPE_M>; no effect on a vector core",
     "race-raw race-war flag-bad-pair"},
    {"FIX", "the pipe of the cube core that stores matrix results: tstore from acc",
     "pto.barrier <PIPE_FIX>; on a vector core an error: it stops the core", "race-raw barrier-bad-pipe flag-bad-pair"},
    {"ALL", "all pipes of a core, for barriers: pto.barrier <PIPE_ALL> waits until everything before it has completed",
     "pto.barrier <PIPE_ALL>", "flag-redundant"},
};

bool tool_explain_pipe(const char *name)
{
    size_t skipped = strncmp(name, "PIPE_", 5) == 0 ? 5 : 0;
    for (size_t i = 0; i < sizeof pipes / sizeof *pipes; i++) {
        if (strcmp(name + skipped, pipes[i].name) != 0)
            continue;
        tool_print_title(pipes[i].name, "a pipe");
        tool_print_field("meaning", pipes[i].what);
        tool_print_field(
            "flags", "set_flag(A, B, id) on pipe A and wait_flag(A, B, id) on pipe B: what A did before the set has "
                     "completed when B continues; A and B are two of S, V, MTE2 and MTE3, and ids 0 to 5 are free");
        tool_print_field("barrier", pipes[i].barrier);
        tool_print_field("rules", pipes[i].ids);
        putchar('\n');
        tool_print_lines("    ", core_picture);
        return true;
    }
    return false;
}

const char *tool_pipe_at(size_t i)
{
    return i < sizeof pipes / sizeof *pipes ? pipes[i].name : NULL;
}

/* ---- targets */

static void print_costs(const struct ptog_target *target)
{
    const struct ptog_cost *cost;
    puts("\n  cost, in cycles (estimates; 'ptog targets --costs' has the sources)");
    for (size_t i = 0; (cost = ptog_cost_at(i)) != NULL; i++)
        if ((cost->targets & target->as) && cost->point_count == 0)
            printf("    %-28s%g\n", cost->name, cost->cycles);
}

/* Prints the constraints of a target that not all others have. */
static void print_own_rules(const struct ptog_target *target)
{
    const struct ptog_rule *rule;
    uint32_t all = 0;
    for (size_t i = 0; ptog_target_at(i); i++)
        all |= ptog_target_at(i)->bit;
    puts("\n  constraints that other targets do not have ('ptog explain ID' has more about each)");
    for (size_t i = 0; (rule = ptog_rule_at(i)) != NULL; i++) {
        uint32_t on = rule->exact ? target->bit : target->as;
        if (!(rule->targets & on) || (rule->targets & all) == all)
            continue;
        printf("    %-28s", rule->id);
        tool_print_wrapped(32, rule->what);
    }
}

bool tool_explain_target(const char *name)
{
    const struct ptog_target *target = ptog_target_find(name);
    const struct ptog_target_alias *alias;
    char line[200];
    if (!target)
        return false;
    tool_print_title(target->name, "a target");
    tool_print_field("meaning", target->summary);
    for (size_t i = 0; (alias = ptog_target_alias_at(i)) != NULL; i++)
        if (alias->target == target) {
            snprintf(line, sizeof line, "%s: %s", alias->name, alias->what);
            tool_print_field("alias", line);
        }
    if (target->ub_bytes > 0)
        snprintf(line, sizeof line, "an on-chip buffer (UB) of %" PRIu64 " KiB", target->ub_bytes / 1024);
    else
        snprintf(line, sizeof line, "as much on-chip buffer (UB) as the tiles need");
    tool_print_field("memory", line);
    tool_print_field("checks", target->machine == PTOG_NO_MACHINE
                                   ? "operands and indices; it has no pipes, so races are not checked"
                                   : "operands, indices, races, flags, uninitialised data and memory limits");
    if (target->machine != PTOG_NO_MACHINE)
        print_costs(target);
    print_own_rules(target);
    if (target->machine != PTOG_NO_MACHINE) {
        putchar('\n');
        tool_print_lines("    ", core_picture);
    }
    return true;
}
