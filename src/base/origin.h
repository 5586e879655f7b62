/* base: the author's own line behind a line of a generated program (ptog_where.origin of ptog/diag.h). */
#ifndef PTOG_BASE_ORIGIN_H
#define PTOG_BASE_ORIGIN_H

#include <stdbool.h>

#include <ptog/diag.h>

#include "base/arena.h"
#include "base/text.h"

#define PTOG_MAX_CALLERS 8 /* lines that call, of one origin; further ones are left out */

/* Replaces an origin and its callers by copies that live as long as the arena; NULL stays NULL. False when out of
 * memory. */
bool ptog_origin_copy(struct ptog_arena *arena, const struct ptog_where **origin);

/* Adds " at line 12", where the headlines of both places are in one file, else " at model.py:12". Adds nothing when the
 * place has no line. */
void ptog_text_add_line(struct ptog_text *text, const struct ptog_where *place, const struct ptog_where *beside);

#endif
