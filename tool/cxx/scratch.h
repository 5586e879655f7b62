/* tool/cxx: a directory for temporary files, and the compiler as a child. Whatever happens, the directory is gone at
 * the end: a signal that would end this program ends the child first, then the directory, then this program. */
#ifndef TOOL_CXX_SCRATCH_H
#define TOOL_CXX_SCRATCH_H

#include <stdint.h>

#include "io/why.h"
#include "words.h"

/* Makes the directory; call once. Its path has only letters, digits and . _ - / in it, and it is the same whenever `of`
 * is, unless another process has that directory now: what the compiler reads then is what it read before, and a
 * compiler cache finds it. NULL after a failure. */
const char *cxx_scratch_make(struct cxx_words *strings, uint64_t of, struct tool_why *why);

/* A directory inside it. */
const char *cxx_scratch_inside(struct cxx_words *strings, const char *scratch, size_t number, struct tool_why *why);
bool cxx_scratch_write(const char *path, const char *head, size_t head_size, const char *text, size_t size,
                       struct tool_why *why);

/* Removes the directory and what is in it. A signal that came meanwhile ends the program here. NULL: nothing was made.
 */
void cxx_scratch_remove(const char *scratch);

/* Runs a program, found in PATH, and waits for it. True: *status is its exit status, or 128 and the signal that ended
 * it. False: it could not be started; *missing: because there is none of that name. */
bool cxx_run(const char *const *words, int *status, bool *missing, struct tool_why *why);

#endif
