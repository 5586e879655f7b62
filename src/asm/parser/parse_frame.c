/* asm: the frame of a program: modules, functions, loops and conditions. */
#include "asm/parser/parser.h"

#include <stdio.h>
#include <string.h>

/* Puts a part that began at byte `at` on the parser's stack; false when out of memory. */
static bool push_part(struct ptog_parser *p, struct ptog_part *part, uint32_t at)
{
    part->span = ptog_span_from(p, at);
    return ptog_push(p, part, sizeof *part);
}

/* arrow ::= ['->' types] */
static bool parse_arrow(struct ptog_parser *p)
{
    struct ptog_part part = {.kind = PTOG_PART_ARROW};
    uint32_t at = p->token.at;
    if (p->token.kind != PTOG_TOKEN_ARROW)
        return true;
    ptog_take(p);
    return ptog_parse_types(p, &part) && push_part(p, &part, at);
}

/* attributes ::= ['attributes' dict] */
static bool parse_attributes(struct ptog_parser *p)
{
    struct ptog_part part = {.kind = PTOG_PART_DICT, .word = PTOG_WORD_attributes};
    uint32_t at = p->token.at;
    if (!ptog_is_word(p, "attributes"))
        return true;
    ptog_take(p);
    return ptog_parse_dict(p, &part.entries, &part.count) && push_part(p, &part, at);
}

/* items ::= item {separator item}, a separator being a word; `words` lists them */
static bool parse_between(struct ptog_parser *p, const char *const *words)
{
    struct ptog_part part = {.kind = PTOG_PART_ITEMS};
    uint32_t at = p->token.at;
    size_t from = p->lists.used;
    for (;; words++) {
        struct ptog_item item;
        if (!ptog_parse_item(p, &item, false) || !ptog_push(p, &item, sizeof item))
            return false;
        if (!*words)
            break;
        char what[16];
        snprintf(what, sizeof what, "'%s'", *words);
        if (!ptog_is_word(p, *words))
            return ptog_fail_expected(p, what);
        ptog_take(p);
    }
    return ptog_take_list(p, from, sizeof *part.items, &part.items, &part.count) && push_part(p, &part, at);
}

/* Reads a region in braces as a part of the operation; *region is it, where that is wanted. */
static bool parse_body(struct ptog_parser *p, ptog_symbol word, struct ptog_region **region)
{
    struct ptog_part part = {0};
    if (!ptog_at(p, '{'))
        return ptog_fail_expected(p, "'{'");
    if (!ptog_parse_region(p, &part, word))
        return false;
    if (region)
        *region = part.region;
    return ptog_push(p, &part, sizeof part);
}

/* ---- modules and functions */

/* module ::= 'module' ['@'id] ['attributes' dict] '{' ops '}' */
static bool parse_module(struct ptog_parser *p)
{
    static const char *const none[] = {NULL};
    return (p->token.kind != PTOG_TOKEN_SYMBOL || parse_between(p, none)) && parse_attributes(p) &&
           parse_body(p, 0, NULL);
}

/* arg ::= ['%'id ':'] type [dict] */
static bool parse_arg(struct ptog_parser *p, struct ptog_arg *arg)
{
    *arg = (struct ptog_arg){.span = ptog_token_span(p)};
    if (p->token.kind == PTOG_TOKEN_VALUE) {
        if (!ptog_symbol_of(p, p->token.at + 1, p->token.end, &arg->name))
            return false;
        ptog_take(p);
        if (!ptog_expect(p, ':'))
            return false;
    }
    if (!ptog_parse_type(p, &arg->type))
        return false;
    arg->has_dict = ptog_at(p, '{');
    return (!arg->has_dict || ptog_parse_dict(p, &arg->entries, &arg->entry_count)) && ptog_parse_loc(p, &arg->loc);
}

/* args ::= '(' [arg {',' arg}] ')' */
bool ptog_parse_args(struct ptog_parser *p, struct ptog_arg **args, uint32_t *count)
{
    size_t from = p->lists.used;
    if (!ptog_expect(p, '('))
        return false;
    if (!ptog_at(p, ')')) {
        do {
            struct ptog_arg arg;
            if (!parse_arg(p, &arg) || !ptog_push(p, &arg, sizeof arg))
                return false;
        } while (ptog_take_if(p, ','));
    }
    if (!ptog_at(p, ')'))
        return ptog_fail_expected(p, "',' or ')'");
    ptog_take(p);
    return ptog_take_list(p, from, sizeof **args, args, count);
}

