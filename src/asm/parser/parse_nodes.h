/* asm: attributes with a grammar of their own: affine maps, strided layouts and records of keys. */
#ifndef PTOG_ASM_PARSER_PARSE_NODES_H
#define PTOG_ASM_PARSER_PARSE_NODES_H

#include "asm/parser/parser.h"

/* Reads what stands between the angle brackets of an attribute, by item->kind: PTOG_ITEM_MAP, PTOG_ITEM_LAYOUT or
 * PTOG_ITEM_RECORD. False when it cannot be read, which is not reported, or when out of memory, which is. */
bool ptog_read_node(struct ptog_parser *p, struct ptog_item *item, struct ptog_span inside);

#endif
