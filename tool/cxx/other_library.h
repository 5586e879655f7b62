/* tool/cxx: directories that hold the headers of another PTO library, or of CANN. They have the names of ours: the
 * compiler looks into such a directory after all others, whatever option or variable named it, so that ours are used.
 */
#ifndef TOOL_CXX_OTHER_LIBRARY_H
#define TOOL_CXX_OTHER_LIBRARY_H

#include "options.h"
#include "words.h"

/* Whether `directory` has a pto/pto-inst.hpp or an acl/acl.h that is not the one below `own`. */
bool cxx_is_other_library(const char *own, const char *directory, struct cxx_words *strings);

/* The directory of another library that an option of the compiler names; NULL: it names none. */
const char *cxx_other_library_in(const char *own, const struct cxx_argument *argument, struct cxx_words *strings);

/* Takes the directories of other libraries out of CPATH and CPLUS_INCLUDE_PATH, and adds them to `words`, to be looked
 * into last. False when the environment cannot be changed. */
bool cxx_move_paths(const char *own, struct cxx_words *words, struct cxx_words *strings);

/* Whether one of our headers is called so: "pto/pto-inst.hpp". */
bool cxx_is_own_header(const char *own, const char *name, struct cxx_words *strings);

#endif
