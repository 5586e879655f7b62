/* repair: the first element in which two runs differ. */
#ifndef PTOG_REPAIR_DIFFER_H
#define PTOG_REPAIR_DIFFER_H

#include <ptog/program.h>

struct ptog_difference {
    const char *name;
    enum ptog_dtype dtype; /* PTOG_DTYPE_NONE: bytes */
    int rank;
    int64_t shape[5];
    uint64_t element, bits[2];
};

/* Of two memories: fills in dtype, element and bits. */
bool ptog_bytes_differ(const unsigned char *a, const unsigned char *b, uint64_t bytes, enum ptog_dtype dtype,
                       struct ptog_difference *found);

/* Of the tiles that two runs left; false when there is no difference. */
bool ptog_result_differs(const ptog_result *a, const ptog_result *b, struct ptog_difference *found);

#endif