/* Reads private, public or nested, where one stands there. */
static bool parse_visibility(struct ptog_parser *p)
{
    struct ptog_part part = {.kind = PTOG_PART_WORD};
    uint32_t at = p->token.at;
    if (!ptog_is_word(p, "private") && !ptog_is_word(p, "public") && !ptog_is_word(p, "nested"))
        return true;
    if (!ptog_symbol_of(p, at, p->token.end, &part.word))
        return false;
    ptog_take(p);
    return push_part(p, &part, at);
}

/* The name stands before '(' like a call: it is taken as a symbol, not as an item. */
static bool parse_function_name(struct ptog_parser *p)
{
    struct ptog_part part = {.kind = PTOG_PART_ITEMS};
    struct ptog_item item = {.kind = PTOG_ITEM_SYMBOL, .span = ptog_token_span(p)};
    uint32_t at = p->token.at;
    size_t from = p->lists.used;
    if (p->token.kind != PTOG_TOKEN_SYMBOL)
        return ptog_fail_expected(p, "a function name such as @f");
    if (!ptog_symbol_of(p, at + 1, p->token.end, &item.name) || !ptog_push(p, &item, sizeof item))
        return false;
    ptog_take(p);
    return ptog_take_list(p, from, sizeof item, &part.items, &part.count) && push_part(p, &part, at);
}

/* func ::= 'func.func' ['private'|'public'] '@'id args ['->' types] ['attributes' dict] ['{' ops '}'] */
static bool parse_func(struct ptog_parser *p)
{
    struct ptog_arg *args = NULL;
    struct ptog_region *region = NULL;
    uint32_t count = 0;
    if (!parse_visibility(p) || !parse_function_name(p) || !ptog_parse_args(p, &args, &count) || !parse_arrow(p) ||
        !parse_attributes(p))
        return false;
    if (ptog_at(p, '{')) {
        if (!parse_body(p, 0, &region))
            return false;
    } else {
        struct ptog_part part = {.kind = PTOG_PART_REGION};
        region = part.region = ptog_arena_alloc(&p->tree->arena, sizeof *region);
        if (!region)
            return ptog_fail_memory(p);
        if (!push_part(p, &part, p->token.at))
            return false;
    }
    region->args = args;
    region->arg_count = count;
    return true;
}

/* ---- loops and conditions */

/* named ::= '%'id '=': one more argument of the loop's region */
static bool parse_named(struct ptog_parser *p, struct ptog_stack *args)
{
    struct ptog_arg arg = {.span = ptog_token_span(p)};
    if (p->token.kind != PTOG_TOKEN_VALUE)
        return ptog_fail_expected(p, "a name such as %i");
    if (!ptog_symbol_of(p, p->token.at + 1, p->token.end, &arg.name))
        return false;
    ptog_take(p);
    return ptog_expect(p, '=') && (ptog_stack_push(args, &arg, sizeof arg) || ptog_fail_memory(p));
}

/* iter_args ::= 'iter_args' '(' named item {',' named item} ')' */
static bool parse_iter_args(struct ptog_parser *p, struct ptog_part *part, struct ptog_stack *args)
{
    size_t from = p->lists.used;
    *part = (struct ptog_part){.kind = PTOG_PART_CLAUSE, .word = PTOG_WORD_iter_args};
    ptog_take(p);
    if (!ptog_expect(p, '('))
        return false;
    do {
        struct ptog_item item;
        if (!parse_named(p, args) || !ptog_parse_item(p, &item, false) || !ptog_push(p, &item, sizeof item))
            return false;
    } while (ptog_take_if(p, ','));
    return ptog_take_list(p, from, sizeof *part->items, &part->items, &part->count) &&
           (ptog_take_if(p, ')') || ptog_fail_expected(p, "',' or ')'"));
}

/* Reads the type of a loop's counter, where one is written. */
static bool parse_counter_type(struct ptog_parser *p)
{
    struct ptog_part part = {.kind = PTOG_PART_TYPES};
    uint32_t at = p->token.at;
    if (!ptog_take_if(p, ':'))
        return true;
    return ptog_parse_types(p, &part) && push_part(p, &part, at);
}

/* Reads counter, bounds and carried values of scf.for; the region's arguments are appended to `args`. */
static bool parse_for_header(struct ptog_parser *p, struct ptog_stack *args)
{
    static const char *const words[] = {"to", "step", NULL};
    struct ptog_part part;
    if (!parse_named(p, args) || !parse_between(p, words))
        return false;
    uint32_t at = p->token.at;
    if (ptog_is_word(p, "iter_args") && !(parse_iter_args(p, &part, args) && push_part(p, &part, at)))
        return false;
    return parse_arrow(p) && parse_counter_type(p);
}

