/* tool: what ptog run asks of the machine, and what it prints about it: --schedule, --launch, --stats, --ub-map. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/pick.h"

/* ---- options ---- */

/* Reads a seed of 0 or more. */
static bool seed_of(const char *text, uint64_t *seed)
{
    int64_t number;
    if (!run_number(text, &number) || number < 0)
        return false;
    *seed = (uint64_t)number;
    return true;
}

/* Reads --schedule; false with a message. */
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

/* Reads --dyn-ub; false with a message. */
static bool take_dyn_ub(const char *text, struct run_machine *machine)
{
    int64_t number = 0;
    if (text && (!run_number(text, &number) || number < 1))
        return tool_usage("run", "--dyn-ub %s: expected a number of bytes, 1 or more", text), false;
    machine->dyn_ub = (uint64_t)number;
    return true;
}

/* PTO_CPU_MAX_THREADS, as the CPU simulator calls it: how many threads the rows of a gather have there. */
static bool take_cpu_threads(const char *text, struct run_machine *machine)
{
    int64_t number = 1;
    if (text && *text && (!run_number(text, &number) || number < 1 || number > 4096))
        return tool_usage("run", "PTO_CPU_MAX_THREADS=%s: expected a number from 1 to 4096", text), false;
    machine->cpu_threads = (uint32_t)number;
    return true;
}

bool run_machine_take(struct run_machine *machine)
{
    return take_cpu_threads(getenv("PTO_CPU_MAX_THREADS"), machine) && take_schedule(machine->schedule_text, machine) &&
           take_launch(machine->launch_text, machine) && take_dyn_ub(machine->dyn_ub_text, machine);
}

/* ---- figures ---- */

static void print_stats(const struct ptog_stats *stats)
{
    struct ptog_figure figures[PTOG_MAX_FIGURES];
    size_t count = ptog_report_figures(stats, figures);
    fputs("statistics (estimates: 'ptog targets --costs' has each figure and its source)\n", stderr);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "  %-13s %s\n", figures[i].name, figures[i].text);
}

/* ---- the map of UB ---- */

/* Prints a tile of the map of UB to stderr: bytes, type, first and last use. */
static void print_entry(const struct ptog_ub_entry *entry)
{
    fprintf(stderr, "  0x%05" PRIx64 "..0x%05" PRIx64 "  %" PRId64 "x%" PRId64 " %s, %s", entry->addr,
            entry->addr + entry->bytes - 1, entry->rows, entry->cols, ptog_dtype_name(entry->dtype), entry->operand);
    if (entry->is_static)
        fputs(", static", stderr);
    const struct ptog_where *first = ptog_headline(&entry->first), *last = ptog_headline(&entry->last);
    if (entry->first.origin || entry->last.origin)
        fprintf(stderr, ", %s:%" PRIu32 " to %s:%" PRIu32, first->file, first->line, last->file, last->line);
    else if (first->line > 0)
        fprintf(stderr, ", line %" PRIu32 " to %" PRIu32, first->line, last->line);
    fprintf(stderr, ", used %" PRIu64 " time%s\n", entry->uses, tool_plural(entry->uses));
}

static void print_free(uint64_t from, uint64_t to)
{
    if (from < to)
        fprintf(stderr, "  0x%05" PRIx64 "..0x%05" PRIx64 "  free, %" PRIu64 " bytes\n", from, to - 1, to - from);
}

static void print_region(uint64_t at, uint64_t bytes, const char *what)
{
    if (bytes > 0)
        fprintf(stderr, "  0x%05" PRIx64 "..0x%05" PRIx64 "  %s, %" PRIu64 " bytes\n", at, at + bytes - 1, what, bytes);
}

/* Tiles that have bytes with one further up in the text: they are never alive together. */
static void print_shared(const ptog_result *result)
{
    struct ptog_placed placed, other;
    for (size_t i = 1; ptog_result_placed_at(result, i, &placed); i++)
        for (size_t k = 0; k < i && ptog_result_placed_at(result, k, &other); k++) {
            uint64_t end = placed.addr + placed.bytes, other_end = other.addr + other.bytes;
            uint64_t from = tool_max(placed.addr, other.addr), to = tool_min(end, other_end);
            if (from < to && placed.loc == other.loc)
                fprintf(stderr,
                        "  0x%05" PRIx64 "..0x%05" PRIx64
                        "  %%%s shares memory with %%%s; they are never live at the same time\n",
                        from, to - 1, placed.name, other.name);
        }
}

/* Prints what lay where in UB to stderr, with what was free. */
static void print_map(const ptog_result *result, const struct ptog_target *target)
{
    struct ptog_ub_entry entry;
    struct ptog_ub_layout layout = {0};
    uint64_t end = 0;
    ptog_result_ub_layout(result, &layout);
    fprintf(stderr, "UB of %s, %" PRIu64 " bytes: %" PRIu64 " static, %" PRIu64 " dynamic\n", target->name,
            target->ub_bytes, layout.static_bytes, layout.dynamic_bytes);
    for (size_t i = 0; ptog_result_ub_at(result, i, &entry); i++) {
        print_free(end, entry.addr);
        print_entry(&entry);
        if (entry.addr + entry.bytes > end)
            end = entry.addr + entry.bytes;
    }
    print_free(end, layout.reserved_bytes > 0 ? layout.reserved_at : target->ub_bytes);
    print_region(layout.reserved_at, layout.reserved_bytes, "reserved");
    print_region(layout.cache_at, layout.cache_bytes, "data cache");
    print_shared(result);
}

void run_machine_print_layout(const ptog_result *result, const struct ptog_target *target)
{
    struct ptog_ub_layout layout;
    if (!ptog_result_ub_layout(result, &layout) || target->ub_bytes == 0)
        return;
    fprintf(stderr, "UB of %s: %" PRIu64 " bytes static, %" PRIu64 " dynamic", target->name, layout.static_bytes,
            layout.dynamic_bytes);
    if (layout.reserved_bytes > 0)
        fprintf(stderr, ", %" PRIu64 " reserved, %" PRIu64 " data cache", layout.reserved_bytes, layout.cache_bytes);
    fputc('\n', stderr);
}

void run_machine_print(const struct run_machine *machine, const ptog_result *result, const struct ptog_target *target)
{
    struct ptog_stats stats;
    bool there = ptog_result_stats(result, &stats) == PTOG_OK;
    if ((machine->stats || machine->map) && !there)
        fprintf(stderr, "ptog run: %s does not simulate pipes: there are no statistics and no memory map\n",
                target->name);
    if (machine->stats && there)
        print_stats(&stats);
    if (machine->map && there)
        print_map(result, target);
}
