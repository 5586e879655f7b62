/* tool: witnesses of races as a file: --witness writes it, --schedule witness:FILE#N runs one of them.
 *
 *     ptog-witness 1
 *     # race-raw at line 14: if tload at line 12 ends late (instruction 1 of block 0), ...
 *     1 block 0 instruction 1 cycles 1000000000000
 *
 * A line gives one instruction of witness N a latency; all others end before the next one is issued. A witness may have
 * several lines; number 0 has none, and shows the run in order. */
#include "run.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

#define HEADER "ptog-witness 1"
#define MAX_BYTES ((uint64_t)1 << 20)
#define MAX_MESSAGE 2048

/* ---- writing ---- */

/* Writes a witness that a run can be repeated with; false, with *why, when that fails. */
static bool write_witness(struct tool_file *file, const struct ptog_diag *diag, unsigned number, struct tool_why *why)
{
    char text[MAX_MESSAGE];
    const struct ptog_where *where = ptog_headline(&diag->where);
    const char *at = diag->where.origin ? where->file : "line";
    char between = diag->where.origin ? ':' : ' ';
    int length = snprintf(
        text, sizeof text,
        "# %s at %.300s%c%" PRIu32 ": %.1500s\n%u block %" PRIu32 " instruction %" PRIu32 " cycles %.0f\n", diag->id,
        at, between, where->line, diag->witness, number, diag->late_block, diag->late_instruction, PTOG_LATE);
    return tool_file_write(file, text, (size_t)length, why);
}

/* Writes the witnesses of all diagnostics, numbered; false, with *why, when that fails. */
static bool write_all(struct tool_file *file, const ptog_diags *diags, struct tool_why *why)
{
    const struct ptog_diag *diag;
    unsigned number = 0;
    bool good = tool_file_write(file, HEADER "\n", strlen(HEADER "\n"), why);
    for (size_t i = 0; good && (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (diag->witness && diag->late_instruction > 0)
            good = write_witness(file, diag, ++number, why);
    return good;
}

bool run_witness_write(const char *path, const ptog_diags *diags)
{
    struct tool_file file = {0};
    struct tool_why why = {0};
    if (!path)
        return true;
    bool good = tool_file_start(&file, path, &why);
    if (good && !write_all(&file, diags, &why)) {
        tool_file_drop(&file);
        good = false;
    } else if (good) {
        good = tool_file_keep(&file, &why);
    }
    if (!good)
        tool_fail("run", "%s: %s", path, why.text);
    return good;
}

/* ---- reading ---- */

struct reading {
    unsigned number; /* the witness that is wanted */
    struct run_machine *machine;
    bool found;
};

static bool add_latency(struct reading *r, const struct ptog_latency *late)
{
    if (!tool_reserve(&r->machine->late, r->machine->late_count + 1, &r->machine->late_room))
        return false;
    r->machine->late[r->machine->late_count++] = *late;
    return true;
}

/* Reads a line of a witness file, and keeps the instruction that it makes late if it is of the wanted witness. False
 * for what is no such line. */
static bool take_line(struct reading *r, const char *line)
{
    struct ptog_latency late = {0};
    unsigned number;
    int end = 0;
    if (line[0] == '#' || line[strspn(line, " \t\r")] == '\0')
        return true;
    if (sscanf(line, "%u block %" SCNu32 " instruction %" SCNu32 " cycles %lf %n", &number, &late.block,
               &late.instruction, &late.cycles, &end) != 4 ||
        line[end] != '\0' || !(late.cycles > 0 && late.cycles <= PTOG_LATE) || late.instruction == 0)
        return false;
    r->found |= number == r->number;
    return number != r->number || add_latency(r, &late);
}

/* Reads all lines of a witness file; false with a message. */
static bool take_lines(struct reading *r, const char *path, char *text)
{
    unsigned number = 1;
    char *next = strchr(text, '\n');
    if (strncmp(text, HEADER, strlen(HEADER)) != 0 || (text[strlen(HEADER)] != '\n' && text[strlen(HEADER)] != '\r'))
        return tool_fail("run", "%s: is not a witness file: expected '%s' in its first line", path, HEADER), false;
    for (; next; number++) {
        char *line = next + 1;
        next = strchr(line, '\n');
        if (next)
            *next = '\0';
        if (!take_line(r, line))
            return tool_fail("run", "%s:%u: expected 'N block B instruction I cycles C'", path, number + 1), false;
    }
    if (!r->found && r->number > 0)
        return tool_fail("run", "%s: has no witness %u", path, r->number), false;
    return true;
}

/* "FILE#2": cuts the number off. Without one it is the first. */
static unsigned cut_number(char *path)
{
    char *mark = strrchr(path, '#'), *end;
    if (!mark || !isdigit((unsigned char)mark[1]))
        return 1;
    unsigned long number = strtoul(mark + 1, &end, 10);
    if (*end != '\0' || number > 1000000)
        return 1;
    *mark = '\0';
    return (unsigned)number;
}

bool run_witness_read(const char *name, struct run_machine *machine)
{
    struct tool_why why = {0};
    void *bytes = NULL;
    size_t size = 0;
    char *path = malloc(strlen(name) + 1), *text = NULL;
    bool good = false;
    if (!path)
        return tool_fail("run", "out of memory"), false;
    struct reading r = {cut_number(strcpy(path, name)), machine, false};
    if (!tool_file_read(path, MAX_BYTES, &bytes, &size, &why))
        tool_fail("run", "%s: %s", path, why.text);
    else if (!(text = calloc(size + 1, 1)))
        tool_fail("run", "out of memory");
    else if (memchr(bytes, 0, size))
        tool_fail("run", "%s: is not a witness file: it contains NUL bytes", path);
    else
        good = take_lines(&r, path, memcpy(text, bytes, size));
    free(text);
    free(bytes);
    free(path);
    return good;
}
