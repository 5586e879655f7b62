/* tool: ptog gather and ptog scatter under mpirun: whether all ranks were given the same work. Ranks that read other
 * indices or another table than their neighbours would write a file that is no gather of anything. */
#define _POSIX_C_SOURCE 200809L /* st_mtim */
#include "gather.h"

#include <string.h>
#include <sys/stat.h>

#define MAX_NAME 200 /* bytes of a name in a message */
#define LANES 8      /* words that are hashed at once: a multiplication takes longer than reading them */

/* What has to be the same on all ranks. */
struct gather_digest {
    uint64_t settings; /* mode, policy, one file or several */
    uint64_t index;    /* type, shape and content */
    uint64_t table;    /* type, shape, and which files, or their content */
    uint64_t rows;     /* of a scatter: type, shape and content */
    uint64_t out;      /* the name */
    char index_name[MAX_NAME], table_name[MAX_NAME], rows_name[MAX_NAME], out_name[MAX_NAME];
};

/* The hash with one more number in it. */
static uint64_t mix_hash(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

/* Adds bytes and their number to a hash, and returns it. */
static uint64_t mix_bytes(uint64_t hash, const void *bytes, uint64_t size)
{
    const unsigned char *at = bytes;
    uint64_t word = 0;
    hash = mix_hash(hash, size);
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mix_hash(hash, word);
    }
    word = 0;
    memcpy(&word, at, (size_t)size);
    return mix_hash(hash, word);
}

static uint64_t mix_array(uint64_t hash, const struct tool_npy *array)
{
    hash = mix_hash(mix_hash(hash, (uint64_t)array->kind), array->item);
    return mix_bytes(hash, array->shape, (uint64_t)array->rank * sizeof array->shape[0]);
}

/* Which file it is, by number, size and time, on which machines that share a file system agree; and which of its
 * tensors. */
static uint64_t mix_file(uint64_t hash, const struct gather_part *part)
{
    struct stat info;
    hash = mix_hash(hash, (uint64_t)(part->source.array.data - part->source.map.bytes));
    if (stat(part->source.name.path, &info) != 0)
        return mix_bytes(hash, part->path, strlen(part->path));
    hash = mix_hash(mix_hash(hash, (uint64_t)info.st_ino), (uint64_t)info.st_size);
    return mix_hash(mix_hash(hash, (uint64_t)info.st_mtim.tv_sec), (uint64_t)info.st_mtim.tv_nsec);
}

static uint64_t mix_table(const struct gather_table *table)
{
    uint64_t hash = mix_array(1, &table->array);
    if (table->type)
        hash = mix_bytes(hash, table->type->name, strlen(table->type->name));
    return hash;
}

static uint64_t identity_of(const struct gather_table *table)
{
    uint64_t hash = mix_table(table);
    for (size_t i = 0; i < table->count; i++)
        hash = mix_file(hash, &table->parts[i]);
    return hash;
}

/* The hash with many more bytes in it, several at once. */
static uint64_t mix_content(uint64_t hash, const unsigned char *bytes, uint64_t size)
{
    uint64_t lanes[LANES], words[LANES], at = 0;
    for (uint64_t i = 0; i < LANES; i++)
        lanes[i] = mix_hash(hash, i);
    for (; size - at >= sizeof words; at += sizeof words) {
        memcpy(words, bytes + at, sizeof words);
        for (int i = 0; i < LANES; i++)
            lanes[i] = mix_hash(lanes[i], words[i]);
    }
    return mix_bytes(mix_bytes(hash, lanes, sizeof lanes), bytes + at, size - at);
}

/* Of a table that is a copy on some rank: every byte. */
static uint64_t content_of(const struct gather_table *table)
{
    uint64_t hash = mix_table(table);
    for (size_t i = 0; i < table->count; i++) {
        const struct tool_npy *array = &table->parts[i].source.array;
        hash = mix_content(mix_hash(hash, array->bytes), array->data, array->bytes);
    }
    return hash;
}

/* What all ranks have to agree on, in short: settings, hashes of the files, their names. */
static struct gather_digest digest_of(const struct gather_job *job, const struct gather_output *out)
{
    const struct tool_npy *index = &job->index.array;
    struct gather_digest digest = {.settings = (uint64_t)job->mode << 16 | (uint64_t)job->oob << 8 |
                                               (uint64_t)job->adds << 1 | (uint64_t)job->output_shards,
                                   .index = mix_bytes(mix_array(1, index), index->data, index->bytes),
                                   .table = identity_of(&job->table),
                                   .out = mix_bytes(1, out->path, strlen(out->path))};
    snprintf(digest.index_name, MAX_NAME, "%s", job->index.path);
    snprintf(digest.table_name, MAX_NAME, "%s", job->table.path);
    if (job->rows) {
        const struct tool_npy *rows = &job->rows->array;
        digest.rows = mix_content(mix_array(1, rows), rows->data, rows->bytes);
        snprintf(digest.rows_name, MAX_NAME, "%s", job->rows->path);
    }
    snprintf(digest.out_name, MAX_NAME, "%s", out->path);
    return digest;
}

/* Prints the first thing in which a rank differs from rank 0, and returns the exit status; TOOL_OK: nothing. */
static int compare_digests(const struct gather_job *job, const struct gather_digest *mine,
                           const struct gather_digest *first, int rank)
{
    const char *command = job->command;
    if (mine->settings != first->settings)
        return tool_fail(command, "rank %d has a different --mode, --oob or %s than rank 0", rank,
                         job->rows ? "--add" : "--output-shards");
    if (mine->index != first->index)
        return tool_fail(command,
                         "rank %d has different indices (%s) than rank 0 (%s): give all ranks the same --index", rank,
                         mine->index_name, first->index_name);
    if (mine->table != first->table)
        return tool_fail(command, "rank %d has a different table (%s) than rank 0 (%s): give all ranks the same %s",
                         rank, mine->table_name, first->table_name, job->rows ? "--into" : "--table");
    if (mine->rows != first->rows)
        return tool_fail(command, "rank %d has different rows (%s) than rank 0 (%s): give all ranks the same --from",
                         rank, mine->rows_name, first->rows_name);
    if (mine->out != first->out)
        return tool_fail(command, "rank %d would write %s, but rank 0 %s: give all ranks the same -o", rank,
                         mine->out_name, first->out_name);
    return TOOL_OK;
}

int gather_agree(const struct gather_job *job, const struct gather_output *out, struct tool_ranks *ranks)
{
    const struct ptog_mpi_world *world = &ranks->world;
    struct gather_digest mine = digest_of(job, out), first = mine;
    world->share(&first, sizeof first, 0);
    if (world->largest(mine.table != first.table, NULL)) { /* copies, or different tables */
        mine.table = first.table = content_of(&job->table);
        world->share(&first.table, sizeof first.table, 0);
    }
    return tool_ranks_agree(ranks, compare_digests(job, &mine, &first, world->rank));
}
