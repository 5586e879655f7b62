/* tool: ptog explain, what a rule or a fault means, with an example that breaks it and one that does not. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "tool.h"

#include <string.h>

#include <ptog/ptog.h>

#include "io/pick.h"

#define NEWEST_LEVEL "note; an error with --strict: current compilers reject it"

const char *tool_text_rule_level(const struct ptog_text_rule *rule)
{
    if (rule->unjudged)
        return ptog_verdict_name(PTOG_NOT_JUDGED);
    return rule->strict ? NEWEST_LEVEL : ptog_severity_name(rule->severity);
}

const char *tool_rule_level(const struct ptog_rule *rule)
{
    if (rule->warns)
        return "error: the instruction is rejected; a warning on targets whose libraries accept it, unless --strict is given";
    if (rule->severity == PTOG_ERROR)
        return rule->refuses ? "error: the instruction is rejected"
                             : "error: the target runs it anyway, with wrong results";
    if (rule->strict && rule->severity == PTOG_NOTE)
        return NEWEST_LEVEL;
    if (rule->strict)
        return "warning; an error with --strict: documents and libraries differ";
    if (rule->severity == PTOG_WARNING)
        return "warning";
    return "note";
}

#define MAX_NAMES 4096 /* bytes: the words of all forms */

/* Names, joined by `between`. */
static void join_names(char *text, size_t size, const char *between, const char *name)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", tool_when(used > 0, between), name);
}

void tool_target_names(char *text, size_t size, uint32_t mask, bool exact)
{
    uint32_t all = 0;
    text[0] = '\0';
    for (size_t i = 0; ptog_target_at(i); i++) {
        const struct ptog_target *target = ptog_target_at(i);
        all |= target->bit;
        if (mask & (exact ? target->bit : target->as))
            join_names(text, size, ", ", target->name);
    }
    if ((mask & all) == all)
        snprintf(text, size, "all");
}

/* The forms in which a rule is for an instruction. */
static uint64_t forms_of(const struct ptog_rule *rule, int opcode)
{
    uint64_t forms = 0;
    for (int form = 0; form < PTOG_FORMS; form++)
        if (ptog_rule_applies(rule, (enum ptog_opcode)opcode, (enum ptog_form)form))
            forms |= UINT64_C(1) << form;
    return forms;
}

uint64_t tool_rule_forms(const struct ptog_rule *rule)
{
    uint64_t forms = 0;
    for (int opcode = 1; opcode < PTOG_OPCODES; opcode++)
        forms |= forms_of(rule, opcode);
    return forms;
}

/* The instructions of a rule that names some instructions of their family, whatever their form: "tdivs". Empty: the
 * rule goes by forms. */
static void insn_names(char *text, size_t size, const struct ptog_rule *rule)
{
    const struct ptog_rule *any = ptog_rule_at(0); /* operand-dtype is for every instruction in every form */
    uint64_t named = 0, others = 0;
    text[0] = '\0';
    for (int opcode = 1; opcode < PTOG_OPCODES; opcode++) {
        uint64_t forms = forms_of(rule, opcode), family = forms_of(any, opcode);
        if (forms == family)
            join_names(text, size, ", ", ptog_opcode_name((enum ptog_opcode)opcode));
        named |= forms;
        others |= forms == 0 ? family : 0;
        if (forms != 0 && forms != family) {
            text[0] = '\0';
            return;
        }
    }
    if (!(named & others))
        text[0] = '\0';
}

/* What a rule is for: instructions by name, or forms; both forms of mgather are called mgather. */
static void form_names(char *text, size_t size, const struct ptog_rule *rule)
{
    uint64_t forms = tool_rule_forms(rule), both = TOOL_FORM(ROW) | TOOL_FORM(ELEM);
    insn_names(text, size, rule);
    if (text[0])
        return;
    if (forms == (UINT64_C(1) << PTOG_FORMS) - 1) {
        join_names(text, size, "; ", "all");
        return;
    }
    if ((forms & both) == both)
        join_names(text, size, "; ", "mgather");
    for (int form = 0; form < PTOG_FORMS; form++) {
        uint64_t bit = UINT64_C(1) << form;
        if ((forms & bit) && !((forms & both) == both && (both & bit)))
            join_names(text, size, "; ", ptog_form_name((enum ptog_form)form));
    }
}

void tool_print_title(const char *id, const char *level)
{
    printf("%s%s%s  (%s)\n", tool_bold(), id, tool_plain(), level);
}

