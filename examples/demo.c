/* make demo: one embedding lookup on every target, and as a program in which a wait is one line late. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <ptog/ptog.h>

enum { TABLE_ROWS = 6, ROWS = 4, COLS = 8, WIDTH = 100, INDENT = 18 };

static const int32_t wanted[COLS] = {2, -1, 0, 9}; /* the rest is padding */

/* What one target made of the lookup: bytes and what was said, or only what was said. */
struct outcome {
    const struct ptog_target *target;
    bool refused;
    unsigned char dst[ROWS][COLS][sizeof(float)];
    char said[2048];
};

/* ---- text ----------------------------------------------------------------------------------------------------------
 */

/* A sink for the reports: appends to a string of 2048 bytes and cuts what does not fit. */
static void append(void *user, const char *text, size_t length)
{
    char *said = user;
    size_t used = strlen(said), room = sizeof(((struct outcome *)0)->said) - used - 1;
    size_t n = length < room ? length : room;
    memcpy(said + used, text, n);
    said[used + n] = '\0';
}

static void say(char *said, const char *text)
{
    append(said, text, strlen(text));
}

/* One line of text from column `indent` on, broken at WIDTH; what follows a break is two deeper than its start. */
static void print_line(int indent, const char *line, int length)
{
    int column = indent, deeper = indent + (int)strspn(line, " ") + 2;
    for (int at = 0; at < length;) {
        int spaces = (int)strspn(line + at, " "), word = (int)strcspn(line + at + spaces, " \n");
        if (at > 0 && column + spaces + word > WIDTH) {
            printf("\n%*s", deeper, "");
            column = deeper;
        } else {
            printf("%*s", spaces, "");
            column += spaces;
        }
        printf("%.*s", word, line + at + spaces);
        column += word;
        at += spaces + word;
    }
    putchar('\n');
}

/* Every line of `text` from column `indent` on. The caller has already moved the first one there. */
static void print_text(int indent, const char *text)
{
    for (bool first = true; *text; first = false) {
        int length = (int)strcspn(text, "\n");
        printf("%*s", first ? 0 : indent, "");
        print_line(indent, text, length);
        text += length + (text[length] == '\n');
    }
}

/* ---- one lookup on one target --------------------------------------------------------------------------------------
 */

static void say_diag(char *said, const char *level, const struct ptog_diag *diag)
{
    say(said, level);
    say(said, ": ");
    say(said, diag->message);
    say(said, " [");
    say(said, diag->id);
    say(said, "]\n");
}

/* Why the lookup was refused (one reason is enough here), or what the verifier remarked. */
static void say_diags(char *said, const ptog_diags *diags, bool refused)
{
    for (size_t i = 0; i < ptog_diags_count(diags); i++) {
        const struct ptog_diag *diag = ptog_diags_at(diags, i);
        if (diag->refuses == refused)
            say_diag(said, refused ? "refused" : ptog_severity_name(diag->severity), diag);
        if (diag->refuses)
            return;
    }
}

static void fill(float table[TABLE_ROWS][COLS])
{
    for (int r = 0; r < TABLE_ROWS; r++)
        for (int c = 0; c < COLS; c++)
            table[r][c] = (float)(10 * r + c) / 10;
}

static bool look_up(struct outcome *outcome, const struct ptog_target *target, struct ptog_tile idx)
{
    float table[TABLE_ROWS][COLS];
    fill(table);

    struct ptog_mgather op = {
        .dst = ptog_tile_vec(PTOG_F32, ROWS, COLS),
        .table = ptog_tensor_2d(PTOG_F32, TABLE_ROWS, COLS),
        .idx = idx,
        .coalesce = PTOG_ROW,
        .oob = PTOG_OOB_CLAMP,
    };
    *outcome = (struct outcome){.target = target};
    ptog_diags *diags = ptog_diags_new();
    ptog_plan *plan = NULL;
    enum ptog_status status = ptog_plan_mgather(&plan, target, &op, diags);
    outcome->refused = status == PTOG_ILLEGAL;
    say_diags(outcome->said, diags, outcome->refused);
    if (status == PTOG_OK) {
        struct ptog_run run = {
            .dst = {outcome->dst, sizeof outcome->dst},
            .src = {table, sizeof table},
            .idx = {wanted, (size_t)ptog_tile_bytes(&idx)},
        };
        struct ptog_fault fault;
        status = ptog_plan_run(plan, &run, &fault);
        ptog_report_fault(&fault, &(struct ptog_sink){.write = append, .user = outcome->said});
    }
    ptog_plan_free(plan);
    ptog_diags_free(diags);
    return status == PTOG_OK || status == PTOG_FAULT || status == PTOG_ILLEGAL;
}

