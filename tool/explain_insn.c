/* tool: the pages of `ptog explain` about an instruction: what it does, its operands, the element types and constraints
 * on each target, what it costs, and a picture with characters. Everything comes from the library's tables. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/ptog.h>

#include "io/pick.h"

/* ---- operands, from the instruction table */

enum operand_name {
#define OPERAND(NAME, ...) AT_##NAME,
#include <ptog/spec/forms.def>
    OPERAND_NAMES
};

static const struct {
    const char *name, *words;
} operand_names[OPERAND_NAMES] = {
#define OPERAND(NAME, name, words) [AT_##NAME] = {name, words},
#include <ptog/spec/forms.def>
};

struct operand_use {
    enum operand_name name;
    const char *how; /* NULL: the end */
};

#define OUT(NAME) {AT_##NAME, "written"},
#define OUT_OF(NAME, forms) {AT_##NAME, "written by some forms"},
#define BOTH(NAME) {AT_##NAME, "read and written"},
#define IN(NAME) {AT_##NAME, "read"},
#define IN_OF(NAME, forms) {AT_##NAME, "read by some forms"},
#define SAME(NAME) {AT_##NAME, "read; may be the destination itself"},
#define PART(NAME) {AT_##NAME, "read; may have fewer valid elements than the destination"},
#define COLUMN(NAME) {AT_##NAME, "read; a tile, or a column that is repeated"},
#define LINE(NAME) {AT_##NAME, "read; a tile, or a row that is repeated"},
#define TO(NAME) {AT_##NAME, "written, in global memory"},
#define FROM(NAME) {AT_##NAME, "read, in global memory"},
#define FROM_OF(NAME, forms) {AT_##NAME, "read by some forms, in global memory"},
#define ROOM_OF(NAME, forms) {AT_##NAME, "written and read by some forms, in global memory"},
#define PICK_OF(NAME, forms) {AT_##NAME, "read by some forms; a tile or a scalar"},
#define OPTION_OF(NAME, forms) {AT_##NAME, "read by some forms, a tile or a scalar; may be left out"},
#define SAME_PICK(NAME) {AT_##NAME, "read; a tile or a scalar"},
#define NUMBER(NAME) {AT_##NAME, "a scalar"},
#define PLACE(NAME) {AT_##NAME, "a scalar"},
#define PLACE_OF(NAME, forms) {AT_##NAME, "a scalar of some forms"},
#define SCRATCH_OF(NAME, used, more) {AT_##NAME, "scratch memory; may be left out"},
#define INSN(OPCODE, text, family, lane, kind, destinations, operands)                                                 \
    static const struct operand_use operands_of_##OPCODE[] = {operands{OPERAND_NAMES, NULL}};
#include <ptog/spec/insns.def>

static const struct operand_use *const operands_of[PTOG_OPCODES] = {
#define INSN(OPCODE, ...) [PTOG_##OPCODE] = operands_of_##OPCODE,
#include <ptog/spec/insns.def>
};

/* ---- its forms */

/* The forms that an instruction can have: those of mgather and tgather depend on attributes, and on the memory of dst. */
static uint64_t forms_of(enum ptog_opcode opcode)
{
    struct ptog_insn insn;
    uint64_t forms = 0;
    int choices =
        opcode == PTOG_TGATHER ? 3 : 1 + (opcode == PTOG_MGATHER || opcode == PTOG_MSCATTER || opcode == PTOG_TSCATTER);
    ptog_insn_start(&insn, opcode);
    for (int choice = 0; choice < choices; choice++) {
        insn.attr[0] = choices > 1 ? choice : 0;
        forms |= UINT64_C(1) << ptog_insn_form(ptog_target_at(PTOG_TARGET_HOST), &insn);
    }
    if (opcode == PTOG_MGATHER)
        forms |= UINT64_C(1) << PTOG_FORM_GATHER_L1;
    return forms;
}

static enum ptog_form first_form(enum ptog_opcode opcode)
{
    uint64_t forms = forms_of(opcode);
    int form = 0;
    while (!(forms >> form & 1))
        form++;
    return (enum ptog_form)form;
}

/* ---- a small program of it */

static const char *const programs[PTOG_FORMS] = {
#define PROGRAM(form, text) [PTOG_FORM_##form] = text,
#include "explain_insns.def"
};

static const char *const own_programs[PTOG_OPCODES] = {
#define PROGRAM_OF(opcode, text) [PTOG_##opcode] = text,
#include "explain_insns.def"
};

static const char *const meanings[PTOG_OPCODES] = {
#define MEANING(opcode, text) [PTOG_##opcode] = text,
#include "explain_insns.def"
};

#define MAX_TEXT 1200