void tool_print_field(const char *name, const char *text)
{
    printf("  %-9s", name);
    tool_print_wrapped(11, text);
}

static void print_where(const char *documented)
{
    struct tool_where where;
    tool_print_field("source", tool_documented(&where, documented));
}

/* Prints a rule of the verifier with its example. */
static void explain_rule(const struct ptog_rule *rule)
{
    char text[MAX_NAMES];
    tool_print_title(rule->id, tool_rule_level(rule));
    tool_print_field("what", rule->what);
    tool_print_field("why", rule->why);
    print_where(rule->documented);
    form_names(text, sizeof text, rule);
    tool_print_field("forms", text);
    tool_target_names(text, sizeof text, rule->targets, rule->exact);
    tool_print_field("targets", text);
    printf("\n  example on %s\n", rule->example_target);
    tool_print_statements("      ", rule->base);
    puts("  wrong");
    tool_print_statements("      ", rule->wrong);
    puts("  right");
    tool_print_statements("      ", rule->right);
}

/* A program and what its instruction does, with characters. */
static bool print_example(const struct ptog_draw_example *example)
{
    struct ptog_output drawn = {0};
    struct ptog_sink sink = ptog_output_sink(&drawn);
    bool good = tool_draw_example("explain", example, true, &sink);
    sink.write(sink.user, "", 1);
    if (good && !drawn.no_memory) {
        putchar('\n');
        tool_print_field("example", example->what);
        tool_print_lines("      ", example->text);
        putchar('\n');
        tool_print_lines("    ", drawn.bytes);
    }
    good = good && !drawn.no_memory;
    ptog_output_free(&drawn);
    return good;
}

static const struct ptog_draw_example *example_of(const char *fault)
{
    const struct ptog_draw_example *example;
    for (size_t i = 0; (example = ptog_draw_example_at(i)) != NULL; i++)
        if (example->fault && strcmp(example->fault, fault) == 0)
            return example;
    return NULL;
}

/* Prints an example of an instruction; returns the exit status. */
static int explain_example(const struct ptog_draw_example *example)
{
    tool_print_title(example->id, "an example");
    bool good = print_example(example);
    printf("\n  %-9s'ptog draw --example %s -o x.svg' makes a picture of it\n", "more", example->id);
    if (good)
        return TOOL_OK;
    return TOOL_USAGE;
}

/* Prints a fault of lanes, with an example if there is one. */
static void explain_fault(const struct ptog_fault_info *fault)
{
    char level[32];
    snprintf(level, sizeof level, "%s while running", ptog_severity_name(fault->severity));
    tool_print_title(fault->id, level);
    tool_print_field("what", fault->what);
    tool_print_field("why", fault->why);
    print_where(fault->documented);
    if (example_of(fault->id))
        print_example(example_of(fault->id));
}

/* Lines of a program, and what its pipes do. */
static void print_drawn(const char *title, const char *lines, const char *drawn)
{
    printf("  %s\n", title);
    if (lines) {
        tool_print_lines("      ", lines);
        putchar('\n');
    }
    tool_print_lines("      ", drawn);
}

static void print_picture(const struct ptog_picture *picture)
{
    printf("\n  example on %s\n", picture->target);
    if (picture->wrong)
        tool_print_lines("      ", picture->before);
    print_drawn("wrong", picture->wrong, picture->drawn_wrong);
    print_drawn("right", picture->right, picture->drawn_right);
}

/* Prints a fault of the machine, with its picture if there is one. */
static void explain_machine_fault(const struct ptog_machine_fault *fault)
{
    char level[64];
    const char *targets = fault->simt ? "a5 and a5-custom" : "a2a3 and a5";
    snprintf(level, sizeof level, "%s while running %s%s",
             fault->unjudged ? ptog_verdict_name(PTOG_NOT_JUDGED) : ptog_severity_name(fault->severity),
             fault->launch ? "a kernel in C++" : "on ", tool_when(!fault->launch, targets));
    tool_print_title(fault->id, level);
    tool_print_field("what", fault->what);
    tool_print_field("why", fault->why);
    print_where(fault->documented);
    if (ptog_picture_find(fault->id))
        print_picture(ptog_picture_find(fault->id));
}

/* Prints a rule of the text with its example. */
static void explain_text_rule(const struct ptog_text_rule *rule)
{
    tool_print_title(rule->id, tool_text_rule_level(rule));
    tool_print_field("what", rule->what);
    tool_print_field("why", rule->why);
    puts("\n  wrong");
    tool_print_lines("      ", rule->wrong);
    puts("  right");
    tool_print_lines("      ", rule->right);
}

