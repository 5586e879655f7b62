/* tool/cxx: kernels of both kinds of core. The device's compiler compiles a kernel twice, for the cube core and for the
 * vector cores, and tells the two apart by macros. A source that uses these macros and launches kernels is compiled
 * twice here, too, and both objects become one:
 *
 *     a.cpp -- PTOG_CORE=1 --> vector.o -------------------------------------------------------.
 *           `- PTOG_CORE=2 --> cube.o -- groups dissolved, symbols local, no constructors --> --+-- -r --> a.o
 *
 * The object for the vector cores has the host's side. The other one is reached through a table of bodies alone
 * (pto/ptog/halves.hpp); what both have to share, the state of the runtime, keeps its names. */
#ifndef TOOL_CXX_HALVES_H
#define TOOL_CXX_HALVES_H

#include <stdbool.h>

#include "options.h"
#include "source.h"

/* Whether a source has to be compiled for both kinds of core; and whether its cores may wait for each other, so that all
 * of a launch run side by side. Asks what it includes, too. */
bool cxx_has_halves(struct cxx_source *source, const struct cxx_options *options);
bool cxx_has_waits(struct cxx_source *source);

/* The words of the commands that make the object for the cube core one that can be linked to the other: the compiler's
 * `words` first have an empty place for its name. */
void cxx_dissolve_words(struct cxx_words *words, const char *object, const char *to);
void cxx_hide_words(struct cxx_words *words, const char *object, const char *to);
void cxx_join_words(struct cxx_words *words, const char *vector, const char *cube, const char *to);

#endif
