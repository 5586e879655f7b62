/* asm: tile types as the first generation of compilers wrote them: where the tile lies and how it is laid out are
 * attributes.
 *
 *   !pto.tile_buf<8x8xf32, #pto.address_space<mat>, config = #pto.tile_buf_config<blayout=1 : i32, slayout=1 : i32>> */
#include "asm/parser/parse_tile.h"

/* option ::= key '=' (digits | word | '#' name '<' word '>') [':' type]; keys that are no field are passed over */
static bool read_option(struct ptog_tile_reader *r)
{
    struct ptog_parser *p = r->p;
    struct ptog_span key = ptog_type_word(p);
    if (key.length == 0 || !ptog_type_accept(p, '='))
        return ptog_type_fail(p, "key=value");
    bool hash = ptog_type_accept(p, '#');
    if (hash && (ptog_type_word(p).length == 0 || !ptog_type_accept(p, '<')))
        return ptog_type_fail(p, "an attribute");
    int field = PTOG_FIELD_BLAYOUT;
    while (field < PTOG_FIELD_COUNT && !ptog_tile_text_is(p, key, ptog_tile_key(field)))
        field++;
    if (field < PTOG_FIELD_COUNT) {
        if (!ptog_tile_value(r, (enum ptog_tile_field)field))
            return false;
    } else if (ptog_type_word(p).length == 0) {
        return ptog_type_fail(p, "a value");
    }
    if (hash && !ptog_type_accept(p, '>'))
        return ptog_type_fail(p, "'>'");
    if (ptog_type_accept(p, ':') && ptog_type_word(p).length == 0)
        return ptog_type_fail(p, "a type");
    return true;
}

/* old ::= '#pto.address_space<' loc '>' | '#pto.tile_buf_config<' option {',' option} '>' | 'strided' '<' any '>' */
bool ptog_tile_old(struct ptog_tile_reader *r)
{
    struct ptog_parser *p = r->p;
    ptog_type_accept(p, '#');
    struct ptog_span name = ptog_type_word(p);
    if (ptog_tile_text_is(p, name, "strided") && ptog_type_peek(p) == '<')
        return ptog_skip_angle(p);
    bool space = ptog_tile_text_is(p, name, "pto.address_space");
    if ((!space && !ptog_tile_text_is(p, name, "pto.tile_buf_config")) || !ptog_type_accept(p, '<'))
        return ptog_type_fail(p, "an address space or a tile_buf_config");
    if (space && !ptog_tile_value(r, PTOG_FIELD_LOC))
        return false;
    while (!space) {
        if (!read_option(r))
            return false;
        if (!ptog_type_accept(p, ','))
            break;
    }
    return ptog_type_accept(p, '>') || ptog_type_fail(p, "'>'");
}
