/* asm: the front door of the parser: the bytes of a source in, a tree and diagnostics out. */
#include <stdlib.h>

#include "asm/asm.h"
#include "asm/parser/parser.h"

enum ptog_status ptog_parse(struct ptog_tree *tree, const struct ptog_source *source, struct ptog_diag_list *diags)
{
    if (ptog_tree_init(tree) != PTOG_OK)
        return PTOG_NO_MEMORY;
    struct ptog_parser p = {.source = source, .tree = tree, .diags = diags, .errors_before = diags->errors};
    ptog_lexer_start(&p.lexer, source);
    ptog_take(&p);
    ptog_parse_ops(&p, &tree->root, false);
    tree->root.span = (struct ptog_span){0, source->size};
    ptog_stack_free(&p.lists);
    ptog_stack_free(&p.run_types);
    free(p.attrs);
    ptog_stack_free(&p.lexer.remarks);
    free(p.marks);
    free(p.types);
    ptog_index_free(&p.type_index);
    if (p.no_memory || p.lexer.no_memory)
        return PTOG_NO_MEMORY;
    if (diags->errors > p.errors_before)
        return PTOG_ILLEGAL;
    return PTOG_OK;
}
