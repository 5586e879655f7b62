/* What a public declaration carries.
 *
 * PTOG_C gives it C linkage, so that C++ programs link against the same names. PTOG_API adds default visibility: the
 * library is compiled with everything hidden, and exports just what is declared with PTOG_API. Nothing else in these
 * headers depends on the compiler.
 *
 * Every name that a program can see begins with ptog_ or PTOG_. What begins so and is not in include/ptog is the
 * library's own: it can change at any time, and a program that links the static library must not use it.
 *
 * With a compiler that is neither gcc nor clang PTOG_API is C linkage alone, and the build has to export names by its
 * own means. A static library needs nothing of this.
 *
 * A caller never defines these macros. Where a build system needs another linkage, it is a change of this file alone.
 */
#ifndef PTOG_EXPORT_H
#define PTOG_EXPORT_H

#ifdef __cplusplus
#define PTOG_C extern "C"
#else
#define PTOG_C extern
#endif

#if defined(__GNUC__)
#define PTOG_API PTOG_C __attribute__((visibility("default")))
#else
#define PTOG_API PTOG_C
#endif

#endif
