/* pto: names by which device sources reach behind an instruction: X_IMPL(dst, src) is X(dst, src), without events. */
#ifndef PTO_PTOG_IMPL_NAMES_HPP
#define PTO_PTOG_IMPL_NAMES_HPP

#define TLOAD_IMPL TLOAD
#define TSTORE_IMPL TSTORE
#define TCONCAT_IMPL TCONCAT
#define TINSERT_IMPL TINSERT
#define TCOLEXPAND_IMPL TCOLEXPAND
#define TROWEXPANDSUB_IMPL TROWEXPANDSUB

#endif
