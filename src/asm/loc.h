/* asm: MLIR's locations: loc(...) after an operation or argument tells which line of the author's own program it was
 * generated from. The text is kept as written; what it names is found when somebody asks. */
#ifndef PTOG_ASM_LOC_H
#define PTOG_ASM_LOC_H

#include <ptog/diag.h>

#include "asm/tree.h"
#include "diag/list.h"

/* What loc(...) names: *origin is in the arena, and NULL when that is no line of a file. False when out of memory.
 *
 *   "f.py":12:3, "f.py":12, "f.py":12:3 to :9       the line
 *   "name"(L), fused[L, ...], fused<metadata>[...]   of the first that names a line
 *   callsite(L at M)                                 L's, and M's are the lines that call; without one in L, M's
 *   #loc1                                            of what `#loc1 = loc(...)` gives, wherever that stands
 *   "name", unknown                                  none
 *
 * So do an alias that leads in a circle, and brackets nested deeper than 64. */
bool ptog_loc_origin(const struct ptog_tree *tree, ptog_symbol loc, struct ptog_arena *arena,
                     const struct ptog_where **origin);

/* Notes a comment that gives a location a name: `#loc1 = loc(...)`, without its '#'. Other comments are passed over.
 * False when out of memory. */
bool ptog_loc_note_alias(struct ptog_tree *tree, ptog_symbol comment);

/* Which location a byte of the text has: that of the innermost operation or argument around it. */
struct ptog_loc_map {
    struct ptog_loc_entry *of;
    uint32_t count;
    size_t room;
};

/* Lists the operations and arguments of a tree; false when out of memory. Without locations in the tree it is empty. */
bool ptog_loc_map_open(struct ptog_loc_map *map, const struct ptog_tree *tree);
void ptog_loc_map_close(struct ptog_loc_map *map);
ptog_symbol ptog_loc_map_find(const struct ptog_loc_map *map, uint32_t at); /* 0: none */

/* Hands a list of diagnostics out with the author's own lines, which the locations of the tree name. `diags` may be
 * NULL. False when out of memory. */
bool ptog_loc_give(struct ptog_diag_list *list, const struct ptog_tree *tree, ptog_diags *diags);

#endif
