/* tool/cxx: the command line of ptog-cxx: its own options, and the compiler's as far as they matter here. */
#ifndef TOOL_CXX_OPTIONS_H
#define TOOL_CXX_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "io/why.h"

enum cxx_role {
    CXX_OPTION,  /* for compiling and linking */
    CXX_LINKING, /* for linking only: options, objects, libraries */
    CXX_DEPEND,  /* -MD and its kin: for compiling only */
    CXX_OUTPUT,  /* -o */
    CXX_SOURCE,  /* C++, to be searched for launches */
    CXX_FOREIGN, /* another input: another language, a response file */
};

/* The cores that a source is compiled for. */
enum cxx_core { CXX_BOTH_CORES, CXX_VECTOR_CORE, CXX_CUBE_CORE };

/* One or two words of the command line: an input; an option and its value. */
struct cxx_argument {
    enum cxx_role role;
    const char *word, *value; /* value: NULL when the option is one word */
    const char *language;     /* of an input: that of the last -x; NULL: by its suffix */
};

struct cxx_options {
    bool help, version, rewrite;
    bool launches;        /* --ptog-launch: the next word is the compiler */
    const char *compiler; /* NULL: not said */
    const char *target;   /* NULL: not said */
    struct cxx_argument *at;
    size_t count;
    size_t sources, foreign; /* inputs */
    bool has_std;
    enum cxx_core core; /* --cce-aicore-arch=dav-c220-vec, -cube */
    bool simulates;     /* -D__CPU_SIM: the CPU simulator's sources */
    bool stops;               /* before linking: -c -S -E -fsyntax-only */
    bool preprocesses;        /* -E */
    bool only_dependencies;   /* -M -MM: nothing is compiled */
    bool writes_dependencies; /* -MD -MMD */
    const char *dependencies; /* -MF, or the name in -Wp,-MD,NAME; NULL: the compiler's choice */
    const char *output;       /* -o */
    const char *ignored;      /* the first option of the device's compiler that was left out; NULL: none */
    size_t ignored_count;
};

/* False: *why says what is wrong. free(options->at) in any case. */
bool cxx_options_read(struct cxx_options *options, int argc, char **argv, struct tool_why *why);

/* Whether the compilers know by its name that a file is C++; if not, they must be told with -x. */
bool cxx_is_known_suffix(const char *path);

#endif
