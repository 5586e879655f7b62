/* The version, at compile time and at run time, and what it promises.
 *
 * A program keeps working with every newer library of the same minor version (0.2.x), and from 1.0 on with every newer
 * library of the same major version. Calls, the layout of structs and the numbers of all enums stay as they are,
 * opcodes included: structs grow into their `reserved` words, which callers leave zero, and new instructions are
 * appended. Counts such as PTOG_OPCODES grow. Between 0.1 and 0.2 everything but names may change, and a program is
 * built again; CHANGELOG.md lists each old and new spelling.
 *
 * tests/abi holds the ABI of the headers, and `make abi` compares with it. */
#ifndef PTOG_VERSION_H
#define PTOG_VERSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/export.h>

/* The version of these headers, for the preprocessor: #if PTOG_VERSION_MAJOR == 0 && PTOG_VERSION_MINOR < 2. */
#define PTOG_VERSION_MAJOR 0
#define PTOG_VERSION_MINOR 2
#define PTOG_VERSION_PATCH 0
#define PTOG_VERSION "0.2.0"

/* Bytes of a public struct in the library, by its name without "struct": "ptog_run". 0 when there is no such struct. A
 * caller who lays structs out without these headers, as foreign-function interfaces do, compares before the first call
 * that takes one: another size is another version of the headers. */
PTOG_API size_t ptog_size_of(const char *name);

/* The library's own version, "major.minor.patch". It is that of the headers it was built with; a program that was built
 * with others can compare it with PTOG_VERSION. */
PTOG_API const char *ptog_version(void);

/* An instruction set that the library has kernels for. Kernels are chosen when a plan is made, by what the CPU at hand
 * can do: a library that was built on one machine runs on another. */
struct ptog_kernel_set {
    const char *name; /* "scalar", "avx2": what the environment's PTOG_ISA may say */
    bool runs;        /* this CPU has it */
    bool chosen;      /* a plan made now would use it */
    uint64_t reserved[2];
};
/* Fills in set i of those that were compiled for this kind of CPU, the slowest first; false past the end. */
PTOG_API bool ptog_kernel_set_at(size_t i, struct ptog_kernel_set *set);

#endif