/* Writes a program of the instruction with these extents and type; false when there is none of its form. */
static bool write_program(char text[MAX_TEXT], enum ptog_opcode opcode, int rows, int cols, const char *type)
{
    const char *from = tool_or(own_programs[opcode], programs[first_form(opcode)]);
    size_t used = 0;
    for (; from && *from && used + 40 < MAX_TEXT; from++) {
        char piece[40] = {*from, '\0'};
        if (*from == '@')
            snprintf(piece, sizeof piece, "%s", ptog_opcode_name(opcode));
        if (*from == '$') {
            switch (*++from) {
            case 'R': snprintf(piece, sizeof piece, "%d", rows); break;
            case 'C': snprintf(piece, sizeof piece, "%d", cols); break;
            case '2': snprintf(piece, sizeof piece, "%d", 2 * cols); break;
            case 'T': snprintf(piece, sizeof piece, "%s", type); break;
            default: snprintf(piece, sizeof piece, type[0] == 'f' ? "3.0" : "3"); break;
            }
        }
        used += (size_t)snprintf(text + used, MAX_TEXT - used, "%s", piece);
    }
    return used > 0;
}

static const char *const types[] = {"i32", "f32", "f16"};

/* An example of the library's table that shows this instruction; NULL: none does. */
static const struct ptog_draw_example *example_of(const char *name)
{
    const struct ptog_draw_example *example;
    char call[40];
    snprintf(call, sizeof call, "pto.%s ", name);
    for (size_t i = 0; (example = ptog_draw_example_at(i)) != NULL; i++)
        if (strstr(example->text, call))
            return example;
    return NULL;
}

static void print_drawn(const struct ptog_draw_example *example, const char *drawn)
{
    puts("\n  example");
    tool_print_lines("      ", example->text);
    putchar('\n');
    tool_print_lines("    ", drawn);
}

/* Draws an example with characters; false, and nothing is printed, when it cannot be drawn. */
static bool try_example(const struct ptog_draw_example *example)
{
    struct ptog_output drawn = {0};
    struct ptog_sink sink = ptog_output_sink(&drawn);
    bool good = tool_draw_quietly(example, true, &sink) == PTOG_OK;
    sink.write(sink.user, "", 1);
    good = good && !drawn.no_memory;
    if (good)
        print_drawn(example, drawn.bytes);
    ptog_output_free(&drawn);
    return good;
}

/* Prints a drawing of the instruction: its example, or a small program that is written for it. */
static void print_picture(enum ptog_opcode opcode)
{
    const struct ptog_draw_example *known = example_of(ptog_opcode_name(opcode));
    char text[MAX_TEXT];
    bool boxed = first_form(opcode) == PTOG_FORM_PRODUCT; /* a matrix has at least one box */
    if (known && try_example(known))
        return;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (write_program(text, opcode, boxed ? 16 : 2, boxed ? 16 : 4, types[i]) &&
            try_example(&(struct ptog_draw_example){.id = "example", .text = text, .inputs = ""}))
            return;
}

/* ---- what it costs */

#define COST_ROWS 16
#define COST_COLS 64

/* Cycles of one instruction on a device, as the simulation estimates them; below 0: it does not run there. */
static double cycles_on(const struct ptog_target *target, const char *text)
{
    ptog_program *program = NULL;
    ptog_inputs *inputs = NULL;
    ptog_result *result = NULL;
    struct ptog_execution execution = {.target = target};
    struct ptog_stats stats = {0};
    double cycles = -1;
    if (ptog_program_parse(&program, "example", text, strlen(text), NULL) == PTOG_OK &&
        ptog_inputs_generate(&inputs, program, &execution, NULL, NULL) == PTOG_OK) {
        execution.bindings = ptog_inputs_bindings(inputs, &execution.binding_count);
        enum ptog_status status = ptog_program_run(program, &execution, NULL, &result);
        if (status == PTOG_OK && ptog_result_stats(result, &stats) == PTOG_OK)
            cycles = stats.cycles;
    }
    ptog_result_free(result);
    ptog_inputs_free(inputs);
    ptog_program_free(program);
    return cycles;
}

/* Prints for each target with a machine about how many cycles the instruction takes on its own, by running it. */
static void print_cost(enum ptog_opcode opcode)
{
    const struct ptog_target *target;
    char text[MAX_TEXT], line[200];
    for (size_t i = 0; (target = ptog_target_at(i)) != NULL; i++) {
        double cycles = -1;
        const char *type = "";
        for (size_t t = 0; target->machine != PTOG_NO_MACHINE && cycles < 0 && t < sizeof types / sizeof *types; t++) {
            type = types[(t + 1) % 3]; /* f32 first */
            if (write_program(text, opcode, COST_ROWS, COST_COLS, type))
                cycles = cycles_on(target, text);
        }
        if (cycles < 0)
            continue;
        snprintf(line, sizeof line, "about %.0f cycles on %s for %dx%d %s, on its own (estimated)", cycles,
                 target->name, COST_ROWS, COST_COLS, type);
        tool_print_field("cost", line);
    }
}

