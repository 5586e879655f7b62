/* sanitize: what events only carry numbers for: sites (a place and the instruction there) and tiles. Numbers start
 * at 1. */
#ifndef PTOG_SANITIZE_NAMES_H
#define PTOG_SANITIZE_NAMES_H

#include "base/arena.h"
#include "base/index.h"
#include "model/events.h"

struct ptog_site {
    struct ptog_where where;
    const char *name; /* "tload", "set_flag", ... */
    uint64_t runs;    /* how often it was come to */
    bool is_fifo;     /* it pushes to a FIFO, or pops from it */
    uint32_t next;    /* the place that came after this one when it was last here; 0: none yet */
    /* What the user calls its operands, "%idx"; NULL: nobody said. `given` is what the copy was made of. */
    const char *operands[PTOG_AT_COUNT], *given[PTOG_AT_COUNT];
};

struct ptog_tile_seen {
    uint64_t addr, bytes;
    uint64_t reach; /* the same, but of a part of a tile only up to its last valid byte: it ends inside the whole */
    enum ptog_dtype dtype;
    int64_t rows, cols;
    const char *operand;
    uint32_t first, last, writer; /* sites: of the first and last use, of the last write */
    uint64_t uses;
    bool is_static;
    uint8_t written_as; /* an enum ptog_operand_name: what it is to the last writer */
    enum ptog_tile_order order;
    int64_t valid_row, valid_col;
};

struct ptog_names {
    struct ptog_arena arena;
    struct ptog_site *sites;
    struct ptog_tile_seen *tiles;
    uint32_t site_count, tile_count;
    size_t site_room, tile_room;
    struct ptog_index site_index; /* by place and instruction */
    struct ptog_index tile_index; /* by address and bytes */
    uint32_t last_site;
};

void ptog_names_free(struct ptog_names *names);

/* The number of a site / tile, new or known; 0 when out of memory. `name` and `operand` are constants. A tile that is
 * preset has the site 0 until an instruction uses it. */
uint32_t ptog_names_site(struct ptog_names *names, const struct ptog_where *where, const char *name);

/* The site pushes to a FIFO, or pops from it. */
void ptog_names_mark_fifo(struct ptog_names *names, uint32_t site);

/* The same for a site whose number the caller has kept. */
uint32_t ptog_names_site_again(struct ptog_names *names, uint32_t site);
uint32_t ptog_names_tile(struct ptog_names *names, const struct ptog_tile *tile, const char *operand, uint32_t site);

/* Keeps the user's name of an operand of the instruction at a site; NULL changes nothing. False when out of memory. */
bool ptog_names_operand(struct ptog_names *names, uint32_t site, enum ptog_operand_name operand, const char *given);

/* What messages call the instruction at a site, and an operand of it: the user's name, or "the index tile". */
const char *ptog_names_insn(const struct ptog_names *names, uint32_t site);
const char *ptog_names_words(const struct ptog_names *names, uint32_t site, enum ptog_operand_name operand);

/* "tload of %idx", and "tload" where the user gave the operand no name. Writes into `words`, and returns it. */
#define PTOG_INSN_WORDS 128
const char *ptog_names_insn_of(const struct ptog_names *names, struct ptog_operand_at at, char words[PTOG_INSN_WORDS]);

/* What the user calls a tile, as the first instruction that used it has it: "%idx"; NULL: nobody said. */
const char *ptog_names_tile_given(const struct ptog_names *names, const struct ptog_tile_seen *tile);

/* NULL for 0. */
const struct ptog_site *ptog_names_site_at(const struct ptog_names *names, uint32_t site);
struct ptog_tile_seen *ptog_names_tile_at(const struct ptog_names *names, uint32_t tile);

#endif
