/* lower: the functions of a text: which there are, what target their module is for, and which one a run takes.
 *
 * A module is a scope: the functions in it call each other, it names its target, and another module may use the same
 * names again. So is each part of a text that a line `// -----` or `//--- name` divides, as tests of compilers do. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "diag/allow.h"
#include "lint/lint.h"
#include "lower/parts.h"
#include "lower/program.h"
#include "model/target.h"

struct scope {
    uint32_t number;
    uint32_t outer;                   /* from 1: the module around; 0: there is none */
    const struct ptog_op *module;     /* NULL: none */
    const struct ptog_target *target; /* NULL: none is named */
    enum ptog_core_kind core;
};

struct lister {
    struct ptog_program *program;
    size_t room;
    uint32_t scopes;
};

static bool is_frame(const struct ptog_op *op)
{
    enum ptog_op_kind kind = ptog_op_info(op->name)->kind;
    return kind == PTOG_KIND_MODULE || kind == PTOG_KIND_FUNC;
}

/* Whether a text has statements outside of functions. */
static bool has_bare(const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op; op = op->next)
        if (!is_frame(op))
            return true;
    return false;
}

/* Appends to the program's list of functions; false when out of memory. */
static bool append_function(struct lister *l, struct ptog_function function)
{
    struct ptog_program *program = l->program;
    if (!ptog_array_reserve(&program->functions, program->function_count + 1, &l->room))
        return false;
    program->functions[program->function_count++] = function;
    return true;
}

/* ---- attributes of modules and functions */

/* The attribute of a module or function with that key; NULL: none. */
static const struct ptog_item *attribute_of(const struct ptog_program *program, const struct ptog_op *op,
                                            const char *key)
{
    return ptog_module_attribute(&program->tree, op, key);
}

