/* asm: what the files that read the types of tiles share. */
#ifndef PTOG_ASM_PARSER_PARSE_TILE_H
#define PTOG_ASM_PARSER_PARSE_TILE_H

#include "asm/parser/parser.h"

struct ptog_tile_reader {
    struct ptog_parser *p;
    struct ptog_type *type;
    uint32_t start;  /* of the type */
    uint32_t given;  /* bit per field */
    uint32_t by_key; /* bit per field */
    size_t position; /* the next one without a key */
    bool shape;
};

const char *ptog_tile_key(int field);
bool ptog_tile_text_is(struct ptog_parser *p, struct ptog_span span, const char *text);

/* The value of a field, which has not been given before. */
bool ptog_tile_value(struct ptog_tile_reader *r, enum ptog_tile_field field);

/* parse_tile_old.c: an argument of the first generation. */
bool ptog_tile_old(struct ptog_tile_reader *r);

#endif
