/* verify: predicates on the run-time extents of a plan. */
#include "model/extents.h"
#include "verify/predicates.h"

/* Extents next to what the run gives: as written, or with those of the run put in and packed strides filled. */
struct planned {
    struct ptog_mgather m;
    struct ptog_tgather t;
    struct ptog_extents extents;
};

static void list(struct planned *planned, const struct ptog_check *c, bool known)
{
    if (c->planned_m) {
        planned->m = known ? *c->m : *c->planned_m;
        planned->extents = ptog_mgather_extents(&planned->m, c->run);
    } else {
        planned->t = known ? *c->t : *c->planned_t;
        planned->extents = ptog_tgather_extents(&planned->t, c->run);
    }
}

const char *ptog_missing_extent(const struct ptog_check *c)
{
    struct planned planned;
    if (!c->run)
        return NULL;
    list(&planned, c, false);
    for (int i = 0; i < planned.extents.count; i++) {
        const struct ptog_open_extent *e = &planned.extents.of[i];
        if (*e->planned == PTOG_DYN && (e->given == 0 || e->given == PTOG_DYN))
            return e->name;
    }
    return NULL;
}

const char *ptog_changed_extent(const struct ptog_check *c)
{
    struct planned written, known;
    if (!c->run)
        return NULL;
    list(&written, c, false);
    list(&known, c, true);
    for (int i = 0; i < written.extents.count; i++) {
        const struct ptog_open_extent *e = &known.extents.of[i];
        bool open = *written.extents.of[i].planned == PTOG_DYN || *e->planned == PTOG_DYN;
        if (!open && e->given != 0 && e->given != *e->planned)
            return e->name;
    }
    return NULL;
}

bool ptog_run_has_extents(const struct ptog_check *c, enum ptog_operand o)
{
    (void)o;
    return ptog_missing_extent(c) == NULL;
}

bool ptog_run_keeps_extents(const struct ptog_check *c, enum ptog_operand o)
{
    (void)o;
    return ptog_changed_extent(c) == NULL;
}
