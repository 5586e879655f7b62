/* lint: the operations of the FIFO in the order of the text, and what stands around each: function, section, block.
 */
#include "lint/fifo/fifo.h"

#include <stdlib.h>
#include <string.h>

#include "asm/op_parts.h"
#include "base/array.h"

/* Where a name of the function that is being walked comes from. */
struct name_source {
    const struct ptog_op *op;
    uint32_t function; /* from 1 */
};

struct use_reader {
    struct ptog_fifo *fifo;
    const struct ptog_tree *tree;
    struct name_source *sources; /* by symbol */
    uint32_t function, order, blocks;
    bool helper;
};

/* ---- names */

/* Notes which operation defines a name. */
static void define_source(struct use_reader *r, ptog_symbol name, const struct ptog_op *op)
{
    r->sources[name] = (struct name_source){op, r->function + 1};
}

/* The operation that an operand is the result of; NULL: there is no such operand, or it is an argument. */
static const struct ptog_op *source_of(const struct use_reader *r, const struct ptog_op *op, const char *key,
                                       uint32_t place)
{
    uint32_t n = ptog_fifo_operand(r->tree, op, key, place);
    if (n == PTOG_FIFO_NONE)
        return NULL;
    const struct ptog_item *item = &ptog_operands_of(op).items[n];
    if (item->kind != PTOG_ITEM_VALUE || r->sources[item->name].function != r->function + 1)
        return NULL;
    return r->sources[item->name].op;
}

/* Finds the operations that made what an operation uses of the FIFO. */
static void find_sources(const struct use_reader *r, struct ptog_fifo_use *use)
{
    switch (use->op->name) {
    case PTOG_OP_NAME_INITIALIZE_L2L_PIPE:
        use->from[0] = source_of(r, use->op, "", 0);
        use->from[1] = source_of(r, use->op, "", 1);
        break;
    case PTOG_OP_NAME_INITIALIZE_L2G2L_PIPE:
        use->from[0] = source_of(r, use->op, "", 1);
        use->from[1] = source_of(r, use->op, "", 2);
        break;
    case PTOG_OP_NAME_TALLOC:
    case PTOG_OP_NAME_TPUSH:
    case PTOG_OP_NAME_TPOP:
    case PTOG_OP_NAME_TFREE: /* the pipe is the last operand */
        use->from[0] = source_of(r, use->op, "", ptog_operands_of(use->op).count - 1);
        break;
    default:
        use->from[0] = source_of(r, use->op, "c2v_consumer_buf", PTOG_FIFO_NONE);
        use->from[1] = source_of(r, use->op, "v2c_consumer_buf", PTOG_FIFO_NONE);
        break;
    }
}

/* ---- the walk */

/* Adds an operation of the FIFO with where it stands; false when out of memory. */
static bool add_use(struct use_reader *r, const struct ptog_op *op, uint32_t block, enum ptog_core_kind core)
{
    struct ptog_fifo *fifo = r->fifo;
    struct ptog_fifo_use use = {.op = op,
                                .function = r->function,
                                .order = r->order,
                                .block = block,
                                .pipe = PTOG_FIFO_NONE,
                                .core = core,
                                .peer = PTOG_FIFO_NONE,
                                .helper = r->helper};
    find_sources(r, &use);
    if (!ptog_array_reserve(&fifo->uses, fifo->use_count + 1, &fifo->use_room))
        return false;
    fifo->uses[fifo->use_count++] = use;
    fifo->use_of[op->number] = (uint32_t)fifo->use_count;
    return true;
}

static bool walk_region(struct use_reader *r, const struct ptog_region *region, enum ptog_core_kind core);

/* The regions of an operation; sections say which core runs what is in them. */
static bool walk_inside(struct use_reader *r, const struct ptog_op *op, enum ptog_core_kind core)
{
    if (op->name == PTOG_OP_NAME_SECTION_CUBE)
        core = PTOG_CORE_CUBE;
    else if (op->name == PTOG_OP_NAME_SECTION_VECTOR)
        core = PTOG_CORE_VECTOR;
    for (uint32_t i = 0; i < op->part_count; i++)
        if (op->parts[i].kind == PTOG_PART_REGION && !walk_region(r, op->parts[i].region, core))
            return false;
    return true;
}

/* Regions nest no deeper than the parser lets them. */
static bool walk_region(struct use_reader *r, const struct ptog_region *region, enum ptog_core_kind core)
{
    size_t first = r->fifo->use_count;
    uint32_t block = ++r->blocks;
    for (uint32_t i = 0; i < region->arg_count; i++)
        define_source(r, region->args[i].name, NULL);
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        r->order++;
        if (op->name == PTOG_OP_NAME_LABEL) {
            block = ++r->blocks;
            r->fifo->labels[r->function] = true;
        }
        if (ptog_op_is_fifo(op->name) && !add_use(r, op, block, core))
            return false;
        if (op->name == PTOG_OP_NAME_CALL || op->name == PTOG_OP_NAME_SHORT_CALL)
            r->fifo->calls[r->function] = true;
        for (uint32_t i = 0; i < op->result_count; i++)
            define_source(r, op->results[i].name, op);
        if (!walk_inside(r, op, core))
            return false;
    }
    for (size_t i = first; i < r->fifo->use_count; i++)
        if (r->fifo->uses[i].last == 0)
            r->fifo->uses[i].last = r->order;
    return true;
}

/* Lists the operations of the FIFO of all functions, in the order of the text; false when out of memory. */
bool ptog_fifo_read_uses(struct ptog_fifo *fifo)
{
    const struct ptog_program *program = fifo->program;
    struct use_reader r = {.fifo = fifo, .tree = &program->tree};
    r.sources = calloc((size_t)program->tree.symbols.count + 1, sizeof *r.sources);
    bool good = r.sources != NULL;
    for (size_t i = 0; good && i < program->function_count; i++) {
        const struct ptog_function *function = &program->functions[i];
        if (!function->op)
            continue;
        r.function = (uint32_t)i;
        r.helper = ptog_module_attribute(&program->tree, function->op, "pto.tileop.helper") != NULL;
        good = walk_region(&r, function->region, function->core);
    }
    free(r.sources);
    return good;
}
