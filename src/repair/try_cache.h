/* repair: what the runs that try something have shown, so that no change is tried twice: faults of one cause suggest
 * the same changes, and every search starts from the program as it is. A run with the same changes on the same data is
 * the same run. */
#ifndef PTOG_REPAIR_TRY_CACHE_H
#define PTOG_REPAIR_TRY_CACHE_H

#include <ptog/diag.h>

#include "base/index.h"
#include "interp/added.h"

/* What a run is made on: this machine or the other one, with the caller's data; from PTOG_TRY_REFERENCE on, data of
 * reference.h on this machine. */
enum { PTOG_TRY_HERE, PTOG_TRY_OTHER_TARGET, PTOG_TRY_REFERENCE };

struct ptog_try_result {
    size_t faults;      /* of order */
    bool found;         /* the run was stopped there: it may have more of them */
    bool refused;       /* as in struct ptog_trial */
    bool same;          /* of a reference: it stored what it should */
    ptog_diags *report; /* NULL: nobody wanted it */
    uint32_t *key;
    size_t key_count;
};

struct ptog_try_cache {
    struct ptog_try_result *of;
    size_t room;
    uint32_t count;
    struct ptog_index index; /* by key */
    size_t findings;         /* of all reports */
    uint32_t *key;           /* of the run in question */
    size_t key_count, key_room;
};

/* The result of a run with these changes; NULL: there is none. One that was stopped is found if this one would be
 * stopped, too. Valid until the next call. */
const struct ptog_try_result *ptog_try_cache_find(struct ptog_try_cache *cache, const struct ptog_trial *trial,
                                                  uint32_t subject);

/* Keeps the result of the run that was looked for last, with a copy of `report`, which may be NULL. When there is no
 * room for it, that run is made again if it is needed again. */
void ptog_try_cache_keep(struct ptog_try_cache *cache, const struct ptog_try_result *result, const ptog_diags *report);

void ptog_try_cache_close(struct ptog_try_cache *cache);

/* Appends copies of all findings. False when out of memory. */
bool ptog_diags_copy(ptog_diags *to, const ptog_diags *from);

#endif
