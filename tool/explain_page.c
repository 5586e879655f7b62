/* tool: ptog explain --markdown, the page docs/rules.md. */
#include "tool.h"

#include <ptog/ptog.h>

#define MGATHER (TOOL_FORM(ROW) | TOOL_FORM(ELEM))
#define TGATHER (TOOL_FORM(INDEX) | TOOL_FORM(MASK) | TOOL_FORM(COMPARE))
#define TRANSFER (TOOL_FORM(LOAD) | TOOL_FORM(STORE))

/* A rule stands in the first section that covers all its forms: the narrow ones come first, the page shows them last.
 */
static const struct section {
    const char *title;
    uint64_t forms;
} sections[] = {
    {"MGATHER Row", TOOL_FORM(ROW)},
    {"MGATHER Elem", TOOL_FORM(ELEM)},
    {"TGATHER by index", TOOL_FORM(INDEX)},
    {"TGATHER by mask", TOOL_FORM(MASK)},
    {"TGATHER by comparison", TOOL_FORM(COMPARE)},
    {"MGATHER", MGATHER},
    {"TGATHER", TGATHER},
    {"TLOAD and TSTORE", TRANSFER},
    {"Two tiles, element by element", TOOL_FORM(PAIRWISE)},
    {"Global memory: MGATHER, TLOAD and TSTORE", MGATHER | TRANSFER},
    {"Any instruction", ~UINT64_C(0)},
};
#define SECTIONS (sizeof sections / sizeof sections[0])

static const size_t order[SECTIONS] = {10, 9, 5, 0, 1, 6, 2, 3, 4, 7, 8};

static size_t section_of(const struct ptog_rule *rule)
{
    uint64_t forms = tool_rule_forms(rule);
    size_t s = 0;
    while (s + 1 < SECTIONS && (forms & ~sections[s].forms))
        s++;
    return s;
}

/* The rules of section s, in the table's order: the next one from *i on, NULL after the last. */
static const struct ptog_rule *next_of(size_t s, size_t *i)
{
    while (ptog_rule_at(*i)) {
        const struct ptog_rule *rule = ptog_rule_at((*i)++);
        if (section_of(rule) == s)
            return rule;
    }
    return NULL;
}

static void print_contents(void)
{
    for (size_t o = 0; o < SECTIONS; o++) {
        size_t i = 0;
        const struct ptog_rule *rule = next_of(order[o], &i);
        if (rule)
            printf("\n**%s**\n\n", sections[order[o]].title);
        for (; rule; rule = next_of(order[o], &i))
            printf("- [%s](#%s)\n", rule->id, rule->id);
    }
    puts("\n**Text of programs**\n");
    for (size_t i = 0; ptog_text_rule_at(i); i++)
        printf("- [%s](#%s)\n", ptog_text_rule_at(i)->id, ptog_text_rule_at(i)->id);
    puts("\n**Faults of a run**\n");
    for (size_t i = 0; ptog_fault_info_at(i); i++)
        printf("- [%s](#fault-%s)\n", ptog_fault_info_at(i)->id, ptog_fault_info_at(i)->id);
    puts("\n**Faults of the machine**\n");
    for (size_t i = 0; ptog_machine_fault_at(i); i++)
        printf("- [%s](#machine-fault-%s)\n", ptog_machine_fault_at(i)->id, ptog_machine_fault_at(i)->id);
}

static void print_rule(const struct ptog_rule *rule)
{
    char targets[256];
    struct tool_where where;
    tool_target_names(targets, sizeof targets, rule->targets, rule->exact);
    printf("\n### %s\n\n%s\n\n", rule->id, rule->what);
    printf("- why: %s\n- source: %s\n- targets: %s\n- level: %s\n", rule->why,
           tool_documented(&where, rule->documented), targets, tool_rule_level(rule));
    printf("\nOn %s, from\n\n```c\n", rule->example_target);
    tool_print_statements("", rule->base);
    puts("```\n\nwrong:\n\n```c");
    tool_print_statements("", rule->wrong);
    puts("```\n\nright:\n\n```c");
    tool_print_statements("", rule->right);
    puts("```");
}