/* Prints an erratum: where documents disagree and targets differ. */
static void explain_erratum(const struct ptog_erratum *erratum)
{
    tool_print_title(erratum->id, "where documents disagree and targets differ");
    tool_print_field("what", erratum->what);
    if (erratum->rules[0])
        tool_print_field("rules", erratum->rules);
    tool_print_field("more",
                     "docs/explanation/errata.md explains the choice; 'ptog compare' shows the effect in a program");
}

const char *tool_id_at(size_t i)
{
    size_t rules = 0, texts = 0;
    while (ptog_rule_at(rules))
        rules++;
    if (i < rules)
        return ptog_rule_at(i)->id;
    i -= rules;
    while (ptog_text_rule_at(texts))
        texts++;
    if (i < texts)
        return ptog_text_rule_at(i)->id;
    i -= texts;
    size_t faults = 0;
    while (ptog_fault_info_at(faults))
        faults++;
    if (i < faults)
        return ptog_fault_info_at(i)->id;
    i -= faults;
    size_t machines = 0;
    while (ptog_machine_fault_at(machines))
        machines++;
    if (i < machines)
        return ptog_machine_fault_at(i)->id;
    const struct ptog_draw_example *example = ptog_draw_example_at(i - machines);
    if (example)
        return example->id;
    return NULL;
}

/* Whether the id at i begins as `id` does and is the first one so called. */
static bool is_first_with_prefix(const char *id, size_t i)
{
    if (id[0] == '\0' || strncmp(tool_id_at(i), id, strlen(id)) != 0)
        return false;
    for (size_t j = 0; j < i; j++)
        if (strcmp(tool_id_at(j), tool_id_at(i)) == 0)
            return false;
    return true;
}

/* Lists the ids that begin as `id` does; false when there are not two. */
static bool list_continuations(const char *id)
{
    size_t count = 0;
    for (size_t i = 0; tool_id_at(i); i++)
        count += is_first_with_prefix(id, i);
    if (count < 2)
        return false;
    fprintf(stderr, "ptog explain: unknown id '%s'; these ids start with it:\n", id);
    for (size_t i = 0; tool_id_at(i); i++)
        if (is_first_with_prefix(id, i))
            fprintf(stderr, "  %s\n", tool_id_at(i));
    return true;
}

/* E44 and the like: rules name errata that do not show between targets, too. */
static bool is_erratum_id(const char *id)
{
    return id[0] == 'E' && id[1] != '\0' && id[1 + strspn(id + 1, "0123456789")] == '\0';
}

/* Prints that an id is unknown, with ids that begin with it or the nearest one; returns the exit status. */
static int unknown_id(const char *id)
{
    struct tool_nearest nearest = {.word = id};
    if (list_continuations(id))
        return TOOL_USAGE;
    if (is_erratum_id(id)) {
        fprintf(
            stderr,
            "ptog explain: %s is not an erratum that differs between targets; docs/explanation/errata.md lists all errata\n",
            id);
        return TOOL_USAGE;
    }
    for (size_t i = 0; tool_id_at(i); i++)
        tool_nearest_offer(&nearest, tool_id_at(i));
    for (size_t i = 0; ptog_erratum_at(i); i++)
        tool_nearest_offer(&nearest, ptog_erratum_at(i)->id);
    for (int opcode = 1; opcode < PTOG_OPCODES; opcode++)
        tool_nearest_offer(&nearest, ptog_opcode_name((enum ptog_opcode)opcode));
    for (size_t i = 0; ptog_target_at(i); i++)
        tool_nearest_offer(&nearest, ptog_target_at(i)->name);
    for (size_t i = 0; tool_pipe_at(i); i++)
        tool_nearest_offer(&nearest, tool_pipe_at(i));
    if (nearest.best)
        fprintf(stderr, "ptog explain: unknown id '%s'; did you mean '%s'?\n", id, nearest.best);
    else
        fprintf(stderr, "ptog explain: unknown id '%s'\n", id);
    fputs("'ptog explain' lists them all\n", stderr);
    return TOOL_USAGE;
}

