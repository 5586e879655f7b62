/* pto: the target a kernel is compiled for. -DPTOG_TARGET=a5 says it, or the macro of the tool chain that the kernel
 * comes from, or the header of a target that is included first; PTOG_TARGET in the environment says it again at run
 * time, and wins. What the documents call static is checked for the target of the compilation. */
#ifndef PTO_PTOG_TARGET_HPP
#define PTO_PTOG_TARGET_HPP

#define PTOG_TEXT_OF(x) #x
#define PTOG_TEXT(x) PTOG_TEXT_OF(x)

#include <ptog/target.h>

#include <pto/ptog/device_macros.hpp>

#if defined(PTOG_TARGET)
#define PTOG_COMPILED_TARGET PTOG_TEXT(PTOG_TARGET)
#elif defined(__CPU_SIM)
#define PTOG_COMPILED_TARGET "cpusim"
#elif defined(PTO_NPU_ARCH_A2A3)
#define PTOG_COMPILED_TARGET "a2a3"
#elif defined(PTO_NPU_ARCH_A5) && defined(PTOG_INCLUDED_CUSTOM)
#define PTOG_COMPILED_TARGET "a5-custom"
#elif defined(PTO_NPU_ARCH_A5)
#define PTOG_COMPILED_TARGET "a5"
#elif defined(PTOG_INCLUDED_TARGET)
#define PTOG_COMPILED_TARGET PTOG_INCLUDED_TARGET
#else
#define PTOG_COMPILED_TARGET "host"
#endif

namespace ptog
{

/* A target of ptog/spec/targets.def as the compilation knows it. */
struct profile {
    const char *name;
    int number, like; /* enum ptog_target_number */
};

inline constexpr profile profiles[] = {
#include <ptog/spec/hide_macros.def>
#define TARGET(NAME, name, LIKE, ...) {name, PTOG_TARGET_##NAME, PTOG_TARGET_##LIKE},
#include <ptog/spec/targets.def>
#include <ptog/spec/show_macros.def>
};

constexpr bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

constexpr profile profile_of(const char *name)
{
    for (const profile &known : profiles)
        if (same_text(known.name, name))
            return known;
    return {nullptr, -1, -1};
}

inline constexpr profile compiled_for = profile_of(PTOG_COMPILED_TARGET);
static_assert(compiled_for.name != nullptr, "PTOG_TARGET: expected host, cpu, a2a3, a5, or another of `ptog targets`");

} // namespace ptog

#endif
