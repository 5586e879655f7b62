/* asm: regions: statements one after another, and where reading starts again after an error. */
#include "asm/parser/parser.h"

#include <string.h>

/* ---- recovery: after an error, on to what looks like the next statement */

/* `from` is where the statement that failed starts. Its region, if it has one, is read for its own errors. */
static void recover(struct ptog_parser *p, uint32_t from)
{
    if (p->token.at == from && p->token.kind != PTOG_TOKEN_END)
        ptog_take(p);
    while (!p->stop && p->token.kind != PTOG_TOKEN_END) {
        if (p->token.new_line && (ptog_at_start(p) || ptog_at(p, '}')))
            return;
        if (ptog_at(p, '{') && ptog_look_ahead(p, 1).new_line) {
            struct ptog_part lost = {0};
            ptog_parse_region(p, &lost, 0);
            return;
        }
        ptog_take(p);
    }
}

/* ---- regions */

/* Reports a region without its end, and where it was opened. */
static bool fail_open(struct ptog_parser *p, struct ptog_span open)
{
    bool said = !p->stop;
    ptog_fail_expected(p, "'}'");
    if (said && !p->no_memory) {
        size_t last = p->diags->count - 1;
        while (last > 0 && p->diags->list[last].diag.severity != PTOG_ERROR)
            last--;
        ptog_diag_relate(&p->diags->list[last], open, "opened here");
    }
    return false;
}

/* ops ::= {statement | alias}; attributes get their names outside of all regions */
bool ptog_parse_ops(struct ptog_parser *p, struct ptog_region *region, bool braces)
{
    struct ptog_op **next = &region->first;
    while (!p->stop && p->token.kind != PTOG_TOKEN_END && !(braces && ptog_at(p, '}'))) {
        uint32_t at = p->token.at;
        size_t lists = p->lists.used;
        if (p->token.kind == PTOG_TOKEN_BANG && ptog_parse_alias(p))
            continue;
        if (p->token.kind == PTOG_TOKEN_HASH && !braces && ptog_parse_attr_alias(p))
            continue;
        struct ptog_op *op = p->token.at == at ? ptog_parse_op(p) : NULL;
        p->lists.used = lists;
        if (op) {
            *next = op;
            next = &op->next;
        } else {
            recover(p, at);
        }
    }
    return !p->stop && ptog_take_comments(p, p->token.at, &region->comments);
}

/* region ::= '{' ops '}' */
bool ptog_parse_region(struct ptog_parser *p, struct ptog_part *part, ptog_symbol word)
{
    uint32_t at = p->token.at;
    struct ptog_span open = ptog_token_span(p);
    struct ptog_region *region = ptog_arena_alloc(&p->tree->arena, sizeof *region);
    *part = (struct ptog_part){.kind = PTOG_PART_REGION, .comma = part->comma, .word = word, .region = region};
    if (!region)
        return ptog_fail_memory(p);
    if (!ptog_enter(p, PTOG_REGION_LEVELS))
        return false;
    region->body = true;
    bool good = ptog_expect(p, '{') && ptog_take_trailing(p, &region->opening) && ptog_parse_ops(p, region, true) &&
                (ptog_at(p, '}') || fail_open(p, open));
    ptog_leave(p, PTOG_REGION_LEVELS);
    if (good)
        ptog_take(p);
    region->span = part->span = ptog_span_from(p, at);
    return good;
}
