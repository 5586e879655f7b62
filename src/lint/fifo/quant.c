/* lint: the words of acc_push_epilogue. */
#include "lint/fifo/quant.h"

#include <string.h>

static const struct ptog_quant quants[] = {
#define EPILOGUE(word, sources, results, SCALE, a5) {word, sources, results, PTOG_SCALE_##SCALE, a5},
#include "spec/epilogues.def"
#undef EPILOGUE
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *skip_spaces(const char *at)
{
    while (is_space(*at))
        at++;
    return at;
}

/* What follows `key =` in `<key = word, ...>`, as a piece of the text; empty when there is none. */
static const char *word_after(const char *text, const char *key, size_t *length)
{
    *length = 0;
    for (const char *at = text; (at = strstr(at, key)) != NULL; at++) {
        bool starts = at > text && (is_space(at[-1]) || at[-1] == ',' || at[-1] == '<');
        const char *word = skip_spaces(at + strlen(key));
        if (!starts || *word != '=')
            continue;
        word = skip_spaces(word + 1);
        while (is_of_word(word[*length]))
            ++*length;
        return word;
    }
    return "";
}

/* The number of the word in the list; `count` when it is not there. */
static int number_of_word(const char *text, const char *key, const char *const *words, int count)
{
    size_t length;
    const char *word = word_after(text, key, &length);
    for (int i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return i;
    return count;
}

struct ptog_epilogue ptog_epilogue_of(const struct ptog_tree *tree, const struct ptog_item *item)
{
    static const char *const layouts[] = {"nz2nd", "nz2dn", "nz2nz"}, *const relus[] = {"no_relu", "normal_relu"};
    struct ptog_epilogue epilogue = {item, PTOG_NO_LAYOUT, PTOG_NO_RELU, NULL};
    if (!item)
        return epilogue;
    const char *text = ptog_tree_text(tree, item->name);
    size_t length;
    const char *quant = word_after(text, "quant", &length);
    epilogue.layout = (enum ptog_epilogue_layout)number_of_word(text, "layout", layouts, PTOG_NO_LAYOUT);
    epilogue.relu = (enum ptog_epilogue_relu)number_of_word(text, "relu", relus, PTOG_NO_RELU);
    for (size_t i = 0; i < sizeof quants / sizeof quants[0]; i++)
        if (strlen(quants[i].word) == length && memcmp(quants[i].word, quant, length) == 0)
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
