/* diag: kinds of diagnostics, and what they have in common. */
#include "diag/kind.h"

#include <string.h>

#include <ptog/rule.h>

#include "model/events.h"

enum ptog_diag_kind ptog_fault_kind_of(const char *id)
{
    for (size_t i = 0; ptog_machine_fault_at(i); i++)
        if (strcmp(ptog_machine_fault_at(i)->id, id) == 0)
            return (enum ptog_diag_kind)(PTOG_DIAG_OTHER + 1 + i);
    for (size_t i = 0; ptog_fault_info_at(i); i++)
        if (strcmp(ptog_fault_info_at(i)->id, id) == 0)
            return (enum ptog_diag_kind)(PTOG_DIAG_LANE + i);
    return PTOG_DIAG_OTHER;
}

bool ptog_kind_is_race(unsigned kind)
{
    switch (kind) {
    case PTOG_DIAG_RACE_RAW:
    case PTOG_DIAG_RACE_WAR:
    case PTOG_DIAG_RACE_WAW:
    case PTOG_DIAG_RACE_SELF:
    case PTOG_DIAG_SAME_PIPE: return true;
    default: return false;
    }
}

bool ptog_kind_is_flag(unsigned kind)
{
    switch (kind) {
    case PTOG_DIAG_FLAG_DOUBLE_SET:
    case PTOG_DIAG_FLAG_LEFT_SET:
    case PTOG_DIAG_FLAG_NEVER_SET:
    case PTOG_DIAG_FLAG_ID_CLASH:
    case PTOG_DIAG_FLAG_BAD_PAIR:
    case PTOG_DIAG_FLAG_BAD_ID:
    case PTOG_DIAG_FLAG_RESERVED_ID:
    case PTOG_DIAG_FLAG_REDUNDANT: return true;
    default: return false;
    }
}
