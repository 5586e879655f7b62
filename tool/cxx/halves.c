/* tool/cxx: which sources are compiled for both kinds of core, and the commands that join the two objects. */
#include "halves.h"

#include <ctype.h>
#include <string.h>

/* Macros that say for which core the compiler compiles. */
static const char *const core_macros[] = {"__DAV_CUBE__",      "__DAV_VEC__",     "__DAV_C220_CUBE__", "__DAV_C220_VEC__",
                                          "__DAV_C310_CUBE__", "__DAV_C310_VEC__", NULL};

/* Calls by which cores wait for each other. */
static const char *const waits[] = {"SYNCALL",         "ffts_cross_core_sync", "wait_flag_dev", "set_intra_block",
                                    "wait_intra_block", "set_cross_core",      NULL};

static const char *const launches[] = {"ptog", NULL}; /* ptog::fn, ptog::direct */

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether a source contains a word that is no part of a longer name. */
static bool has_word(const struct cxx_source *source, const char *word)
{
    const char *text = source->text, *end = text ? text + source->size : NULL;
    size_t length = strlen(word);
    for (const char *at = text; at && at + length <= end; at++) {
        at = memchr(at, word[0], (size_t)(end - at) - length + 1);
        if (!at)
            return false;
        if (memcmp(at, word, length) == 0 && (at == text || !is_part_of_name(at[-1])) &&
            (at + length == end || !is_part_of_name(at[length])))
            return true;
    }
    return false;
}

/* Whether the file or one that it includes has one of the words; NULL: a launch. No file is looked into twice in a
 * `search`. */
static bool mentions(struct cxx_source *source, const char *const *words, unsigned search)
{
    source->searched = search;
    if (!words && source->rewritten.launches > 0)
        return true;
    for (const char *const *word = words ? words : launches; *word; word++)
        if (has_word(source, *word))
            return true;
    for (size_t i = 0; i < source->rewritten.include_count; i++) {
        struct cxx_source *target = source->rewritten.includes[i].target;
        if (target && target->searched != search && mentions(target, words, search))
            return true;
    }
    return false;
}

/* Each search has a number of its own. */
static bool ask(struct cxx_source *source, const char *const *words)
{
    static unsigned searches;
    return mentions(source, words, ++searches);
}

bool cxx_has_halves(struct cxx_source *source, const struct cxx_options *options)
{
    return options->core == CXX_BOTH_CORES && !options->simulates && ask(source, NULL) && ask(source, core_macros);
}

bool cxx_has_waits(struct cxx_source *source)
{
    return ask(source, NULL) && ask(source, waits);
}

void cxx_dissolve_words(struct cxx_words *words, const char *object, const char *to)
{
    cxx_words_add_all(words, (const char *const[]){"", "-nostdlib", "-r", "-Wl,--force-group-allocation", object, "-o", to, NULL});
}

void cxx_hide_words(struct cxx_words *words, const char *object, const char *to)
{
    cxx_words_add_all(words, (const char *const[]){"objcopy", "--wildcard", "--weaken",
                                                   "--keep-global-symbol=_ZZN4ptog*", "--keep-global-symbol=_ZGVZN4ptog*",
                                                   "--keep-global-symbol=_ZN4ptog11all_threadsE",
                                                   "--keep-global-symbol=_ZN4ptog11is_reportedE",
                                                   "--keep-global-symbol=_ZN4ptog6tracesE",
                                                   "--remove-section=.init_array*", "--remove-section=.rela.init_array*",
                                                   "--remove-section=.fini_array*", "--remove-section=.rela.fini_array*",
                                                   object, to, NULL});
}

void cxx_join_words(struct cxx_words *words, const char *vector, const char *cube, const char *to)
{
    cxx_words_add_all(words, (const char *const[]){"", "-nostdlib", "-r", vector, cube, "-o", to, NULL});
}
