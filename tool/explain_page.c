/* tool: ptog explain --markdown: the list of all rules and faults, and the page of one, as Markdown. */
#include "tool.h"

#include <ctype.h>
#include <string.h>

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

/* One line of the list: an id, and what it is about. */
static void print_link(const char *id, const char *what)
{
    printf("- [%s](%s.md): %s\n", id, id, what);
}

/* The next rule of the section that is the first of its id, NULL after the last. */
static const struct ptog_rule *next_link(size_t s, size_t *i)
{
    const struct ptog_rule *rule = next_of(s, i);
    while (rule && ptog_rule_find(rule->id) != rule)
        rule = next_of(s, i);
    return rule;
}

void tool_print_rule_list(void)
{
    puts("# All rules and faults\n\n"
         "`ptog explain ID` prints the same pages. They are generated from the tables of `src/spec`.");
    for (size_t o = 0; o < SECTIONS; o++) {
        size_t i = 0;
        const struct ptog_rule *rule = next_link(order[o], &i);
        if (rule)
            printf("\n## %s\n\n", sections[order[o]].title);
        for (; rule; rule = next_link(order[o], &i))
            print_link(rule->id, rule->what);
    }
    puts("\n## Text of programs\n");
    for (size_t i = 0; ptog_text_rule_at(i); i++)
        print_link(ptog_text_rule_at(i)->id, ptog_text_rule_at(i)->what);
    puts("\n## Elements that a run reports\n");
    for (size_t i = 0; ptog_fault_info_at(i); i++)
        print_link(ptog_fault_info_at(i)->id, ptog_fault_info_at(i)->what);
    puts("\n## Races, flags and memory that a run reports\n");
    for (size_t i = 0; ptog_machine_fault_at(i); i++)
        print_link(ptog_machine_fault_at(i)->id, ptog_machine_fault_at(i)->what);
}

/* Prints the page of a rule of the verifier, as Markdown. */
static void print_rule(const struct ptog_rule *rule)
{
    char targets[256];
    struct tool_where where;
    tool_target_names(targets, sizeof targets, rule->targets, rule->exact);
    printf("\n%s\n\n", rule->what);
    printf("- why: %s\n- source: %s\n- targets: %s\n- level: %s\n", rule->why,
           tool_documented(&where, rule->documented), targets, tool_rule_level(rule));
    printf("\nAn example on %s, starting from\n\n```c\n", rule->example_target);
    tool_print_statements("", rule->base);
    puts("```\n\nThis breaks the rule:\n\n```c");
    tool_print_statements("", rule->wrong);
    puts("```\n\nThis does not:\n\n```c");
    tool_print_statements("", rule->right);
    puts("```");
}

/* Prints the page of a rule of the text, as Markdown. */
static void print_text_rule(const struct ptog_text_rule *rule)
{
    printf("\n%s\n\n- why: %s\n- level: %s\n", rule->what, rule->why, tool_text_rule_level(rule));
    puts("\nThis breaks the rule:\n\n```mlir");
    tool_print_lines("", rule->wrong);
    puts("```\n\nThis does not:\n\n```mlir");
    tool_print_lines("", rule->right);
    puts("```");
}

static void print_fault(const struct ptog_fault_info *fault)
{
    struct tool_where where;
    printf("\n%c%s.\n\n- why: %s\n- source: %s\n- level: %s\n", toupper((unsigned char)fault->what[0]), fault->what + 1,
           fault->why, tool_documented(&where, fault->documented), ptog_severity_name(fault->severity));
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

/* Prints the picture of a fault: a kernel with the error and without, as Markdown. */
static void print_picture(const struct ptog_picture *picture)
{
    printf("\nOn %s%s\n", picture->target, picture->wrong ? ", in a kernel that begins with" : ":");
    if (picture->wrong) {
        putchar('\n');
        print_block("mlir", picture->before);
    }
    print_drawn("With the error", picture->wrong, picture->drawn_wrong);
    print_drawn("Corrected", picture->right, picture->drawn_right);
}

/* Prints the page of a fault of the machine, as Markdown. */
static void print_machine_fault(const struct ptog_machine_fault *fault)
{
    struct tool_where where;
    printf("\n%c%s.\n\n- why: %s\n- source: %s\n- level: %s\n", toupper((unsigned char)fault->what[0]), fault->what + 1,
           fault->why, tool_documented(&where, fault->documented),
           fault->unjudged ? ptog_verdict_name(PTOG_NOT_JUDGED) : ptog_severity_name(fault->severity));
    if (ptog_picture_find(fault->id))
        print_picture(ptog_picture_find(fault->id));
}

bool tool_print_rule_page(const char *id)
{
    const struct ptog_text_rule *text = ptog_text_rule_find(id);
    const struct ptog_fault_info *fault = ptog_fault_info_find(id);
    const struct ptog_machine_fault *machine = ptog_machine_fault_find(id);
    if (!ptog_rule_find(id) && !text && !fault && !machine)
        return false;
    printf("# %s\n", id);
    for (size_t i = 0; ptog_rule_at(i); i++) /* an id may have a row for each of several targets */
        if (strcmp(ptog_rule_at(i)->id, id) == 0)
            print_rule(ptog_rule_at(i));
    if (text)
        print_text_rule(text);
    if (fault)
        print_fault(fault);
    if (machine)
        print_machine_fault(machine);
    puts("\n[How to read this page](../rules.md), and [all rules and faults](index.md).");
    return true;
}
