/* tool: the arguments of ptog run that name data: NAME=f.npy, NAME=16x32:f.npy, NAME=in.npy:out.npy, NAME=7. */
#include "run.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const option_names[] = {"--in", "--out", "--inout", "--set", "--dump", "--show"};
static const char *const expected[] = {
    "NAME=FILE", "NAME=16x32:FILE or NAME=FILE", "NAME=IN:OUT", "NAME=N, such as 7, 0x10 or 2.5", "TILE=FILE", "NAME"};

/* Prints what an option expects instead of its value; always false. */
static bool refuse_item(const struct run_item *item, const char *text)
{
    tool_usage(item->command, "%s %s: expected %s", option_names[item->kind], text, expected[item->kind]);
    return false;
}

bool run_is_taken(const struct run_item *item)
{
    return item->kind == RUN_DUMP || item->kind == RUN_SHOW;
}

bool run_number(const char *text, int64_t *number)
{
    const char *digits = text + (text[0] == '-');
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end;
    if (!isdigit((unsigned char)digits[0]))
        return false;
    errno = 0;
    long long value = strtoll(text, &end, hex ? 16 : 10);
    *number = value;
    return *end == '\0' && end > text && errno == 0;
}

/* 2.5, -1e-3: with a point or an exponent, and not infinite. */
static bool take_real(const char *text, double *real)
{
    char *end;
    if (text[strspn(text, "+-.0123456789eE")] != '\0')
        return false;
    *real = strtod(text, &end);
    return end > text && *end == '\0' && strpbrk(text, ".eE") && *real - *real == 0;
}

/* Nobody has a file of that name: -1x8:f.npy, ?x8:f.npy, 8,8:f.npy, 16x:f.npy. */
static bool looks_like_shape(const char *text)
{
    size_t length = strspn(text, "0123456789xX?*,- ");
    return strcspn(text, "0123456789?*") < length && text[length] == ':';
}

/* shape ::= number {'x' number}: takes it from *text, when it is there, and the ':' after it. 1: taken, 0: there is
 * none, -1: after a message. */
static int take_shape(struct run_item *item, char **text, const char *whole)
{
    char *at = *text;
    int rank = 0;
    int64_t shape[5] = {0};
    while (isdigit((unsigned char)*at)) {
        errno = 0;
        long long extent = strtoll(at, &at, 10);
        if (rank == 5 || errno != 0)
            return tool_usage(item->command, "--out %s: %s", whole,
                              rank == 5 ? "at most 5 dimensions" : "an extent is too large"),
                   -1;
        shape[rank++] = extent;
        if (*at != 'x' || !isdigit((unsigned char)at[1]))
            break;
        at++;
    }
    bool shaped = rank > 0 && (*at == ':' || *at == '\0');
    if (!shaped && !looks_like_shape(*text))
        return 0;
    if (!shaped || *at == '\0')
        return refuse_item(item, whole), -1;
    item->rank = rank;
    memcpy(item->shape, shape, sizeof shape);
    *text = at + 1;
    return 1;
}

/* Reads what follows NAME= of an item: a number, files, a shape or a recipe. */
static bool take_paths(struct run_item *item, char *rest, const char *text)
{
    char *colon = strchr(rest, ':');
    if (item->kind == RUN_SET)
        return run_number(rest, &item->number) || take_real(rest, &item->real) || refuse_item(item, text);
    if (item->kind == RUN_OUT && take_shape(item, &rest, text) < 0)
        return false;
    if (item->kind == RUN_IN && run_is_recipe(rest))
        item->recipe = rest;
    else if (item->kind == RUN_IN || item->kind == RUN_INOUT)
        item->from = rest;
    if (item->kind == RUN_OUT || item->kind == RUN_DUMP)
        item->to = rest;
    if (item->kind == RUN_INOUT) {
        if (!colon || colon == rest || colon[1] == '\0')
            return refuse_item(item, text);
        *colon = '\0';
        item->to = colon + 1;
    }
    return rest[0] != '\0' || refuse_item(item, text);
}

struct run_item *run_new_item(struct run_items *items)
{
    if (!tool_reserve(&items->list, items->count + 1, &items->room))
        return NULL;
    items->list[items->count] = (struct run_item){.command = items->command};
    return &items->list[items->count];
}

