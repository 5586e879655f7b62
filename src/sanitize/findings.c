/* sanitize: findings. */
#include "sanitize/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BUCKETS ((size_t)64)

void ptog_findings_free(struct ptog_findings *findings)
{
    ptog_arena_free(&findings->arena);
    free(findings->of);
    free(findings->buckets);
    *findings = (struct ptog_findings){0};
}

static size_t hash_of(const struct ptog_finding_key *key)
{
    uint64_t h = key->site * 0x9E3779B97F4A7C15u ^ key->other * 0xC2B2AE3D27D4EB4Fu;
    h ^= (uint64_t)key->pipe << 8 ^ (uint64_t)key->other_pipe << 16 ^ (uint64_t)key->operand << 24;
    for (const char *p = key->id; *p; p++)
        h = (h ^ (unsigned char)*p) * 1099511628211u;
    return (size_t)(h >> 20);
}

static bool is_key(const struct ptog_finding_key *a, const struct ptog_finding_key *b)
{
    return a->site == b->site && a->other == b->other && a->pipe == b->pipe && a->other_pipe == b->other_pipe &&
           a->operand == b->operand && strcmp(a->id, b->id) == 0;
}

static bool rehash(struct ptog_findings *findings)
{
    size_t count = findings->bucket_count ? findings->bucket_count * 2 : FIRST_BUCKETS;
    uint32_t *buckets = calloc(count, sizeof *buckets);
    if (!buckets)
        return false;
    for (size_t i = 0; i < findings->count; i++) {
        size_t b = hash_of(&findings->of[i].key) % count;
        while (buckets[b])
            b = (b + 1) % count;
        buckets[b] = (uint32_t)i + 1;
    }
    free(findings->buckets);
    findings->buckets = buckets;
    findings->bucket_count = count;
    return true;
}

static bool reserve(struct ptog_findings *findings)
{
    if (findings->count * 2 >= findings->bucket_count && !rehash(findings))
        return false;
    if (findings->count < findings->room)
        return true;
    size_t room = findings->room ? findings->room * 2 : 32;
    struct ptog_finding *of = realloc(findings->of, room * sizeof *of);
    if (!of)
        return false;
    findings->of = of;
    findings->room = room;
    return true;
}

struct ptog_finding *ptog_findings_note(struct ptog_findings *findings, const struct ptog_finding_key *key,
                                        enum ptog_severity severity, uint64_t insn, uint64_t count, bool *fresh)
{
    *fresh = false;
    if (!reserve(findings)) {
        findings->failed = true;
        return NULL;
    }
    size_t b = hash_of(key) % findings->bucket_count;
    for (; findings->buckets[b]; b = (b + 1) % findings->bucket_count) {
        struct ptog_finding *known = &findings->of[findings->buckets[b] - 1];
        if (!is_key(&known->key, key))
            continue;
        if (findings->noted && (known->last != insn || insn == UINT64_MAX)) /* a deadlock is of no instruction */
            findings->noted(findings->user, key, severity);
        known->count += count ? count : known->last != insn;
        known->last = insn;
        return known;
    }
    struct ptog_finding *made = &findings->of[findings->count];
    *made = (struct ptog_finding){
        .key = *key, .severity = severity, .insn = insn, .last = insn, .count = count ? count : 1};
    findings->buckets[b] = (uint32_t)++findings->count;
    *fresh = true;
    if (findings->noted)
        findings->noted(findings->user, key, severity);
    return made;
}

struct ptog_finding *ptog_findings_machine(struct ptog_findings *findings, enum ptog_machine_fault_kind kind,
                                           struct ptog_finding_key key, uint64_t insn, uint64_t count, bool *fresh)
{
    const struct ptog_machine_fault *row = ptog_machine_fault_at(kind);
    key.id = row->id;
    struct ptog_finding *found = ptog_findings_note(findings, &key, row->severity, insn, count, fresh);
    if (found && *fresh)
        found->seed = row->seed;
    return found;
}

const char *ptog_findings_text(struct ptog_findings *findings, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t length = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    const char *copy = ptog_arena_copy(&findings->arena, text, length);
    if (!copy)
        findings->failed = true;
    return copy ? copy : "";
}
