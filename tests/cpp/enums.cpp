/* The numbers and sizes of the documents' enums, as a compiler sees them. Never linked. */
#include <pto/pto-inst.hpp>

#include <cstdint>
#include <type_traits>

using namespace pto;

template <class Enum> constexpr bool is_a_byte = std::is_same_v<std::underlying_type_t<Enum>, std::uint8_t>;

static_assert(is_a_byte<GatherOOB> && sizeof(GatherOOB) == 1, "GatherOOB is an enum of one byte");
static_assert(is_a_byte<Coalesce> && sizeof(Coalesce) == 1, "Coalesce is an enum of one byte");
static_assert(static_cast<int>(Coalesce::Row) == 0 && static_cast<int>(Coalesce::Elem) == 1);
static_assert(static_cast<int>(GatherOOB::Undefined) == 0 && static_cast<int>(GatherOOB::Clamp) == 1 &&
              static_cast<int>(GatherOOB::Wrap) == 2 && static_cast<int>(GatherOOB::Zero) == 3);
