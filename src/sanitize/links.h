/* sanitize: cores that wait for each other. Each of them has clocks and shadows of its own, and knows of every other
 * core up to which of its entries everything is complete:
 *
 *     AIC    tstore (FIX 7)   cross set on FIX: "of me, FIX is complete up to 7" --.
 *     AIV0                                        cross wait: heard[1] = that  <---'   tload: FIX 7 of AIC is complete
 *
 * What S has heard grows from wait to wait, so a number tells what a pipe knows: the clock of its entry counts the
 * waits of S before it (struct ptog_clock, heard). Where a single pipe waits, its own waits are counted beside those of S,
 * and flags hand on all these numbers. An access of global memory is compared with the shadows of all other
 * cores: what they have done there and the entry does not know of is a race. So is an access of memory of a core that
 * others of its block write: each of those has a shadow of what it has written there, the core itself that of its own
 * memory. */
#ifndef PTOG_SANITIZE_LINKS_H
#define PTOG_SANITIZE_LINKS_H

#include "model/events.h"
#include "sanitize/shadow.h"

struct ptog_sanitizer;
struct ptog_sanitizer_shared;

/* What somebody knows of a core: entries that are complete, and, of S, which reads without a number, instructions. */
struct ptog_core_seen {
    struct ptog_clock clock;
    uint32_t step;
};

/* ... of all cores, by serial number, less 1. Start with zeros. */
struct ptog_cores_seen {
    struct ptog_core_seen *of;
    uint32_t count;
    size_t room;
};

/* Adds what `from` knows. False when out of memory. */
bool ptog_seen_join(struct ptog_cores_seen *to, const struct ptog_cores_seen *from);
void ptog_seen_free(struct ptog_cores_seen *seen);

/* What a pipe, or S, knows after its first wait for another core, its second, ... */
struct ptog_heard {
    struct ptog_cores_seen *of;
    uint32_t count;
    size_t room;
};

struct ptog_links {
    struct ptog_heard heard[PTOG_PIPES];
    struct ptog_shadow *gm; /* of this core alone, by buffer */
    int gm_count;
    struct ptog_shadow peers[PTOG_PEERS]; /* what it has written in memory of others of its block; without pages: nothing */
    size_t gm_room;
};

/* The shadow of what a core writes in memory of another one, made when it is first needed; NULL when out of memory. */
struct ptog_shadow *ptog_links_peer(struct ptog_sanitizer *s, int peer);

/* A core of a linked launch joins the others, and leaves them. */
bool ptog_links_open(struct ptog_sanitizer *s);
void ptog_links_close(struct ptog_sanitizer *s);

/* A buffer of global memory was added: the cores of a linked launch that are open get a shadow of it. False when out of
 * memory. */
bool ptog_links_add_buffers(struct ptog_sanitizer_shared *shared);

/* What a set for other cores hands on: of an entry of `pipe` that has just been executed, in instruction `step`.
 * Joined to *seen; false when out of memory. */
bool ptog_links_hand_on(const struct ptog_sanitizer *s, enum ptog_pipe pipe, uint32_t step,
                        struct ptog_cores_seen *seen);

/* S, or a pipe when it comes to a wait that is issued now, goes on after it has waited for that. False when out of
 * memory. */
bool ptog_links_hear(struct ptog_sanitizer *s, enum ptog_pipe pipe, const struct ptog_cores_seen *seen);

/* The races of an access with other cores: in global memory, or in memory that another core writes, too. */
void ptog_links_judge(struct ptog_sanitizer *s, const struct ptog_event *event, const struct ptog_access *access);

/* Whether another core has written bytes of this one. */
bool ptog_links_is_sent(const struct ptog_sanitizer *s, uint64_t at, uint64_t bytes);

/* left_sets.c: at the end, a counter of this core that was set and never waited for: races that the wait would have
 * ordered say so. */
void ptog_links_left(struct ptog_sanitizer *s, int counter, uint32_t set_site, const struct ptog_cores_seen *seen);

/* The same at the end of a core that has waited for no other one: where it reads what another core writes, in a
 * statement that stands before the read, the read is what comes too early. */
void ptog_links_unheard(struct ptog_sanitizer *s);

/* Bytes allocated for the shadows of global memory of one core. */
uint64_t ptog_links_held(const struct ptog_sanitizer *s);

#endif
