/* sanitize: findings: what will be reported, one for each fault, place and other place, with a count. */
#include "sanitize/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
void ptog_findings_free(struct ptog_findings *findings)
{
    ptog_arena_free(&findings->arena);
    free(findings->of);
    ptog_index_free(&findings->index);
    *findings = (struct ptog_findings){0};
}

static uint32_t hash_of(const struct ptog_finding_key *key)
{
    uint64_t h = key->site * 0x9E3779B97F4A7C15u ^ key->other * 0xC2B2AE3D27D4EB4Fu;
    h ^= (uint64_t)key->pipe << 8 ^ (uint64_t)key->other_pipe << 16 ^ (uint64_t)key->operand << 24;
    h = (h ^ key->kind) * 1099511628211u;
    return (uint32_t)(h >> 20);
}

static bool is_key(const struct ptog_finding_key *a, const struct ptog_finding_key *b)
{
    return a->site == b->site && a->other == b->other && a->pipe == b->pipe && a->other_pipe == b->other_pipe &&
           a->operand == b->operand && a->kind == b->kind;
}

/* The finding with this key; NULL when there is none. */
static struct ptog_finding *find(const struct ptog_findings *findings, const struct ptog_finding_key *key)
{
    const struct ptog_index_slot *slot = ptog_index_first(&findings->index, hash_of(key));
    for (; slot; slot = ptog_index_next(&findings->index, slot))
        if (is_key(&findings->of[slot->number - 1].key, key))
            return &findings->of[slot->number - 1];
    return NULL;
}

/* A new element at the end; NULL when out of memory. */
static struct ptog_finding *add(struct ptog_findings *findings, const struct ptog_finding_key *key)
{
    if (!ptog_array_reserve(&findings->of, findings->count + 1, &findings->room) ||
        !ptog_index_add(&findings->index, hash_of(key), (uint32_t)findings->count + 1)) {
        findings->failed = true;
        return NULL;
    }
    return &findings->of[findings->count++];
}

struct ptog_finding *ptog_findings_note(struct ptog_findings *findings, const struct ptog_finding_key *key,
                                        const char *id, enum ptog_severity severity, uint64_t insn, uint64_t count,
                                        bool *fresh)
{
    struct ptog_finding *known = find(findings, key);
    *fresh = false;
    if (known) {
        if (findings->noted && (known->last != insn || insn == UINT64_MAX)) /* a deadlock is of no instruction */
            findings->noted(findings->user, known, severity);
        known->count += count ? count : known->last != insn;
        known->last = insn;
        return known;
    }
    struct ptog_finding *made = add(findings, key);
    if (!made)
        return NULL;
    *made = (struct ptog_finding){
        .key = *key, .id = id, .severity = severity, .insn = insn, .last = insn, .count = count ? count : 1};
    *fresh = true;
    if (findings->noted)
        findings->noted(findings->user, made, severity);
    return made;
}

struct ptog_finding *ptog_findings_machine(struct ptog_findings *findings, enum ptog_machine_fault_kind kind,
                                           struct ptog_finding_key key, uint64_t insn, uint64_t count, bool *fresh)
{
    const struct ptog_machine_fault *row = ptog_machine_fault_at(kind);
    key.kind = (uint16_t)(PTOG_DIAG_OTHER + 1 + kind);
    struct ptog_finding *found = ptog_findings_note(findings, &key, row->id, row->severity, insn, count, fresh);
    if (found && *fresh)
        found->documented = row->documented;
    return found;
}

const char *ptog_findings_text(struct ptog_findings *findings, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *copy = ptog_arena_copy(&findings->arena, text, n < 0 ? 0 : strlen(text));
    if (!copy)
        findings->failed = true;
    return copy ? copy : "";
}
