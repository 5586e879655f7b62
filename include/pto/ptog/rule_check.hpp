/* pto: the rules of the verifier that the types of a call decide, as static assertions. The rows are those of
 * ptog/spec/static_rules.def, which is made of the verifier's own table. */
#ifndef PTO_PTOG_RULE_CHECK_HPP
#define PTO_PTOG_RULE_CHECK_HPP

#include <pto/ptog/rule_predicates.hpp>

namespace ptog
{

/* An operand of a call, by its name. */
template <operand name, class Type> struct as {
};

template <operand name, class Type> constexpr void put_operand(rule_check &c, as<name, Type>)
{
    c.present |= 1u << static_cast<int>(name);
    if constexpr (is_view(name))
        c.view = static_tensor<Type>();
    else
        c.tiles[static_cast<int>(name)] = static_tile<Type>();
}

template <ptog_opcode opcode, ptog_form form, class... Operands> constexpr rule_check check_of()
{
    rule_check c{};
    c.opcode = opcode;
    c.form = form;
    (put_operand(c, Operands{}), ...);
    return c;
}

/* Rows that name targets as `exact` do not hold for those that are like them. */
constexpr bool is_for_target(unsigned targets, bool exact)
{
    return targets & (1u << compiled_for.number | (exact ? 0 : 1u << compiled_for.like));
}

/* Whether a row of the table holds for a call, or is not about it. The bit after those of the operands stands for the
 * call as a whole. */
template <bool (*predicate)(const rule_check &, operand)>
constexpr bool rule_holds(const rule_check &c, int only, unsigned long long forms, unsigned operands)
{
    if (!(forms >> c.form & 1) && !(only != 0 && only == static_cast<int>(c.opcode)))
        return true;
    if ((operands >> operand_names & 1) && !predicate(c, operand::at_DATA))
        return false;
    for (int name = 0; name < operand_names; name++)
        if ((operands & c.present) >> name & 1 && !predicate(c, static_cast<operand>(name)))
            return false;
    return true;
}

/* Asserts every rule of the table that is about this call on the target compiled for. */
template <ptog_opcode opcode, ptog_form form, class... Operands> constexpr void assert_rules()
{
    constexpr rule_check c = check_of<opcode, form, Operands...>();
#define PTOG_STATIC_TARGET(number, table_layouts, dst_orders, index_orders, row_index)
#define PTOG_STATIC_RULE(id, only, forms, targets, exact, operands, predicate, words)                                       \
    static_assert(!is_for_target(targets, exact) || rule_holds<rules::predicate>(c, only, forms, operands),            \
                  words " [" id "]");
#include <ptog/spec/static_rules.def>
}

} // namespace ptog

#endif
