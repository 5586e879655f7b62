/* repair: edits that belong together: made for a run, and taken back. */
#include "repair/edits/change.h"

/* Appends an edit of an operation to the change, which has room for it. */
static void add_edit(struct ptog_change *change, const struct ptog_op *op, struct ptog_edit edit)
{
    change->of[change->count].op = op;
    change->of[change->count].edit = edit;
    change->count++;
}

void ptog_change_replace(struct ptog_change *change, const struct ptog_text_flag *flag, const struct ptog_sync *with)
{
    struct ptog_sync sync = *with;
    sync.part = flag->sync.part;
    add_edit(change, flag->op, (struct ptog_edit){.kind = PTOG_EDIT_REPLACE, .sync = sync});
}

void ptog_change_remove(struct ptog_change *change, const struct ptog_text_flag *flag)
{
    add_edit(change, flag->op, (struct ptog_edit){.kind = PTOG_EDIT_REMOVE, .sync = flag->sync});
}

void ptog_change_move(struct ptog_change *change, const struct ptog_text_flag *flag, uint32_t to, bool after)
{
    add_edit(change, flag->op,
             (struct ptog_edit){.kind = PTOG_EDIT_MOVE, .sync = flag->sync, .to = to, .after = after});
}

void ptog_change_insert(struct ptog_change *change, const struct ptog_sync *sync, uint32_t to, bool after)
{
    add_edit(change, NULL, (struct ptog_edit){.sync = *sync, .to = to, .after = after});
}

static bool adds_line(const struct ptog_edit *edit)
{
    return edit->kind == PTOG_EDIT_MOVE || edit->kind == PTOG_EDIT_NONE;
}

/* Right before an operation, or right after it. */
static bool add_line(struct ptog_added *added, const struct ptog_edit *edit)
{
    if (edit->after)
        return ptog_lines_add(&added->after[edit->to], 0, &edit->sync, 1);
    return ptog_lines_add(&added->before[edit->to], added->before[edit->to].count, &edit->sync, 1);
}

/* Removes the line that a moved statement had become. */
static void drop_line(struct ptog_added *added, const struct ptog_edit *edit)
{
    if (edit->after)
        ptog_lines_drop(&added->after[edit->to], 0);
    else
        ptog_lines_drop(&added->before[edit->to], added->before[edit->to].count - 1);
}

/* Undoes the first `count` edits of a change, the last one first. */
static void take_back(struct ptog_added *added, const struct ptog_change *change, uint32_t count)
{
    while (count-- > 0) {
        const struct ptog_edit *edit = &change->of[count].edit;
        if (adds_line(edit))
            drop_line(added, edit);
        if (change->of[count].op)
            added->edits[change->of[count].op->number] = (struct ptog_edit){0};
    }
}

bool ptog_change_make(struct ptog_added *added, const struct ptog_change *change)
{
    for (uint32_t i = 0; i < change->count; i++) {
        const struct ptog_edit *edit = &change->of[i].edit;
        if (adds_line(edit) && !add_line(added, edit)) {
            take_back(added, change, i);
            return false;
        }
        if (change->of[i].op)
            added->edits[change->of[i].op->number] = *edit;
    }
    return true;
}

void ptog_change_take_back(struct ptog_added *added, const struct ptog_change *change)
{
    take_back(added, change, change->count);
}
