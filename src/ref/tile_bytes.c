/* ref: elements of tiles in the buffers of a run, with bounds. */
#include "ref/tile_bytes.h"

#include <string.h>

#include "model/buffers.h"
#include "ref/lane.h"

static unsigned char *find_element(const struct ptog_ref_tiles *tiles, int operand, int64_t at, size_t size)
{
    const struct ptog_operand_row *row = &ptog_insn_row(tiles->known->insn.opcode)->of[operand];
    struct ptog_buf buffer = ptog_run_buffer(tiles->run, row);
    if (at < 0 || (uint64_t)at > buffer.bytes || buffer.bytes - (uint64_t)at < size)
        return NULL;
    return (unsigned char *)buffer.data + at;
}

/* Reads an element of an operand's buffer; false, and bytes that nobody may rely on, when it is not there. */
static bool get_element(void *where, int operand, int64_t at, size_t size, uint64_t *bits)
{
    const unsigned char *from = find_element(where, operand, at, size);
    memset(bits, PTOG_NO_DATA, sizeof *bits);
    if (!from)
        return false;
    *bits = 0;
    memcpy(bits, from, size);
    return true;
}

static bool put_element(void *where, int operand, int64_t at, size_t size, uint64_t bits)
{
    unsigned char *to = find_element(where, operand, at, size);
    if (to)
        memcpy(to, &bits, size);
    return to != NULL;
}

struct ptog_tile_bytes ptog_ref_bytes(struct ptog_ref_tiles *tiles, struct ptog_fault *fault)
{
    return (struct ptog_tile_bytes){.where = tiles, .get = get_element, .put = put_element, .fault = fault};
}
