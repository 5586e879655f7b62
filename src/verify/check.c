/* verify: one instruction on one target, as the predicates see it. */
#include "verify/check.h"

uint32_t ptog_form_operands(enum ptog_form form, uint32_t *optional)
{
    *optional = form == PTOG_FORM_INDEX || form == PTOG_FORM_COMPARE ? PTOG_OP_TMP : 0;
    switch (form) {
    case PTOG_FORM_ROW:
    case PTOG_FORM_ELEM: return PTOG_OP_SELF | PTOG_OP_DST | PTOG_OP_IDX | PTOG_OP_TABLE;
    case PTOG_FORM_INDEX: return PTOG_OP_SELF | PTOG_OP_DST | PTOG_OP_SRC | PTOG_OP_IDX | PTOG_OP_TMP;
    case PTOG_FORM_MASK: return PTOG_OP_SELF | PTOG_OP_DST | PTOG_OP_SRC;
    case PTOG_FORM_COMPARE: return PTOG_OP_SELF | PTOG_OP_DST | PTOG_OP_SRC | PTOG_OP_K | PTOG_OP_CDST | PTOG_OP_TMP;
    case PTOG_FORM_LOAD:
    case PTOG_FORM_STORE: return PTOG_OP_SELF | PTOG_OP_TILE | PTOG_OP_VIEW;
    }
    return 0;
}

const struct ptog_tensor *ptog_check_tensor(const struct ptog_check *c)
{
    return c->m ? &c->m->table : &c->x->view;
}

const struct ptog_tile *ptog_check_tile(const struct ptog_check *c, enum ptog_operand operand)
{
    const struct ptog_tile *tile = NULL;
    uint32_t optional;
    if (!(ptog_form_operands(c->form, &optional) & operand))
        return NULL;
    switch (operand) {
    case PTOG_OP_DST: tile = c->m ? &c->m->dst : &c->t->dst; break;
    case PTOG_OP_IDX: tile = c->m ? &c->m->idx : &c->t->idx; break;
    case PTOG_OP_SRC: tile = &c->t->src; break;
    case PTOG_OP_TMP: tile = &c->t->tmp; break;
    case PTOG_OP_K: tile = &c->t->k; break;
    case PTOG_OP_CDST: tile = &c->t->cdst; break;
    case PTOG_OP_TILE: tile = &c->x->tile; break;
    default: break;
    }
    return tile && tile->dtype == PTOG_DTYPE_NONE && (operand & optional) ? NULL : tile;
}

const char *ptog_operand_name(enum ptog_operand operand)
{
    switch (operand) {
    case PTOG_OP_DST: return "dst";
    case PTOG_OP_SRC: return "src";
    case PTOG_OP_IDX: return "idx";
    case PTOG_OP_TMP: return "tmp";
    case PTOG_OP_K: return "k";
    case PTOG_OP_CDST: return "cdst";
    case PTOG_OP_TABLE: return "table";
    case PTOG_OP_TILE: return "tile";
    case PTOG_OP_VIEW: return "view";
    case PTOG_OP_SELF: return "instruction";
    }
    return "?";
}

uint32_t ptog_check_dtypes(const struct ptog_check *c, enum ptog_operand operand)
{
    const struct ptog_target *target = c->target;
    bool index = operand == PTOG_OP_IDX;
    switch (c->form) {
    case PTOG_FORM_ROW:
    case PTOG_FORM_ELEM: return index ? target->mgather_index_dtypes : target->mgather_dtypes;
    case PTOG_FORM_INDEX: return index ? target->tgather_index_dtypes : target->tgather_dtypes;
    case PTOG_FORM_MASK: return target->mask_dtypes;
    case PTOG_FORM_COMPARE:
        if (operand == PTOG_OP_DST || operand == PTOG_OP_CDST)
            return 1u << PTOG_I32 | 1u << PTOG_U32;
        return target->compare_dtypes;
    default: return 0;
    }
}