/* An architecture in any case; NULL: there is none of that name. */
static const struct ptog_target *target_named(const char *name)
{
    char small[32] = "";
    for (size_t i = 0; name[i] && i + 1 < sizeof small; i++)
        small[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
    return ptog_target_find(small);
}

/* The target that a module's attributes name, `outer` where they name none. A name that is unknown is kept in
 * `program->no_target`. */
static const struct ptog_target *target_of(struct ptog_program *program, const struct ptog_op *module,
                                           const struct ptog_target *outer)
{
    const struct ptog_item *arch = attribute_of(program, module, "pto.target_arch");
    const struct ptog_item *device = attribute_of(program, module, "pto.device-spec");
    if (!arch)
        return device ? ptog_target_of_device(ptog_item_word(&program->tree, device)) : outer;
    const struct ptog_target *target = target_named(ptog_item_word(&program->tree, arch));
    if (target)
        return target;
    program->no_target = arch;
    return ptog_target_assumed();
}

/* The kind of core that an attribute names, else that of the module around. */
static enum ptog_core_kind core_of(const struct ptog_program *program, const struct ptog_op *op,
                                   enum ptog_core_kind outer)
{
    const struct ptog_item *kind = attribute_of(program, op, "pto.kernel_kind");
    if (!kind)
        return outer;
    if (ptog_item_is_word(&program->tree, kind, "cube"))
        return PTOG_CORE_CUBE;
    return PTOG_CORE_VECTOR;
}

/* Whether a function is marked as one that a host launches. */
static bool is_entry(const struct ptog_program *program, const struct ptog_op *op)
{
    static const char *const marks[] = {"pto.entry", "pto.kernel", "pto.aicore", "hacc.entry"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (attribute_of(program, op, marks[i]))
            return true;
    return false;
}

static bool is_private(const struct ptog_program *program, const struct ptog_op *op)
{
    const struct ptog_part *word = ptog_op_part(op, PTOG_PART_WORD, 0);
    return word && ptog_tree_is(&program->tree, word->word, "private");
}

/* ---- the list */

static bool list_region(struct lister *l, const struct ptog_region *region, struct scope scope);

/* Appends a function that has a body to the list, with what its attributes and module say; one without is only
 * declared. False when out of memory. */
static bool list_function(struct lister *l, const struct ptog_op *op, struct scope scope)
{
    const struct ptog_part *body = ptog_op_part(op, PTOG_PART_REGION, 0), *name = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    if (!body || !name)
        return true;
    struct ptog_program *program = l->program;
    if (!body->region->body) {
        program->declared[name->items[0].name] = true;
        return true;
    }
    struct ptog_function function = {.name = ptog_tree_text(&program->tree, name->items[0].name),
                                     .op = op,
                                     .region = body->region,
                                     .scope = scope.number,
                                     .outer = scope.outer,
                                     .module = scope.module,
                                     .target = scope.target,
                                     .core = core_of(program, op, scope.core),
                                     .entry = is_entry(program, op),
                                     .helper = is_private(program, op)};
    return append_function(l, function);
}

/* Lists what one operation at the top of a text or module holds: a module's functions, or a function. Numbers the
 * scopes. False when out of memory. */
static bool list_op(struct lister *l, const struct ptog_op *op, struct scope scope)
{
    const struct ptog_part *body = ptog_op_part(op, PTOG_PART_REGION, 0);
    if (ptog_op_info(op->name)->kind != PTOG_KIND_MODULE)
        return list_function(l, op, scope);
    struct scope inner = {.number = ++l->scopes,
                          .outer = scope.module ? scope.number + 1 : 0,
                          .module = op,
                          .target = target_of(l->program, op, scope.target),
                          .core = core_of(l->program, op, scope.core)};
    if (!l->program->target)
        l->program->target = inner.target;
    return !body || list_region(l, body->region, inner);
}

/* Whether a comment before the operation, `// -----` or `//--- name`, starts another file in the same text. */
static bool starts_file(const struct ptog_program *program, const struct ptog_op *op)
{
    for (const struct ptog_comment *comment = op->comments; comment; comment = comment->next) {
        const struct ptog_tree *tree = &program->tree;
        bool split =
            ptog_tree_matches(tree, comment->text, "--- *") || ptog_tree_matches(tree, comment->text, " -----*");
        if (comment->mark == '/' && split)
            return true;
    }
    return false;
}

/* Appends the functions of a region and of the modules in it to the program. Modules nest no deeper than the parser
 * lets them. False when out of memory. */
static bool list_region(struct lister *l, const struct ptog_region *region, struct scope scope)
{
    bool text = region == &l->program->tree.root;
    if (has_bare(region) &&
        !append_function(
            l, (struct ptog_function){.name = "", .region = region, .scope = scope.number, .target = scope.target}))
        return false;
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        if (text && starts_file(l->program, op))
            scope.number = ++l->scopes;
        if (is_frame(op) && !list_op(l, op, scope))
            return false;
    }
    return true;
}

/* Chains the functions of one name from `named`, so that a call finds its own in a few steps. False when out of
 * memory. */
static bool index_names(struct ptog_program *program)
{
    program->named = calloc((size_t)program->tree.symbols.count + 1, sizeof *program->named);
    for (size_t i = program->function_count; program->named && i-- > 0;) {
        struct ptog_function *function = &program->functions[i];
        if (!function->op)
            continue;
        ptog_symbol name = ptog_op_part(function->op, PTOG_PART_ITEMS, 0)->items[0].name;
        function->next_named = program->named[name];
        program->named[name] = (uint32_t)i + 1;
    }
    return program->named != NULL;
}

bool ptog_functions_list(struct ptog_program *program)
{
    struct lister lister = {.program = program};
    program->declared = calloc((size_t)program->tree.symbols.count + 1, sizeof *program->declared);
    return program->declared && list_region(&lister, &program->tree.root, (struct scope){0}) && index_names(program);
}

/* The only function of that name that is not private: the modules of a file become one program. NULL: there is none, or
 * more than one. */
static const struct ptog_function *find_linked(const struct ptog_program *program, ptog_symbol name)
{
    const struct ptog_function *found = NULL;
    for (uint32_t i = program->named[name]; i != 0; i = program->functions[i - 1].next_named) {
        if (program->functions[i - 1].helper)
            continue;
        if (found)
            return NULL;
        found = &program->functions[i - 1];
    }
    return found;
}

const struct ptog_function *ptog_function_called(const struct ptog_program *program, uint32_t scope, ptog_symbol name)
{
    for (uint32_t i = program->named[name]; i != 0; i = program->functions[i - 1].next_named)
        if (program->functions[i - 1].scope == scope)
            return &program->functions[i - 1];
    return program->declared[name] ? find_linked(program, name) : NULL;
}

/* ---- what is wrong with them */

/* Warns of a target name in the text that nobody knows. */
static void check_target(const struct ptog_program *program, struct ptog_diag_list *diags)
{
    const char *named = ptog_item_word(&program->tree, program->no_target);
    struct ptog_diag_entry *found = ptog_diag_emit(
        diags, "text-attribute", program->no_target->span,
        "unknown target '%.40s'; assuming %s ('ptog targets' lists the targets)", named, ptog_target_assumed()->name);
    ptog_diag_set_severity(diags, found, PTOG_WARNING);
}

/* Nobody takes what a kernel returns. */
static void check_kernel(const struct ptog_function *function, struct ptog_diag_list *diags)
{
    const struct ptog_part *results = ptog_op_part(function->op, PTOG_PART_ARROW, 0);
    if (function->entry && results && results->type_count > 0)
        ptog_diag_emit(diags, "text-operands", results->span, "@%.80s is a kernel and cannot have results",
                       function->name);
}

/* Reports what is wrong with the frame of a program: comments that allow what does not exist, two functions of one
 * name, and, unless a target was `chosen`, an unknown target. */
void ptog_functions_check(const struct ptog_program *program, bool chosen, struct ptog_diag_list *diags)
{
    ptog_allow_check(&program->source, diags);
    for (size_t i = 0; i < program->function_count; i++) {
        const struct ptog_op *op = program->functions[i].op;
        if (!op)
            continue;
        check_kernel(&program->functions[i], diags);
        const struct ptog_item *name = &ptog_op_part(op, PTOG_PART_ITEMS, 0)->items[0];
        const struct ptog_function *first = ptog_function_called(program, program->functions[i].scope, name->name);
        if (first != &program->functions[i])
            ptog_diag_relate(ptog_diag_emit(diags, "text-redefined", name->span, "@%.80s is defined twice",
                                            program->functions[i].name),
                             ptog_op_part(first->op, PTOG_PART_ITEMS, 0)->items[0].span, "first defined here");
    }
    ptog_lint_program(program, diags);
    if (program->no_target && !chosen)
        check_target(program, diags);
}

/* ---- which one runs */

/* The only one that passes, of those that `passes` says; NULL when there are several or none. */
static const struct ptog_function *only(const struct ptog_program *program,
                                        bool (*passes)(const struct ptog_function *))
{
    const struct ptog_function *found = NULL;
    for (size_t i = 0; i < program->function_count; i++) {
        if (!passes(&program->functions[i]))
            continue;
        if (found)
            return NULL;
        found = &program->functions[i];
    }
    return found;
}

static bool is_kernel(const struct ptog_function *function)
{
    return function->entry && function->core != PTOG_CORE_CUBE;
}

static bool is_no_helper(const struct ptog_function *function)
{
    return !function->helper && function->core != PTOG_CORE_CUBE;
}

/* The only kernel; without marks, the only function that is no helper. Of a cube and a vector function, which are two
 * halves of one kernel, the vector one. */
static const struct ptog_function *find_entry(const struct ptog_program *program)
{
    if (program->function_count == 1)
        return program->functions;
    const struct ptog_function *kernel = only(program, is_kernel);
    if (kernel)
        return kernel;
    return only(program, is_no_helper);
}

const struct ptog_function *ptog_function_find(const struct ptog_program *program, const char *name)
{
    if (!name)
        return find_entry(program);
    for (size_t i = 0; i < program->function_count; i++)
        if (strcmp(program->functions[i].name, name) == 0)
            return &program->functions[i];
    return NULL;
}

const struct ptog_target *ptog_function_target(const struct ptog_function *function)
{
    if (function->target)
        return function->target;
    return ptog_target_default();
}
