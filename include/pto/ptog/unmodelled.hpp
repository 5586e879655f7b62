/* pto: intrinsics that the manuals have and ptogather does not model yet. A call of one does not compile, and says why
 * in one sentence. The name of an instruction of ptog/spec/insns.def is left to that instruction. */
#ifndef PTO_PTOG_UNMODELLED_HPP
#define PTO_PTOG_UNMODELLED_HPP

#include <type_traits>

#include <pto/ptog/target.hpp>

namespace ptog
{

template <class...> inline constexpr bool never = false;

/* Of a name without a row: whatever template arguments a call has. */
template <bool modelled, class... Args> using if_unmodelled = std::enable_if_t<!modelled && !never<Args...>, int>;

/* modelled::NAME: whether the instruction table has a row of this name. A name that a namespace has itself hides that
 * of a namespace which it uses: true where there is a row, else false. */
namespace named
{
#define PTOG_CALL(NAME) inline constexpr bool NAME = false;
#include <pto/ptog/names.def>
} // namespace named
namespace modelled
{
using namespace named;
#include <ptog/spec/hide_macros.def>
#define INSN(OPCODE, text, family, ...) inline constexpr bool OPCODE = true;
#include <ptog/spec/insns.def>
#include <ptog/spec/show_macros.def>
} // namespace modelled

} // namespace ptog

/* What stands behind the head of a function template of which no call compiles: g++ then says the text at the line of the call, and nothing
 * else. Other compilers say it inside the function, with the way there. */
#if defined(__GNUC__) && !defined(__clang__)
#define PTOG_REFUSED(text) __attribute__((error(text)));
#else
#define PTOG_REFUSED(text)                                                                                             \
    {                                                                                                                  \
        static_assert(ptog::never<Args...>, text);                                                                     \
        return {};                                                                                                     \
    }
#endif

/* A call names types, values, or both; no list of template parameters takes all of these. */
#define PTOG_UNMODELLED_AS(NAME, ...)                                                                                  \
    template <__VA_ARGS__ class... Args, ptog::if_unmodelled<ptog::modelled::NAME, Args...> = 0>                       \
    pto::RecordEvent NAME(Args &&...) PTOG_REFUSED("not supported: " #NAME " is not simulated by ptogather")

#define PTOG_UNMODELLED(NAME)                                                                                          \
    PTOG_UNMODELLED_AS(NAME, class... Types, )                                                                         \
    PTOG_UNMODELLED_AS(NAME, auto Value, auto... Values, )                                                             \
    PTOG_UNMODELLED_AS(NAME, class Type0, auto Value, auto... Values, )                                                \
    PTOG_UNMODELLED_AS(NAME, class Type0, class Type1, auto Value, auto... Values, )                                   \
    PTOG_UNMODELLED_AS(NAME, class Type0, class Type1, class Type2, auto Value, auto... Values, )                      \
    PTOG_UNMODELLED_AS(NAME, class Type0, class Type1, class Type2, class Type3, auto Value, auto... Values, )         \
    PTOG_UNMODELLED_AS(NAME, auto Value, class Type0, class... Types, )                                                \
    PTOG_UNMODELLED_AS(NAME, auto Value, auto Value1, class Type0, class... Types, )

namespace pto
{
#define PTOG_CALL(NAME) PTOG_UNMODELLED(NAME)
#include <pto/ptog/names.def>
} // namespace pto

#undef PTOG_UNMODELLED

#endif