/* ---- all targets, those that agree together ------------------------------------------------------------------------
 */

static bool agree(const struct outcome *a, const struct outcome *b)
{
    return a->refused == b->refused && memcmp(a->dst, b->dst, sizeof a->dst) == 0 && strcmp(a->said, b->said) == 0;
}

static void print_rows(const struct outcome *outcome)
{
    static const unsigned char nothing[] = {0xAA, 0xAA, 0xAA, 0xAA};
    for (int r = 0; r < ROWS; r++) {
        printf("%*s", r > 0 ? INDENT : 0, "");
        for (int c = 0; c < COLS; c++) {
            char text[16] = "--";
            float value;
            memcpy(&value, outcome->dst[r][c], sizeof value);
            if (memcmp(outcome->dst[r][c], nothing, sizeof nothing) != 0)
                snprintf(text, sizeof text, "%.1f", (double)value);
            printf("%*s", c > 0 ? 5 : 3, text);
        }
        if (outcome->target->policies)
            printf("   row %d%s", (int)wanted[r], wanted[r] >= 0 && wanted[r] < TABLE_ROWS ? "" : ": clamped");
        putchar('\n');
    }
}

static void print_outcome(const struct outcome *outcomes, size_t first, size_t count)
{
    char names[64] = "";
    for (size_t t = first; t < count; t++)
        if (agree(&outcomes[first], &outcomes[t]))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? " " : "",
                     outcomes[t].target->name);
    printf("  %-*s", INDENT - 2, names);
    if (!outcomes[first].refused) {
        print_rows(&outcomes[first]);
        printf("%*s", outcomes[first].said[0] ? INDENT : 0, "");
    }
    print_text(INDENT, outcomes[first].said);
}

static bool on_every_target(struct ptog_tile idx)
{
    struct outcome outcomes[PTOG_TARGETS];
    size_t count = PTOG_TARGETS;
    for (size_t t = 0; t < count; t++)
        if (!look_up(&outcomes[t], ptog_target_at(t), idx))
            return false;
    for (size_t t = 0; t < count; t++) {
        bool shown = false;
        for (size_t before = 0; before < t; before++)
            shown = shown || agree(&outcomes[before], &outcomes[t]);
        if (!shown)
            print_outcome(outcomes, t, count);
    }
    return true;
}

/* ---- the lookup as a program, on the pipes of a2a3
 * ----------------------------------------------------------------------
 */

static const char embed[] =
    "func.func @embed(%table: !pto.partition_tensor_view<6x8xf32>, %words: !pto.partition_tensor_view<1x4xi32>,\n"
    "                 %out: !pto.partition_tensor_view<4x8xf32>) {\n"
    "  %idx = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32, valid=1x4>\n"
    "  %dst = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>\n"
    "  pto.tload ins(%words) outs(%idx)\n"
    "  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\n"
    "  pto.mgather ins(%table, %idx) outs(%dst) {coalesce = #pto<coalesce row>}\n"
    "  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\n"
    "  pto.tstore ins(%dst) outs(%out)\n"
    "  return\n"
    "}\n";

