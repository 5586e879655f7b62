/* base: the lines of authors' own files that a list of diagnostics shows. The caller reads the files; the list finds
 * the lines that its entries come from. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/diag_list.h"
#include "base/pick.h"

#define MAX_QUOTED 8000 /* bytes of a line */

/* Calls `visit` for each origin of an entry, also of its related places. The origins are the list's own copies. */
static bool visit_origins(ptog_diags *diags, const struct ptog_diag *entry, const void *user,
                          bool (*visit)(ptog_diags *diags, struct ptog_where *where, const void *user))
{
    bool good = true;
    for (size_t i = 0; i <= entry->related_count; i++) {
        const struct ptog_where *where = i == 0 ? &entry->where : &entry->related[i - 1].where;
        for (const struct ptog_where *origin = where->origin; origin; origin = origin->origin)
            good = visit(diags, (struct ptog_where *)(uintptr_t)origin, user) && good;
    }
    return good;
}

/* Adds the file of a place to those whose text is wanted, each once. */
static bool list_file(ptog_diags *diags, struct ptog_where *where, const void *unused)
{
    (void)unused;
    for (size_t i = 0; i < diags->file_count; i++)
        if (strcmp(diags->files[i], where->file) == 0)
            return true;
    if (diags->file_count < PTOG_MAX_AUTHOR_FILES)
        diags->files[diags->file_count++] = where->file;
    return true;
}

void ptog_diags_list_files(ptog_diags *diags, const struct ptog_diag *entry)
{
    visit_origins(diags, entry, NULL, list_file);
}

const char *ptog_diags_file_at(const ptog_diags *diags, size_t i)
{
    return diags && i < diags->file_count ? diags->files[i] : NULL;
}

/* ---- quoting */

struct quoted_file {
    const char *name, *text;
    size_t *starts; /* of each line, and of one after the last */
    size_t count;   /* of lines */
};

/* Lists where the lines of a file's text start. False when out of memory. */
static bool find_lines(struct quoted_file *file, size_t bytes)
{
    size_t room = 0;
    for (size_t at = 0; at <= bytes;) {
        const char *newline = at < bytes ? memchr(file->text + at, '\n', bytes - at) : NULL;
        if (!ptog_array_reserve(&file->starts, file->count + 2, &room))
            return false;
        file->starts[file->count++] = at;
        at = newline ? (size_t)(newline - file->text) + 1 : bytes + 1;
        file->starts[file->count] = at;
    }
    return true;
}

/* Gives a place the text of its line, if it is in this file and has none. False when out of memory. */
static bool quote_line(ptog_diags *diags, struct ptog_where *where, const void *user)
{
    const struct quoted_file *file = user;
    if (where->text || where->line == 0 || where->line > file->count || strcmp(where->file, file->name) != 0)
        return true;
    size_t start = file->starts[where->line - 1], length = file->starts[where->line] - start - 1;
    length = ptog_min(length, MAX_QUOTED);
    while (length > 0 && file->text[start + length - 1] == '\r')
        length--;
    where->text = ptog_arena_copy(&diags->arena, file->text + start, length);
    return where->text != NULL;
}

bool ptog_diags_quote(ptog_diags *diags, const char *name, const char *text, size_t bytes)
{
    struct quoted_file file = {.name = name, .text = text};
    if (!diags || !name || !text)
        return true;
    bool good = find_lines(&file, bytes);
    for (size_t i = 0; good && i < diags->count; i++)
        good = visit_origins(diags, diags->entries[i], &file, quote_line);
    free(file.starts);
    return good;
}
