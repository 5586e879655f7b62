/* lint: what compilers refuse of modules and functions before they look at a statement: a backend that does not
 * exist, functions beside modules that have backends of their own, helpers that are none (lint/helpers.h), and, for
 * the backend "vpto", functions of which nobody can tell whether the cube core or the vector core runs them. */
#include "lint/program_checks.h"

#include <stdlib.h>
#include <string.h>

#include "asm/op_parts.h"
#include "lint/helpers.h"

/* A logical name: the module it was last given in, and where. */
struct logical_name {
    const struct ptog_op *module;
    const struct ptog_item *item;
};

struct frame {
    const struct ptog_program *program;
    struct ptog_diag_list *diags;
    struct logical_name *names; /* by symbol */
};

/* What a module says of itself and of the modules and functions in it. */
struct module {
    const struct ptog_op *op;
    bool vpto, inner; /* its backend is vpto; it lies in another module */
    bool has_core;    /* pto.kernel_kind says which core runs it */
};

/* The attribute of a module or function with that key; NULL: none. */
static const struct ptog_item *attribute_of(const struct frame *f, const struct ptog_op *op, const char *key)
{
    return ptog_module_attribute(&f->program->tree, op, key);
}

static bool is_of_kind(const struct ptog_op *op, enum ptog_op_kind kind)
{
    return ptog_op_info(op->name)->kind == kind;
}

static const struct ptog_region *body_of(const struct ptog_op *op)
{
    const struct ptog_part *body = ptog_op_part(op, PTOG_PART_REGION, 0);
    if (body)
        return body->region;
    return NULL;
}

/* ---- statements of a function */

/* Calls `look` for every statement of a region and of those inside it, until it returns true. Sections are left out
 * when `open`: what stands in them says itself which core it is for. Regions nest no deeper than the parser lets them.
 */
static const struct ptog_op *find_core_op(const struct frame *f, const struct ptog_region *region, bool open,
                                          bool (*look)(const struct frame *, const struct ptog_op *))
{
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        bool section = op->name == PTOG_OP_NAME_SECTION_CUBE || op->name == PTOG_OP_NAME_SECTION_VECTOR;
        if (look(f, op))
            return op;
        for (uint32_t i = 0; !(open && section) && i < op->part_count; i++) {
            const struct ptog_op *found = NULL;
            if (op->parts[i].kind == PTOG_PART_REGION)
                found = find_core_op(f, op->parts[i].region, open, look);
            if (found)
                return found;
        }
    }
    return NULL;
}

static bool is_of_pto(const struct frame *f, const struct ptog_op *op)
{
    return ptog_tree_matches(&f->program->tree, op->name, "pto.*");
}

/* A flag that S or MTE2 sets or waits for: both cores have these pipes. */
static bool is_of_either_core(const struct frame *f, const struct ptog_op *op)
{
    bool waits = op->name == PTOG_OP_NAME_WAIT_FLAG;
    if (op->name != PTOG_OP_NAME_SET_FLAG && !waits)
        return false;
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        if (part->kind != PTOG_PART_LIST || part->count != 3)
            continue;
        const struct ptog_item *pipe = &part->items[waits];
        return ptog_item_is_word(&f->program->tree, pipe, "PIPE_S") ||
               ptog_item_is_word(&f->program->tree, pipe, "PIPE_MTE2");
    }
    return false;
}

/* ---- a function */

static const struct ptog_item *name_of(const struct ptog_op *function)
{
    const struct ptog_part *name = ptog_op_part(function, PTOG_PART_ITEMS, 0);
    if (name && name->count > 0)
        return &name->items[0];
    return NULL;
}

/* Reports a flag in a function of backend vpto when nothing says which core runs it and both have its pipe. */
static void check_core(const struct frame *f, const struct ptog_op *function, const struct module *module)
{
    const struct ptog_region *body = body_of(function);
    if (!module->vpto || module->has_core || attribute_of(f, function, "pto.kernel_kind"))
        return;
    const struct ptog_op *op = find_core_op(f, body, true, is_of_either_core);
    if (op)
        ptog_diag_add_fix(
            f->diags,
            ptog_diag_emit(f->diags, "text-core", op->name_span,
                           "both cores have the pipe of this flag, and the program does not say which core it is for"),
            "put it into pto.section.vector or pto.section.cube, or give the function a pto.kernel_kind attribute");
}