/* for ::= 'scf.for' '%'id '=' item 'to' item 'step' item [iter_args ['->' types]] [':' type] '{' ops '}' [dict] */
static bool parse_for(struct ptog_parser *p)
{
    struct ptog_stack args = {0};
    struct ptog_region *region = NULL;
    bool good = parse_for_header(p, &args) && parse_body(p, 0, &region);
    size_t bytes = args.used;
    if (good) {
        region->args = ptog_stack_take(&args, 0, &p->tree->arena);
        region->arg_count = (uint32_t)(bytes / sizeof(struct ptog_arg));
        good = region->args || ptog_fail_memory(p);
    }
    ptog_stack_free(&args);
    return good;
}

/* if ::= 'scf.if' item ['->' types] '{' ops '}' ['else' '{' ops '}'] [dict] */
static bool parse_if(struct ptog_parser *p)
{
    static const char *const none[] = {NULL};
    if (!parse_between(p, none) || !parse_arrow(p) || !parse_body(p, 0, NULL))
        return false;
    if (!ptog_is_word(p, "else"))
        return true;
    ptog_take(p);
    return parse_body(p, PTOG_WORD_else, NULL);
}

/* inits ::= ['(' named item {',' named item} ')']: a part like iter_args, also when there are none */
static bool parse_inits(struct ptog_parser *p, struct ptog_stack *args)
{
    struct ptog_part part = {.kind = PTOG_PART_CLAUSE, .word = PTOG_WORD_iter_args};
    uint32_t at = p->token.at;
    size_t from = p->lists.used;
    if (ptog_take_if(p, '(') && !ptog_take_if(p, ')')) {
        do {
            struct ptog_item item;
            if (!parse_named(p, args) || !ptog_parse_item(p, &item, false) || !ptog_push(p, &item, sizeof item))
                return false;
        } while (ptog_take_if(p, ','));
        if (!ptog_take_if(p, ')'))
            return ptog_fail_expected(p, "',' or ')'");
    }
    return ptog_take_list(p, from, sizeof *part.items, &part.items, &part.count) && push_part(p, &part, at);
}

/* Reads carried values and type of scf.while. */
static bool parse_while_header(struct ptog_parser *p, struct ptog_stack *args)
{
    struct ptog_part part = {.kind = PTOG_PART_TYPES};
    if (!parse_inits(p, args))
        return false;
    uint32_t at = p->token.at;
    if (!ptog_expect(p, ':'))
        return false;
    return ptog_parse_type_list(p, '\0', &part.types, &part.type_count) && push_part(p, &part, at);
}

/* while ::= 'scf.while' inits ':' function type '{' ops '}' 'do' '{' ops '}' [dict]
 * The second region names its arguments in a label: ^bb0(%x: T): */
static bool parse_while(struct ptog_parser *p)
{
    struct ptog_stack args = {0};
    struct ptog_region *region = NULL;
    bool good = parse_while_header(p, &args) && parse_body(p, 0, &region);
    size_t bytes = args.used;
    if (good && bytes > 0) {
        region->args = ptog_stack_take(&args, 0, &p->tree->arena);
        region->arg_count = (uint32_t)(bytes / sizeof(struct ptog_arg));
        good = region->args || ptog_fail_memory(p);
    }
    ptog_stack_free(&args);
    if (!good)
        return false;
    if (!ptog_is_word(p, "do"))
        return ptog_fail_expected(p, "'do'");
    ptog_take(p);
    return parse_body(p, PTOG_WORD_do, NULL);
}

/* Reads attributes behind a region, where they begin on its last line. */
static bool parse_trailing_dict(struct ptog_parser *p)
{
    struct ptog_part part = {.kind = PTOG_PART_DICT};
    uint32_t at = p->token.at;
    if (!ptog_at(p, '{') || p->token.new_line)
        return true;
    return ptog_parse_dict(p, &part.entries, &part.count) && push_part(p, &part, at);
}

/* Reads the rest of a module, function, loop or branch, and gives *op its parts. False after an error, which is
 * reported. */
bool ptog_parse_frame(struct ptog_parser *p, struct ptog_op *op)
{
    size_t from = p->lists.used;
    bool good = false;
    switch (ptog_op_info(op->name)->kind) {
    case PTOG_KIND_MODULE: good = parse_module(p); break;
    case PTOG_KIND_FUNC: good = parse_func(p); break;
    case PTOG_KIND_FOR: good = parse_for(p) && parse_trailing_dict(p); break;
    case PTOG_KIND_IF: good = parse_if(p) && parse_trailing_dict(p); break;
    case PTOG_KIND_WHILE: good = parse_while(p) && parse_trailing_dict(p); break;
    default: break;
    }
    return good && ptog_parse_loc(p, &op->loc) &&
           ptog_take_list(p, from, sizeof *op->parts, &op->parts, &op->part_count);
}