static void print_text_rule(const struct ptog_text_rule *rule)
{
    printf("\n### %s\n\n%s\n\n- why: %s\n- level: %s\n", rule->id, rule->what, rule->why,
           rule->unjudged ? ptog_verdict_name(PTOG_NOT_JUDGED) : ptog_severity_name(rule->severity));
    puts("\nwrong:\n\n```mlir");
    tool_print_lines("", rule->wrong);
    puts("```\n\nright:\n\n```mlir");
    tool_print_lines("", rule->right);
    puts("```");
}

static void print_fault(const struct ptog_fault_info *fault)
{
    struct tool_where where;
    printf("\n### fault %s\n\n%s.\n\n- why: %s\n- where: %s\n- level: %s\n", fault->id, fault->what, fault->why,
           tool_documented(&where, fault->documented), ptog_severity_name(fault->severity));
}

static void print_block(const char *kind, const char *lines)
{
    printf("```%s\n", kind);
    tool_print_lines("", lines);
    puts("```");
}

/* Lines of a program, and what its pipes do. */
static void print_drawn(const char *title, const char *lines, const char *drawn)
{
    printf("\n%s:\n\n", title);
    if (lines) {
        print_block("mlir", lines);
        putchar('\n');
    }
    print_block("text", drawn);
}

static void print_picture(const struct ptog_picture *picture)
{
    printf("\nOn %s%s\n", picture->target, picture->wrong ? ", after" : ":");
    if (picture->wrong) {
        putchar('\n');
        print_block("mlir", picture->before);
    }
    print_drawn("wrong", picture->wrong, picture->drawn_wrong);
    print_drawn("right", picture->right, picture->drawn_right);
}

static void print_machine_fault(const struct ptog_machine_fault *fault)
{
    struct tool_where where;
    printf("\n### machine fault %s\n\n%s.\n\n- why: %s\n- where: %s\n- level: %s\n", fault->id, fault->what, fault->why,
           tool_documented(&where, fault->documented),
           fault->unjudged ? ptog_verdict_name(PTOG_NOT_JUDGED) : ptog_severity_name(fault->severity));
    if (ptog_picture_find(fault->id))
        print_picture(ptog_picture_find(fault->id));
}

void tool_print_rules_page(void)
{
    puts(
        "# Rules and faults\n\n"
        "Every constraint that the verifier knows, and every fault that a run can report, by the id that ends the\n"
        "message. `ptog explain ID` prints one entry. This page is generated from `src/spec` by `make docs`.\n\n"
        "[errata.md](errata.md) lists the documents. An example starts from the statements given\n"
        "first, where `op` is a zeroed `struct ptog_mgather`, `struct ptog_tgather` or\n"
        "`struct ptog_transfer`, and `run` a zeroed `struct ptog_run`; `wrong` breaks exactly that rule, `right` breaks none. The tests check both.\n\n"
        "## Contents");
    print_contents();
    for (size_t o = 0; o < SECTIONS; o++) {
        size_t i = 0;
        const struct ptog_rule *rule = next_of(order[o], &i);
        if (rule)
            printf("\n## %s\n", sections[order[o]].title);
        for (; rule; rule = next_of(order[o], &i))
            print_rule(rule);
    }
    puts(
        "\n## Text of programs\n\nWhat `ptog check` and `ptog run` require of a program's text, beyond the operands of an instruction. Each example\nis a whole program; the tests check both.");
    for (size_t i = 0; ptog_text_rule_at(i); i++)
        print_text_rule(ptog_text_rule_at(i));
    puts("\n## Faults of a run\n\n"
         "A run that reports faults completes; no byte outside a buffer is touched. `struct ptog_fault` has the count\n"
         "and the first lane of each kind.");
    for (size_t i = 0; ptog_fault_info_at(i); i++)
        print_fault(ptog_fault_info_at(i));
    puts(
        "\n## Faults of the machine\n\n"
        "What a run on a2a3, a5 and a5-custom reports beyond single lanes: races, flags, the on-chip buffer. The report\n"
        "is the same for all timings.");
    for (size_t i = 0; ptog_machine_fault_at(i); i++)
        print_machine_fault(ptog_machine_fault_at(i));
}