bool run_take(void *user, const char *text, int kind)
{
    struct run_items *items = user;
    struct run_item *item = run_new_item(items);
    char *copy = malloc(strlen(text) + 1);
    if (!item || !copy) {
        free(copy);
        tool_fail(items->command, "out of memory");
        return false;
    }
    items->count++;
    item->kind = (enum run_kind)kind;
    item->copy = strcpy(copy, text);
    item->name = copy + (copy[0] == '%');
    char *equals = strchr(copy, '=');
    if (item->kind == RUN_SHOW) {
        item->to = "-";
        return (!equals && item->name[0] != '\0') || refuse_item(item, text);
    }
    if (!equals || equals == item->name)
        return refuse_item(item, text);
    *equals = '\0';
    return take_paths(item, equals + 1, text);
}

/* The path of an output that goes nowhere. */
static bool without_file(struct run_items *items, const char *text)
{
    if (!run_take(items, text, RUN_OUT))
        return false;
    items->list[items->count - 1].to = NULL;
    return true;
}

bool run_add_out(struct run_items *items, const char *name)
{
    char text[300];
    snprintf(text, sizeof text, "%.280s=-", name);
    return without_file(items, text);
}

bool run_take_shape(void *user, const char *text, int kind)
{
    struct run_items *items = user;
    char with_file[300];
    (void)kind;
    if (!strchr(text, '=') || strchr(text, ':') || strlen(text) > 280)
        return tool_usage(items->command, "--out %s: expected NAME=16x32", text), false;
    snprintf(with_file, sizeof with_file, "%.280s:-", text);
    if (!without_file(user, with_file))
        return false;
    return items->list[items->count - 1].rank > 0 ||
           (tool_usage(items->command, "--out %s: expected NAME=16x32", text), false);
}

void run_items_free(struct run_items *items)
{
    for (size_t i = 0; i < items->count; i++) {
        free(items->list[i].copy);
        free(items->list[i].file);
    }
    free(items->list);
    ptog_inputs_free(items->inputs);
    *items = (struct run_items){0};
}

/* ---- all together ---- */

static bool is_stream(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static int by_item_name(const void *a, const void *b)
{
    return strcmp((*(const struct run_item *const *)a)->name, (*(const struct run_item *const *)b)->name);
}

/* A program may have tens of thousands of arguments: names are sorted, and the same one twice stands together. */
static bool names_agree(const struct run_items *items)
{
    const struct run_item **sorted = malloc((items->count + 1) * sizeof *sorted);
    size_t count = 0;
    if (!sorted)
        return tool_fail(items->command, "out of memory"), false;
    for (size_t i = 0; i < items->count; i++)
        if (!run_is_taken(&items->list[i]))
            sorted[count++] = &items->list[i];
    qsort(sorted, count, sizeof *sorted, by_item_name);
    const char *twice = NULL;
    for (size_t i = 1; i < count && !twice; i++)
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
            twice = sorted[i]->name;
    free(sorted);
    return !twice || (tool_usage(items->command, "%%%s is given twice", twice), false);
}

static bool files_agree(const struct run_item *a, const struct run_item *b)
{
    if (a->to && b->to && strcmp(a->to, b->to) == 0 && !(a->kind == RUN_SHOW && b->kind == RUN_SHOW))
        return tool_usage(a->command, "%s would be written twice", a->to), false;
    if (is_stream(a->from) && is_stream(b->from))
        return tool_usage(a->command, "standard input can be read only once"), false;
    return true;
}

bool run_items_agree(const struct run_items *items, const char *path, enum tool_format format)
{
    for (size_t i = 0; i < items->count; i++) {
        const struct run_item *item = &items->list[i];
        if (is_stream(item->from) && is_stream(path))
            return tool_usage(items->command, "standard input can be read only once"), false;
        if (item->to && path && strcmp(item->to, path) == 0 && !is_stream(path))
            return tool_usage(items->command, "%s is the program and would be overwritten", path), false;
        if (is_stream(item->to) && format != TOOL_TEXT)
            return tool_usage(items->command, "%s and data cannot both go to standard output",
                              format == TOOL_JSON ? "--format json" : "--format sarif"),
                   false;
        for (size_t j = 0; j < i && (item->from || item->to); j++)
            if (!files_agree(&items->list[j], item))
                return false;
    }
    return names_agree(items);
}