/* The verifier and a run may both report under one id: then both are explained. */
static int explain_id(const char *id)
{
    const struct ptog_text_rule *text = ptog_text_rule_find(id);
    const struct ptog_fault_info *fault = ptog_fault_info_find(id);
    const struct ptog_machine_fault *machine = ptog_machine_fault_find(id);
    const struct ptog_erratum *erratum = ptog_erratum_find(id);
    int found = 0;
    if (tool_explain_insn(id) || tool_explain_target(id) || tool_explain_pipe(id))
        return TOOL_OK;
    if (ptog_draw_example_find(id))
        return explain_example(ptog_draw_example_find(id));
    if (erratum) {
        explain_erratum(erratum);
        return TOOL_OK;
    }
    for (size_t i = 0; ptog_rule_at(i); i++)
        if (strcmp(ptog_rule_at(i)->id, id) == 0) {
            fputs(tool_when(found++, "\n"), stdout);
            explain_rule(ptog_rule_at(i));
        }
    if (text) {
        fputs(tool_when(found++, "\n"), stdout);
        explain_text_rule(text);
    }
    if (fault) {
        fputs(tool_when(found++, "\n"), stdout);
        explain_fault(fault);
    }
    if (machine) {
        fputs(tool_when(found++, "\n"), stdout);
        explain_machine_fault(machine);
    }
    if (found)
        return TOOL_OK;
    return unknown_id(id);
}

static void list_id(const char *id, const char *what)
{
    const int indent = 28;
    printf("%-*s", indent, id);
    tool_print_wrapped(indent, what);
}

/* Prints all ids with what they are about. */
static void list_ids(void)
{
    for (size_t i = 0; ptog_rule_at(i); i++)
        list_id(ptog_rule_at(i)->id, ptog_rule_at(i)->what);
    printf("\n%stext of programs%s\n", tool_bold(), tool_plain());
    for (size_t i = 0; ptog_text_rule_at(i); i++)
        list_id(ptog_text_rule_at(i)->id, ptog_text_rule_at(i)->what);
    printf("\n%sfaults of a run%s\n", tool_bold(), tool_plain());
    for (size_t i = 0; ptog_fault_info_at(i); i++)
        list_id(ptog_fault_info_at(i)->id, ptog_fault_info_at(i)->what);
    printf("\n%sfaults of the machine (a2a3, a5, a5-custom) and of launches%s\n", tool_bold(), tool_plain());
    for (size_t i = 0; ptog_machine_fault_at(i); i++)
        list_id(ptog_machine_fault_at(i)->id, ptog_machine_fault_at(i)->what);
    printf("\n%serrata: where targets differ%s\n", tool_bold(), tool_plain());
    for (size_t i = 0; ptog_erratum_at(i); i++)
        list_id(ptog_erratum_at(i)->id, ptog_erratum_at(i)->what);
    printf("\n%sexamples: what instructions do, drawn%s\n", tool_bold(), tool_plain());
    for (size_t i = 0; ptog_draw_example_at(i); i++)
        list_id(ptog_draw_example_at(i)->id, ptog_draw_example_at(i)->what);
}

struct explain_request {
    bool markdown;
};

/* ptog explain: the exit status. */
static int explain_run(int argc, char **argv)
{
    const char *id;
    struct explain_request request = {0};
    if (!tool_parse(argc, argv, &tool_explain, &request, &id, 1))
        return TOOL_USAGE;
    if (request.markdown && id)
        return tool_print_rule_page(id) ? TOOL_OK : unknown_id(id);
    if (id)
        return explain_id(id);
    if (request.markdown)
        tool_print_rule_list();
    else
        list_ids();
    return TOOL_OK;
}

static const struct tool_option options[] = {
    {"--markdown", NULL, "print Markdown: the page of ID, or a list with links to all pages",
     .at = offsetof(struct explain_request, markdown)},
    {.name = NULL},
};

const struct tool_command tool_explain = {
    .name = "explain",
    .arguments = "[ID] [--markdown]",
    .summary = "explain a rule, fault, instruction, target or pipe, or list all ids",
    .about =
        "ID is the word at the end of a message, such as mgather-row-index-shape: prints the constraint, the reason, the "
        "source, the instructions and targets it applies to, and an example that breaks the rule and one that does not. "
        "The name of an instruction (mgather), a target (a2a3) or a pipe (MTE2) prints its meaning, operands, constraints, "
        "cost and a picture. E13 is an erratum: a difference between targets, as 'ptog compare' finds it. "
        "mgather-row-clamp is an example with a picture. The beginning of an id lists the ids that start with it.",
    .options = options,
    .offers = TOOL_IDS,
    .run = explain_run,
};
