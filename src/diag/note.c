/* diag: diagnostics of a simulated run. The same key is the same entry: an index by hash finds it. */
#include "diag/note.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

static uint32_t hash_key(const struct ptog_diag_key *key)
{
    uint64_t h = key->site * 0x9E3779B97F4A7C15u ^ key->other * 0xC2B2AE3D27D4EB4Fu;
    h ^= (uint64_t)key->pipe << 8 ^ (uint64_t)key->other_pipe << 16 ^ (uint64_t)key->operand << 24;
    h = (h ^ key->kind) * 1099511628211u;
    return (uint32_t)(h >> 20);
}

static bool is_key(const struct ptog_diag_key *a, const struct ptog_diag_key *b)
{
    return a->site == b->site && a->other == b->other && a->pipe == b->pipe && a->other_pipe == b->other_pipe &&
           a->operand == b->operand && a->kind == b->kind;
}

/* The entry with this key; NULL when there is none. */
static struct ptog_diag_entry *find_entry(const struct ptog_diag_list *list, const struct ptog_diag_key *key)
{
    const struct ptog_index_slot *slot = ptog_index_first(&list->index, hash_key(key));
    for (; slot; slot = ptog_index_next(&list->index, slot))
        if (is_key(&list->list[slot->number - 1].key, key))
            return &list->list[slot->number - 1];
    return NULL;
}

/* A new entry at the end, in the index, not filled in; NULL when out of memory, and the list says so. */
static struct ptog_diag_entry *add_entry(struct ptog_diag_list *list, const struct ptog_diag_key *key)
{
    if (!ptog_array_reserve(&list->list, list->count + 1, &list->room) ||
        !ptog_index_add(&list->index, hash_key(key), list->count + 1)) {
        list->no_memory = true;
        return NULL;
    }
    return &list->list[list->count++];
}

/* Counts an entry that was noted before, and tells list->noted once for an instruction. */
static void note_again(struct ptog_diag_list *list, struct ptog_diag_entry *entry, enum ptog_severity severity,
                       uint64_t insn, uint64_t count)
{
    if (list->noted && (entry->last != insn || insn == UINT64_MAX)) /* a deadlock is of no instruction */
        list->noted(list->user, entry, severity);
    entry->diag.count += count ? count : entry->last != insn;
    entry->last = insn;
}

struct ptog_diag_entry *ptog_diag_note(struct ptog_diag_list *list, const struct ptog_diag_key *key, const char *id,
                                       enum ptog_severity severity, uint64_t insn, uint64_t count, bool *fresh)
{
    struct ptog_diag_entry *entry = find_entry(list, key);
    *fresh = !entry;
    if (entry) {
        note_again(list, entry, severity, insn, count);
        return entry;
    }
    entry = add_entry(list, key);
    if (!entry)
        return NULL;
    *entry = (struct ptog_diag_entry){
        .diag = {.id = id, .kind = key->kind, .severity = severity, .count = count ? count : 1},
        .key = *key,
        .insn = insn,
        .last = insn};
    if (list->noted)
        list->noted(list->user, entry, severity);
    return entry;
}

struct ptog_diag_entry *ptog_diag_note_machine(struct ptog_diag_list *list, enum ptog_machine_fault_kind kind,
                                               struct ptog_diag_key key, uint64_t insn, uint64_t count, bool *fresh)
{
    const struct ptog_machine_fault *row = ptog_machine_fault_at(kind);
    key.kind = (uint16_t)(PTOG_DIAG_OTHER + 1 + kind);
    struct ptog_diag_entry *entry = ptog_diag_note(list, &key, row->id, row->severity, insn, count, fresh);
    if (entry && *fresh)
        entry->diag.documented = row->documented;
    return entry;
}

void ptog_diag_raise(struct ptog_diag_entry *entry, enum ptog_severity severity)
{
    if (severity > entry->diag.severity)
        entry->diag.severity = severity;
}

/* A formatted text that lives as long as the list; "", and list->no_memory, when out of memory. */
const char *ptog_diag_text(struct ptog_diag_list *list, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *copy = ptog_arena_copy(&list->arena, text, n < 0 ? 0 : strlen(text));
    if (!copy)
        list->no_memory = true;
    return copy ? copy : "";
}
