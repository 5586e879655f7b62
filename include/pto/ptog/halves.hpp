/* pto: kernels that ptog-cxx compiles for both kinds of core. Of such a source there are two objects: that for the vector
 * cores (PTOG_CORE is 1) has the host's side; that for the cube core (PTOG_CORE is 2) is reached through a table of what
 * its launches run. ptog-cxx puts the table behind the entry that the first object has:
 *
 *     first object     {nullptr, nullptr}        the entry of this file
 *     second object    {key, run}                of each launch, in any order
 *     another file     {nullptr, nullptr}        ...
 *
 * The key of a launch is the name of its type, which is the same in both objects. */
#ifndef PTO_PTOG_HALVES_HPP
#define PTO_PTOG_HALVES_HPP

#include <cstring>
#include <tuple>
#ifdef __cpp_rtti
#include <typeinfo>
#endif

#include <pto/ptog/settings.hpp>

namespace ptog
{

struct half_entry {
    const char *(*key)();
    void (*run)(void *body, void *arguments);
};

namespace
{

/* What belongs to one source alone. */
struct this_file {
};

} // namespace

/* `arguments` is a tuple of references. */
template <class Body, class Arguments, class File> struct half_of {
    static const char *key()
    {
#ifdef __cpp_rtti
        return typeid(half_of).name();
#else
        return __PRETTY_FUNCTION__;
#endif
    }
    static void run(void *body, void *arguments)
    {
        std::apply(*static_cast<Body *>(body), *static_cast<Arguments *>(arguments));
    }
};

#if PTOG_CORE == 2
/* Called by nobody: the assembler writes the entry. */
template <class Body, class Arguments> void list_half()
{
    using half = half_of<Body, Arguments, this_file>;
    asm volatile(".pushsection ptog_halves,\"aw\"\n\t.balign 16\n\t.dc.a %c0, %c1\n\t.balign 16\n\t.popsection"
                 :
                 : "i"(&half::key), "i"(&half::run));
}
#else
[[gnu::section("ptog_halves"), gnu::used, gnu::aligned(16)]] static half_entry halves_of_this_file = {nullptr, nullptr};
extern "C" [[gnu::visibility("hidden")]] const half_entry __stop_ptog_halves[];

/* The cube core's half of a launch. */
template <class Body, class Arguments> half_entry find_half()
{
    using half = half_of<Body, Arguments, this_file>;
    const half_entry *at = &halves_of_this_file, *found = nullptr;
    asm("" : "+r"(at)); /* the linker knows what is behind it */
    for (at++; at < __stop_ptog_halves && at->key; at++) {
        if (std::strcmp(at->key(), half::key()) != 0 || (found && found->run == at->run))
            continue;
        if (found)
            give_up("two launches of one source have the same name: compile with -frtti");
        found = at;
    }
    if (!found)
        give_up("the half of a kernel for the cube core is missing: link the objects that ptog-cxx made, as they are");
    return *found;
}
#endif

} // namespace ptog

#endif
