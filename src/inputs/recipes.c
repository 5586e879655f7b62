/* inputs: recipes, the short texts that say how data is made: "zeros", "full:3", "1,2,3", "repeat:1,2". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "inputs/inputs.h"
#include "lower/real.h"

#define MAX_NUMBER 64 /* characters */

/* "-2.5e-3", whatever the locale is: how many characters at the beginning of a text are a number; 0: none. */
static size_t number_length(const char *text)
{
    static const char digits[] = "0123456789";
    size_t sign = strspn(text, "+-"), whole = strspn(text + sign, digits), length = sign + whole, fraction = 0;
    if (text[length] == '.') {
        fraction = strspn(text + length + 1, digits);
        length += 1 + fraction;
    }
    if (sign > 1 || whole + fraction == 0)
        return 0;
    if (text[length] == 'e' || text[length] == 'E') {
        size_t exponent = 1u + (text[length + 1] == '-' || text[length + 1] == '+');
        size_t power = strspn(text + length + exponent, digits);
        length += power > 0 ? exponent + power : 0;
    }
    return length < MAX_NUMBER ? length : 0;
}

double ptog_recipe_number(const char **text)
{
    char number[MAX_NUMBER];
    size_t length = number_length(*text);
    memcpy(number, *text, length);
    number[length] = '\0';
    *text += length;
    return ptog_real_read(number);
}

/* Whether a recipe is numbers and nothing else: "1,2,3", "2.5,-1e-3", "7". */
static bool is_number_list(const char *text)
{
    for (;; text++) {
        size_t length = number_length(text);
        text += length;
        if (length == 0 || *text != ',')
            return length > 0 && *text == '\0';
    }
}

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool ptog_recipe_is_valid(const char *text)
{
    if (!text)
        return false;
    if (strcmp(text, "zeros") == 0 || strcmp(text, "arange") == 0 || strcmp(text, "random") == 0)
        return true;
    if (has_prefix(text, "random:"))
        return text[7] != '\0' && text[7 + strspn(text + 7, "0123456789")] == '\0';
    if (has_prefix(text, "full:"))
        return is_number_list(text + 5) && !strchr(text, ',');
    if (has_prefix(text, "repeat:"))
        return is_number_list(text + 7);
    return is_number_list(text);
}

size_t ptog_recipe_length(const char *recipe)
{
    size_t count = 1;
    if (!recipe || !is_number_list(recipe))
        return 0;
    for (const char *at = recipe; *at; at++)
        count += *at == ',';
    return count;
}

/* A tile, or memory of which the type gives every extent, has exactly so many elements. */
static bool has_known_extents(const struct ptog_slot *slot)
{
    for (int d = 0; d < slot->rank; d++)
        if (slot->shape[d] == PTOG_DYN)
            return false;
    return slot->rank > 0;
}

/* Reports that a list has another number of elements than the argument. The fix is the recipe that repeats the
 * numbers, where that would help. */
static void say_misfit(const struct ptog_generated *generated, size_t listed, size_t wanted, ptog_diags *diags)
{
    char message[200];
    size_t size = strlen(generated->name) + strlen(generated->recipe) + sizeof "=repeat:";
    char *better = listed < wanted ? malloc(size) : NULL;
    struct ptog_fix fix = ptog_fix_of_words(better);
    snprintf(message, sizeof message, "%%%.80s has %zu elements, but %zu %s given", generated->name, wanted, listed,
             listed == 1 ? "is" : "are");
    if (better)
        snprintf(better, size, "%s=repeat:%s", generated->name, generated->recipe);
    if (diags)
        ptog_diags_add(diags, &(struct ptog_diag){.id = "run-binding",
                                                  .severity = PTOG_ERROR,
                                                  .refuses = true,
                                                  .message = message,
                                                  .fix = better ? &fix : NULL,
                                                  .fix_count = better != NULL});
    free(better);
}

bool ptog_recipe_fits(struct ptog_generated *generated, ptog_diags *diags)
{
    size_t listed = ptog_recipe_length(generated->recipe);
    size_t size = ptog_dtype_size(generated->dtype ? generated->dtype : PTOG_U8);
    size_t wanted = generated->need / size;
    if (listed == 0 || listed == wanted)
        return true;
    if (listed < wanted || has_known_extents(&generated->slot)) {
        say_misfit(generated, listed, wanted, diags);
        return false;
    }
    generated->need = listed * size; /* a buffer may be larger than what the program touches */
    return true;
}