/* Checks a function with a body: helpers for what they may contain, and which core runs it. */
static void check_function(const struct frame *f, const struct ptog_op *function, const struct module *module)
{
    const struct ptog_region *body = body_of(function);
    if (!body || !body->body)
        return;
    if (attribute_of(f, function, "pto.tileop.helper"))
        ptog_helper_check(&f->program->tree, function, f->diags);
    check_core(f, function, module);
}

/* ---- a module */

static void check_backend(const struct frame *f, const struct ptog_op *module)
{
    const struct ptog_item *backend = attribute_of(f, module, "pto.backend");
    const struct ptog_tree *tree = &f->program->tree;
    if (backend && !ptog_item_is_word(tree, backend, "emitc") && !ptog_item_is_word(tree, backend, "vpto"))
        ptog_diag_emit(f->diags, "text-attribute", backend->span, "pto.backend is \"emitc\" or \"vpto\"");
}

/* Functions of a module that others reach by one logical name would need one wrapper. */
static void check_logical_name(const struct frame *f, const struct ptog_op *module, const struct ptog_op *function)
{
    const struct ptog_item *name = attribute_of(f, function, "pto.ptodsl.logical_name");
    if (!name || name->kind != PTOG_ITEM_STRING)
        return;
    struct logical_name *known = &f->names[name->name];
    if (known->module == module)
        ptog_diag_relate(
            ptog_diag_emit(f->diags, "text-redefined", name->span, "this logical name is used by two functions"),
            known->item->span, "first used here");
    else
        *known = (struct logical_name){module, name};
}

static bool has_parts_with_backends(const struct frame *f, const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op; op = op->next)
        if (is_of_kind(op, PTOG_KIND_MODULE) && attribute_of(f, op, "pto.backend"))
            return true;
    return false;
}

/* A part for vpto says which core it is for, or something in it does. */
static void check_part(const struct frame *f, const struct module *module, const struct ptog_region *region)
{
    if (module->vpto && module->inner && !module->has_core && region->first &&
        !find_core_op(f, region, false, is_of_pto))
        ptog_diag_emit(f->diags, "text-core", module->op->name_span,
                       "the module does not say which core it is for: give it a pto.kernel_kind attribute");
}

/* Checks the functions and modules of a region, and those in them. */
static void check_region(const struct frame *f, const struct ptog_region *region, const struct module *module)
{
    bool parts = module->op && has_parts_with_backends(f, region);
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        const struct ptog_region *inside = body_of(op);
        if (is_of_kind(op, PTOG_KIND_FUNC)) {
            if (parts && name_of(op) && inside && inside->body)
                ptog_diag_emit(f->diags, "text-frame", name_of(op)->span,
                               "a module whose parts have their own backends must contain only modules");
            if (module->inner)
                check_logical_name(f, module->op, op);
            check_function(f, op, module);
        } else if (is_of_kind(op, PTOG_KIND_MODULE) && inside) {
            const struct ptog_item *backend = attribute_of(f, op, "pto.backend");
            struct module inner = {op, module->vpto, module->op != NULL, module->has_core};
            check_backend(f, op);
            if (backend)
                inner.vpto = ptog_item_is_word(&f->program->tree, backend, "vpto");
            inner.has_core = inner.has_core || attribute_of(f, op, "pto.kernel_kind");
            check_part(f, &inner, inside);
            check_region(f, inside, &inner);
        }
    }
}

void ptog_module_check(const struct ptog_program *program, struct ptog_diag_list *diags)
{
    struct frame f = {program, diags, NULL};
    bool has_module = false;
    for (const struct ptog_op *op = program->tree.root.first; op; op = op->next)
        has_module |= is_of_kind(op, PTOG_KIND_MODULE);
    if (has_module) /* only modules give logical names */
        f.names = calloc((size_t)program->tree.symbols.count + 1, sizeof *f.names);
    if (f.names || !has_module)
        check_region(&f, &program->tree.root, &(struct module){0});
    else
        diags->no_memory = true;
    free(f.names);
}
