/* lint: the words of acc_push_epilogue, which tell what happens to a tile between the cores. */
#include "lint/fifo/quant.h"

#include "asm/words.h"

static const struct ptog_quant quants[] = {
#define EPILOGUE(word, sources, results, SCALE, a5) {word, sources, results, PTOG_SCALE_##SCALE, a5},
#include "spec/epilogues.def"
#undef EPILOGUE
};

/* The number of the word that the record has for a key; `count` when that is none of the list. */
static int number_of_word(const struct ptog_tree *tree, const struct ptog_item *value, const char *const *words,
                          int count)
{
    for (int i = 0; value && value->kind == PTOG_ITEM_WORD && i < count; i++)
        if (ptog_tree_is(tree, value->name, words[i]))
            return i;
    return count;
}

struct ptog_epilogue ptog_epilogue_of(const struct ptog_tree *tree, const struct ptog_item *item)
{
    static const char *const layouts[] = {"nz2nd", "nz2dn", "nz2nz"}, *const relus[] = {"no_relu", "normal_relu"};
    struct ptog_epilogue epilogue = {item, PTOG_NO_LAYOUT, PTOG_NO_RELU, NULL};
    if (!item)
        return epilogue;
    const struct ptog_item *quant = ptog_item_entry(item, PTOG_WORD_quant);
    const struct ptog_item *layout = ptog_item_entry(item, PTOG_WORD_layout),
                           *relu = ptog_item_entry(item, PTOG_WORD_relu);
    epilogue.layout = (enum ptog_epilogue_layout)number_of_word(tree, layout, layouts, PTOG_NO_LAYOUT);
    epilogue.relu = (enum ptog_epilogue_relu)number_of_word(tree, relu, relus, PTOG_NO_RELU);
    for (size_t i = 0; quant && quant->kind == PTOG_ITEM_WORD && i < sizeof quants / sizeof quants[0]; i++)
        if (ptog_tree_is(tree, quant->name, quants[i].word))
            epilogue.quant = &quants[i];
    return epilogue;
}

bool ptog_epilogue_is_whole(const struct ptog_epilogue *epilogue)
{
    return epilogue->quant && epilogue->layout != PTOG_NO_LAYOUT && epilogue->relu != PTOG_NO_RELU;
}

bool ptog_epilogues_agree(const struct ptog_epilogue *a, const struct ptog_epilogue *b)
{
    return a->quant == b->quant && a->layout == b->layout && a->relu == b->relu;
}