/* Runs a program on a2a3 and says what was found; `repaired`, of 2048 bytes, gets the program that lacks nothing. */
static enum ptog_status run_program(const char *text, char *said, char *repaired)
{
    static float table[TABLE_ROWS][COLS], out[ROWS][COLS];
    static int32_t words[ROWS] = {2, 5, 0, 3};
    fill(table);
    struct ptog_binding bindings[] = {
        {.name = "table", .dtype = PTOG_F32, .rank = 2, .shape = {TABLE_ROWS, COLS}, .data = {table, sizeof table}},
        {.name = "words", .dtype = PTOG_I32, .rank = 2, .shape = {1, ROWS}, .data = {words, sizeof words}},
        {.name = "out", .dtype = PTOG_F32, .rank = 2, .shape = {ROWS, COLS}, .data = {out, sizeof out}},
    };
    struct ptog_execution execution = {
        .target = ptog_target_find("a2a3"), .bindings = bindings, .binding_count = sizeof bindings / sizeof *bindings};
    ptog_diags *diags = ptog_diags_new();
    ptog_program *program = NULL;
    enum ptog_status status = ptog_program_parse(&program, "embed.pto", text, strlen(text), diags);
    if (status == PTOG_OK)
        status = ptog_program_run(program, &execution, diags, NULL);
    if (status == PTOG_FAULT)
        ptog_report_text(diags, &(struct ptog_sink){.write = append, .user = said});
    if (status == PTOG_FAULT && repaired &&
        ptog_program_repair(program, &execution, &(struct ptog_sink){.write = append, .user = repaired}, NULL) !=
            PTOG_OK)
        status = PTOG_ILLEGAL;
    ptog_program_free(program);
    ptog_diags_free(diags);
    return status;
}

static void print_instruction(char mark, const char *line, size_t length)
{
    if (strncmp(line, "  pto.", 6) == 0)
        printf("  %c%.*s", mark, (int)length, line);
}

/* Whether a line stands in a text. */
static bool has_line(const char *text, const char *line, size_t length)
{
    for (; *text; text += strcspn(text, "\n") + 1)
        if (strncmp(text, line, length) == 0)
            return true;
    return false;
}

/* The instructions, with a mark at those that the repair has added or removed. */
static void print_repaired(const char *old, const char *new)
{
    while (*new) {
        size_t length = strcspn(new, "\n") + 1, old_length = strcspn(old, "\n") + 1;
        bool same = strncmp(old, new, length) == 0;
        if (!same && !has_line(new, old, old_length)) {
            print_instruction('-', old, old_length);
            old += old_length;
            continue;
        }
        print_instruction(same ? ' ' : '+', new, length);
        old += same ? length : 0;
        new += length;
    }
}

static bool forgotten_flag(void)
{
    char said[sizeof(((struct outcome *)0)->said)] = "", repaired[sizeof said] = "";
    puts("The same lookup as a program for the pipes of a2a3. The wait for the index is one line late:\n");
    if (run_program(embed, said, repaired) != PTOG_FAULT)
        return false;
    printf("  ");
    print_text(2, said);
    puts("\nRepaired, as by 'ptog run --apply-fix', it is clean for all timings:\n");
    print_repaired(embed, repaired);
    return run_program(repaired, said, NULL) == PTOG_OK;
}

int main(void)
{
    printf("ptogather %s: one embedding lookup on %d targets\n\n", ptog_version(), PTOG_TARGETS);
    puts("  The table has 6 rows of 8 floats; row 2 is 2.0 2.1 2.2 ... 2.7. The index selects the rows");
    puts("  2, -1, 0 and 9. Two of them do not exist, and the out-of-bounds policy is Clamp.\n");

    puts("With the index as a row, [1,4]:\n");
    if (!on_every_target(ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, COLS), 1, ROWS)))
        return 1;
    puts("\nWith the index as a column, [4,1]:\n");
    if (!on_every_target(ptog_tile_vec(PTOG_I32, ROWS, 1)))
        return 1;
    puts("\n  --: there is no such element. It became 0xAA bytes; nothing outside a buffer was read.\n");

    return forgotten_flag() ? 0 : 1;
}