/* ---- operands, types, rules */

const char *tool_insn_meaning(enum ptog_opcode opcode)
{
    return tool_or(meanings[opcode], ptog_form_name(first_form(opcode)));
}

bool tool_insn_operand(enum ptog_opcode opcode, size_t i, char *line, size_t size)
{
    const struct operand_use *use = operands_of[opcode];
    while (i > 0 && use->how) {
        use++;
        i--;
    }
    if (!use->how)
        return false;
    snprintf(line, size, "%s: %s, %s", operand_names[use->name].name, operand_names[use->name].words, use->how);
    return true;
}

static void print_operands(enum ptog_opcode opcode)
{
    char line[160];
    for (size_t i = 0; tool_insn_operand(opcode, i, line, sizeof line); i++)
        tool_print_field(i == 0 ? "operands" : "", line);
}

/* Writes the names of a set of types into `text`. */
static void type_names(char *text, size_t size, uint32_t set)
{
    text[0] = '\0';
    for (int d = 1; d < PTOG_DTYPE_COUNT; d++)
        if (set >> d & 1) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%s", tool_when(used > 0, ", "), ptog_dtype_name((enum ptog_dtype)d));
        }
}

/* The types that an operand may have in some form of the instruction; 0: any. */
static uint32_t types_of(const struct ptog_target *target, enum ptog_opcode opcode, const char *operand)
{
    uint32_t any = (UINT32_C(1) << PTOG_DTYPE_COUNT) - 2, set = 0;
    for (int form = 0; form < PTOG_FORMS; form++)
        if (forms_of(opcode) >> form & 1)
            set |= ptog_target_types(target, opcode, (enum ptog_form)form, operand) & any;
    return set == any ? 0 : set;
}

/* "a2a3, cpu: f16, f32": the targets on which an operand has the types that it has on target `first`. */
static void print_types_like(enum ptog_opcode opcode, const char *operand, size_t first)
{
    uint32_t set = types_of(ptog_target_at(first), opcode, operand);
    char names[300], targets[200] = "", line[600];
    for (size_t i = 0; ptog_target_at(i); i++) {
        if (types_of(ptog_target_at(i), opcode, operand) != set)
            continue;
        if (i < first)
            return; /* printed before */
        size_t used = strlen(targets);
        snprintf(targets + used, sizeof targets - used, "%s%s", tool_when(used > 0, ", "), ptog_target_at(i)->name);
    }
    type_names(names, sizeof names, set);
    snprintf(line, sizeof line, "%s on %s: %s", operand, targets, set ? names : "any");
    tool_print_field("types", line);
}

/* The element types of each operand; those that are always like the first operand are left out. */
static void print_types(enum ptog_opcode opcode)
{
    const struct operand_use *all = operands_of[opcode];
    const char *first = operand_names[all->name].name;
    for (const struct operand_use *use = all; use->how; use++) {
        const char *name = operand_names[use->name].name;
        bool is_alike = use != all, is_free = true;
        for (size_t i = 0; ptog_target_at(i); i++) {
            uint32_t set = types_of(ptog_target_at(i), opcode, name);
            is_alike = is_alike && set == types_of(ptog_target_at(i), opcode, first);
            is_free = is_free && set == 0;
        }
        for (size_t i = 0; !is_alike && !is_free && ptog_target_at(i); i++)
            print_types_like(opcode, name, i);
    }
}

/* The rules about it, but for those about every instruction. */
static void print_rules(enum ptog_opcode opcode)
{
    const struct ptog_rule *rule;
    uint64_t all = (UINT64_C(1) << PTOG_FORMS) - 1;
    puts("\n  constraints ('ptog explain ID' has more about each)");
    for (size_t i = 0; (rule = ptog_rule_at(i)) != NULL; i++) {
        char targets[300], line[900];
        uint64_t forms = 0;
        for (int form = 0; form < PTOG_FORMS; form++)
            if ((forms_of(opcode) >> form & 1) && ptog_rule_applies(rule, opcode, (enum ptog_form)form))
                forms |= UINT64_C(1) << form;
        if (forms == 0 || tool_rule_forms(rule) == all)
            continue;
        tool_target_names(targets, sizeof targets, rule->targets, rule->exact);
        snprintf(line, sizeof line, "[%s] %s", targets, rule->what);
        printf("    %-28s", rule->id);
        tool_print_wrapped(32, line);
    }
}

bool tool_explain_insn(const char *name)
{
    enum ptog_opcode opcode = ptog_opcode_find(name);
    if (opcode == PTOG_NO_INSN)
        return false;
    tool_print_title(ptog_opcode_name(opcode), "an instruction");
    tool_print_field("meaning", tool_insn_meaning(opcode));
    print_operands(opcode);
    print_types(opcode);
    print_cost(opcode);
    print_rules(opcode);
    print_picture(opcode);
    return true;
}
