/* What a public declaration carries: C linkage for C++ callers, default visibility in the shared library. */
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
