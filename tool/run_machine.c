/* tool: what ptog run asks of the machine, and what it prints about it: --schedule, --launch, --stats, --ub-map. */
#include "run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* ---- options ---- */

static bool seed_of(const char *text, uint64_t *seed)
{
    int64_t number;
    if (!run_number(text, &number) || number < 0)
        return false;
    *seed = (uint64_t)number;
    return true;
}

static bool take_schedule(const char *text, struct run_machine *machine)
{
    static const char random[] = "random:", witness[] = "witness:";
    if (!text)
        return true;
    if (strcmp(text, "fast") == 0)
        machine->schedule = PTOG_SCHEDULE_FAST;
    else if (strcmp(text, "slow") == 0)
        machine->schedule = PTOG_SCHEDULE_SLOW;
    else if (strncmp(text, random, strlen(random)) == 0 && seed_of(text + strlen(random), &machine->seed))
        machine->schedule = PTOG_SCHEDULE_RANDOM;
    else if (strncmp(text, witness, strlen(witness)) == 0 && text[strlen(witness)] != '\0')
        machine->schedule = PTOG_SCHEDULE_WITNESS;
    else
        return tool_usage("run", "--schedule %s: expected fast, slow, random:SEED or witness:FILE#N", text), false;
    return machine->schedule != PTOG_SCHEDULE_WITNESS || run_witness_read(text + strlen(witness), machine);
}

static bool take_launch(const char *text, struct run_machine *machine)
{
    if (!text || strcmp(text, "standard") == 0)
        return true;
    machine->launch = PTOG_LAUNCH_DIRECT;
    return strcmp(text, "direct") == 0 || (tool_usage("run", "--launch %s: expected standard or direct", text), false);
}

static bool take_dyn_ub(const char *text, struct run_machine *machine)
{
    int64_t number = 0;
    if (text && (!run_number(text, &number) || number < 1))
        return tool_usage("run", "--dyn-ub %s: expected a number of bytes, 1 or more", text), false;
    machine->dyn_ub = (uint64_t)number;
    return true;
}

bool run_machine_take(struct run_machine *machine)
{
    return take_schedule(machine->schedule_text, machine) && take_launch(machine->launch_text, machine) &&
           take_dyn_ub(machine->dyn_ub_text, machine);
}

/* ---- figures ---- */

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

/* A list that grows; RUN_MOST_FIGURES are enough for all. */
struct figures {
    struct run_figure *list;
    size_t count;
};

__attribute__((format(printf, 3, 4))) static void add(struct figures *figures, const char *name, const char *format,
                                                      ...)
{
    struct run_figure *figure = &figures->list[figures->count++];
    va_list arguments;
    va_start(arguments, format);
    figure->name = name;
    vsnprintf(figure->text, sizeof figure->text, format, arguments);
    va_end(arguments);
}

static void add_pipes(struct figures *figures, const struct ptog_stats *stats)
{
    char text[sizeof figures->list->text] = "";
    for (int pipe = 0; pipe < PTOG_PIPES; pipe++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %.0f%%", pipe > 0 ? ", " : "",
                 ptog_pipe_name((enum ptog_pipe)pipe), percent(stats->busy_cycles[pipe], stats->cycles));
    add(figures, "pipes busy", "%s", text);
}

static void add_simt(struct figures *figures, const struct ptog_stats *stats)
{
    if (stats->launches == 0)
        return;
    add(figures, "SIMT", "%" PRIu64 " launches, %" PRIu64 " warps, %" PRIu64 " idle lanes", stats->launches,
        stats->warps, stats->idle_lanes);
    add(figures, "transactions", "%" PRIu64 " of 128 bytes, %.0f%% of their bytes used", stats->transactions,
        percent((double)stats->transaction_bytes, 128 * (double)stats->transactions));
}

size_t run_figures(const struct ptog_stats *stats, struct run_figure list[RUN_MOST_FIGURES])
{
    struct figures figures = {list, 0};
    add(&figures, "time", "%.0f cycles, %.2f us at %.0f MHz", stats->cycles,
        stats->mhz > 0 ? stats->cycles / stats->mhz : 0, stats->mhz);
    add(&figures, "instructions", "%" PRIu64 ", with %" PRIu64 " sets, %" PRIu64 " waits and %" PRIu64 " barriers",
        stats->instructions, stats->sets, stats->waits, stats->barriers);
    add(&figures, "waiting", "%.0f cycles for flags", stats->wait_cycles);
    add_pipes(&figures, stats);
    add(&figures, "transfers", "%" PRIu64 " DMAs, %" PRIu64 " bursts, %" PRIu64 " dropped", stats->dmas, stats->bursts,
        stats->dropped_bursts);
    add(&figures, "GM", "%" PRIu64 " bytes read, %" PRIu64 " written; %" PRIu64 " scalar loads, %" PRIu64 " stores",
        stats->gm_read_bytes, stats->gm_write_bytes, stats->scalar_loads, stats->scalar_stores);
    add_simt(&figures, stats);
    add(&figures, "UB", "%" PRIu64 " bytes reached", stats->ub_top);
    return figures.count;
}

static void print_stats(const struct ptog_stats *stats)
{
    struct run_figure figures[RUN_MOST_FIGURES];
    size_t count = run_figures(stats, figures);
    fputs("statistics (estimates: 'ptog targets --costs' has each figure and its source)\n", stderr);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "  %-13s %s\n", figures[i].name, figures[i].text);
}

/* ---- the map of UB ---- */

static void print_entry(const struct ptog_ub_entry *entry)
{
    fprintf(stderr, "  0x%05" PRIx64 "..0x%05" PRIx64 "  %" PRId64 "x%" PRId64 " %s, %s", entry->addr,
            entry->addr + entry->bytes - 1, entry->rows, entry->cols, ptog_dtype_name(entry->dtype), entry->operand);
    if (entry->first.line > 0)
        fprintf(stderr, ", line %" PRIu32 " to %" PRIu32, entry->first.line, entry->last.line);
    fprintf(stderr, ", used %" PRIu64 " time%s\n", entry->uses, entry->uses == 1 ? "" : "s");
}

static void print_free(uint64_t from, uint64_t to)
{
    if (from < to)
        fprintf(stderr, "  0x%05" PRIx64 "..0x%05" PRIx64 "  free, %" PRIu64 " bytes\n", from, to - 1, to - from);
}

static void print_map(const ptog_result *result, const struct ptog_target *target)
{
    struct ptog_ub_entry entry;
    uint64_t end = 0;
    fprintf(stderr, "UB of %s, %" PRIu64 " bytes\n", target->name, target->ub_bytes);
    for (size_t i = 0; ptog_result_ub_at(result, i, &entry); i++) {
        print_free(end, entry.addr);
        print_entry(&entry);
        end = entry.addr + entry.bytes > end ? entry.addr + entry.bytes : end;
    }
    print_free(end, target->ub_bytes);
}

void run_machine_print(const struct run_machine *machine, const ptog_result *result, const struct ptog_target *target)
{
    struct ptog_stats stats;
    bool there = ptog_result_stats(result, &stats) == PTOG_OK;
    if ((machine->stats || machine->map) && !there)
        fprintf(stderr, "ptog run: %s has no machine: there are no statistics and no map\n", target->name);
    if (machine->stats && there)
        print_stats(&stats);
    if (machine->map && there)
        print_map(result, target);
}
