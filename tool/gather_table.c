/* tool: the table of ptog gather and ptog scatter: files whose rows follow one another. */
#define _POSIX_C_SOURCE 200809L /* glob, stat, strdup */
#include "gather.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/grow.h"
#include "io/natural.h"

/* ---- which files ---- */

/* Takes over `name` and `path`, which may be NULL: out of memory. */
static bool add_part(struct gather_table *table, struct gather_name name, char *path)
{
    if (!path || !name.path || !tool_reserve(&table->parts, table->count + 1, &table->room)) {
        gather_name_free(&name);
        free(path);
        tool_fail(table->command, "%s: out of memory", table->path);
        return false;
    }
    struct gather_part *part = &table->parts[table->count++];
    *part = (struct gather_part){.path = path};
    return gather_open_name(&part->source, name, path, table->command) &&
           (!table->converts || gather_convert(&part->source));
}

static bool is_there(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static int by_number(const void *a, const void *b)
{
    return tool_natural_compare(*(char *const *)a, *(char *const *)b);
}

/* Prints why no file matches a pattern. A directory that cannot be read may have had a part of the table. */
static void say_no_match(const struct gather_table *table, const char *spec, int error)
{
    int saved = errno;
    if (error == GLOB_NOMATCH)
        tool_fail(table->command, "%s: no file matches", spec);
    else if (error == GLOB_NOSPACE)
        tool_fail(table->command, "%s: out of memory", spec);
    else
        tool_fail(table->command, "%s: a directory of the pattern cannot be read: %s", spec, strerror(saved));
}

/* Every file that matches, with the tensor of the pattern, by the numbers in their names. */
static bool add_matches(struct gather_table *table, const struct gather_name *pattern, const char *spec)
{
    glob_t found = {0};
    int error = glob(pattern->path, GLOB_ERR | GLOB_NOSORT, NULL, &found);
    if (error != 0) {
        say_no_match(table, spec, error);
        globfree(&found);
        return false;
    }
    bool done = true;
    qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, by_number);
    for (size_t i = 0; i < found.gl_pathc && done; i++) {
        struct gather_name name = {.path = strdup(found.gl_pathv[i]), .is_safetensors = pattern->is_safetensors};
        if (pattern->tensor)
            name.tensor = strdup(pattern->tensor);
        done = add_part(table, name, strdup(found.gl_pathv[i]));
    }
    globfree(&found);
    return done;
}

/* FILE.index.json#TENSOR. */
static bool add_indexed(struct gather_table *table, const char *spec, const char *hash)
{
    struct tool_why why;
    char *list = strndup(spec, (size_t)(hash - spec)), *file = NULL;
    if (!list || !gather_index_json(list, hash + 1, &file, &why)) {
        tool_fail(table->command, "%s: %s", spec, list ? why.text : "out of memory");
        free(list);
        return false;
    }
    free(list);
    struct gather_name name = {.path = file, .tensor = strdup(hash + 1), .is_safetensors = true};
    return add_part(table, name, strdup(spec));
}

/* Adds the file or files that --table names: one file, those of an index file, or those that match a pattern. False,
 * with a message, when that fails. */
static bool add_spec(struct gather_table *table, const char *spec)
{
    static const char suffix[] = ".index.json";
    struct gather_name name;
    const char *list = strstr(spec, suffix), *hash = list ? list + strlen(suffix) : NULL;
    if (hash && *hash == '#')
        return add_indexed(table, spec, hash);
    if (hash && *hash == '\0') {
        tool_fail(table->command, "%s: choose a tensor: %s#TENSOR", spec, spec);
        return false;
    }
    if (!gather_name_read(&name, spec) || !strpbrk(name.path, "*?[") || is_there(name.path))
        return add_part(table, name, strdup(spec));
    bool done = add_matches(table, &name, spec);
    gather_name_free(&name);
    return done;
}

/* ---- what they make together ---- */

/* Prints that two parts of a table cannot be concatenated; always false. */
static bool say_differ(const struct gather_table *table, const struct gather_part *a, const struct gather_part *b)
{
    char one[24], other[24], row[TOOL_SHAPE_NAME], rows[TOOL_SHAPE_NAME];
    const struct tool_npy *x = &a->source.array, *y = &b->source.array;
    tool_npy_type_name(one, x);
    tool_npy_type_name(other, y);
    tool_shape_name(row, x->rank > 0 ? x->rank - 1 : 0, x->shape + 1);
    tool_shape_name(rows, y->rank > 0 ? y->rank - 1 : 0, y->shape + 1);
    tool_fail(table->command, "%s: holds rows of %s %s, but %s holds %s %s: they cannot be concatenated", b->path,
              other, rows, a->path, one, row);
    return false;
}

/* Whether two parts of a table have rows of the same type and shape; prints where not. */
static bool rows_match(const struct gather_table *table, const struct gather_part *a, const struct gather_part *b)
{
    const struct tool_npy *x = &a->source.array, *y = &b->source.array;
    bool same = x->kind == y->kind && x->item == y->item && x->rank == y->rank && x->rank > 0 &&
                a->source.type == b->source.type;
    for (int d = 1; d < x->rank && same; d++)
        same = x->shape[d] == y->shape[d];
    return same || say_differ(table, a, b);
}

/* The whole, as if it were one array. */
static bool join_shards(struct gather_table *table)
{
    const struct gather_part *first = &table->parts[0];
    table->array = first->source.array;
    table->type = first->source.type;
    table->tensor = first->source.name.tensor;
    table->is_mapped = first->source.map.mapped;
    for (size_t i = 1; i < table->count; i++) {
        const struct gather_part *part = &table->parts[i];
        if (!rows_match(table, first, part))
            return false;
        table->is_mapped = table->is_mapped && part->source.map.mapped;
        if (__builtin_add_overflow(table->array.shape[0], part->source.array.shape[0], &table->array.shape[0])) {
            tool_fail(table->command, "%s: the rows of all files do not fit in 63 bits", part->path);
            return false;
        }
        table->array.bytes += part->source.array.bytes;
        table->array.data = NULL;
    }
    return true;
}

void gather_table_place(struct gather_table *table, enum ptog_coalesce mode)
{
    uint64_t first = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct tool_npy *array = &table->parts[i].source.array;
        table->parts[i].first = first;
        table->parts[i].count = mode == PTOG_ROW ? (uint64_t)array->shape[0] : array->bytes / array->item;
        first += table->parts[i].count;
    }
}

bool gather_table_open(struct gather_table *table, const struct gather_specs *specs)
{
    *table = (struct gather_table){.path = specs->list[0], .command = specs->command, .converts = specs->converts};
    for (size_t i = 0; i < specs->count; i++)
        if (!add_spec(table, specs->list[i]))
            return false;
    return join_shards(table);
}

enum ptog_dtype gather_table_type(const struct gather_table *table)
{
    static const struct {
        const char *name;
        enum ptog_dtype dtype;
    } small[] = {{"BF16", PTOG_BF16}, {"F8_E4M3", PTOG_F8E4M3}, {"F8_E5M2", PTOG_F8E5M2}};
    for (size_t i = 0; table->type && i < sizeof small / sizeof small[0]; i++)
        if (strcmp(table->type->name, small[i].name) == 0)
            return small[i].dtype;
    return tool_npy_dtype(&table->array);
}

void gather_table_close(struct gather_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        gather_close(&table->parts[i].source);
        free(table->parts[i].path);
    }
    free(table->parts);
    *table = (struct gather_table){0};
}
