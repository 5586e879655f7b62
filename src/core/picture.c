/* core: pictures of instructions in a trace. */
#include "core/picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pick.h"
#include "draw/draw.h"
#include "model/buffers.h"
#include "model/cube/memories.h"
#include "model/tensor.h"

#define MAX_VIEW_BYTES ((uint64_t)16 << 20) /* a larger view is not drawn */

/* ---- bytes of its operands */

/* A copy of what a tile holds, as far as it lies in the core's memory. Sets picture->no_memory when it cannot. */
static struct ptog_buf copy_tile(struct ptog_insn_picture *picture, struct ptog_core *core,
                                 const struct ptog_tile *tile)
{
    int64_t wanted = ptog_tile_bytes(tile);
    uint64_t bytes = wanted > 0 ? ptog_ub_cut(&core->issued, tile->addr, (uint64_t)wanted) : 0;
    struct ptog_buf copy = {ptog_arena_alloc(&picture->bytes, bytes + 1), bytes};
    picture->no_memory = picture->no_memory || !copy.data;
    if (copy.data && bytes > 0)
        memcpy(copy.data, core->issued.ub + tile->addr, bytes);
    return copy;
}

/* Whether rows of an access to this view lie in it, of so many bytes from its start on. */
static bool is_in_view(const struct ptog_access *access, const struct ptog_operand *view, uint64_t span)
{
    uint64_t end = access->at + (access->count - 1) * access->pitch + access->bytes;
    return access->space == PTOG_IN_GM && access->buffer == view->buffer && access->at >= view->offset &&
           end - view->offset <= span;
}

/* A view with the bytes that the instruction read; of one that it writes only the extent is needed. False: it cannot be
 * drawn, because it is too large, or because what it held before is not known any more. */
static bool copy_view(struct ptog_insn_picture *picture, const struct ptog_core *core, const struct ptog_operand *view,
                      bool is_written, struct ptog_buf *copy)
{
    uint64_t span = ptog_operand_span(view);
    span = ptog_min(span, ptog_gm_room(&core->issued, view->buffer, view->offset));
    if (span > MAX_VIEW_BYTES)
        return false;
    *copy = (struct ptog_buf){ptog_arena_alloc(&picture->bytes, span + 1), span};
    picture->no_memory = picture->no_memory || !copy->data;
    if (!copy->data)
        return false;
    for (size_t i = 0; i < core->log.count; i++) {
        const struct ptog_access *access = &core->log.accesses[i];
        if (ptog_access_writes(access) || !is_in_view(access, view, span))
            continue;
        if (is_written)
            return false;
        for (uint64_t r = 0; r < access->count; r++) {
            uint64_t at = access->at + r * access->pitch;
            ptog_gm_read(&core->issued, view->buffer, at, (unsigned char *)copy->data + (at - view->offset),
                         access->bytes);
        }
    }
    return true;
}

/* ---- the picture */

void ptog_picture_start(struct ptog_insn_picture *picture, struct ptog_core *core, const struct ptog_known_insn *insn)
{
    const struct ptog_device *device = core->device;
    const struct ptog_site *site = ptog_names_site_at(&device->shared.names, core->site);
    const struct ptog_insn_row *row = ptog_insn_row(insn->insn.opcode);
    *picture = (struct ptog_insn_picture){.wanted = core->track && device->options.trace_drawings && site &&
                                                    site->runs == 1 && ptog_insn_sent(&insn->insn) < 0 &&
                                                    ptog_trace_values_draw(&device->trace.values)};
    for (int i = 0; picture->wanted && i < row->count; i++) {
        const struct ptog_operand *operand = &insn->insn.of[i];
        if (operand->kind == PTOG_IS_TILE && operand->tile.dtype != PTOG_DTYPE_NONE)
            ptog_run_set_buffer(&picture->run, &row->of[i], copy_tile(picture, core, &operand->tile));
        if (operand->kind == PTOG_IS_SCALAR)
            ptog_run_set_buffer(
                &picture->run, &row->of[i],
                (struct ptog_buf){(void *)(uintptr_t)&operand->bits, ptog_dtype_size(operand->tile.dtype)});
    }
}

/* Copies the bytes of the instruction's views into the picture, now that it is known which ones are accessed. False
 * when out of memory. */
static bool take_views(struct ptog_insn_picture *picture, const struct ptog_core *core,
                       const struct ptog_known_insn *insn)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->insn.opcode);
    for (int i = 0; i < row->count; i++) {
        struct ptog_buf copy;
        if (insn->insn.of[i].kind != PTOG_IS_VIEW)
            continue;
        if (!copy_view(picture, core, &insn->insn.of[i], row->of[i].role == PTOG_ROLE_OUT, &copy))
            return false;
        ptog_run_set_buffer(&picture->run, &row->of[i], copy);
    }
    return true;
}

/* A text that grows, with a terminator; without memory it is not kept. */
struct svg_text {
    char *bytes;
    size_t used, room;
    bool failed;
};

/* A sink that keeps the bytes; `failed` when out of memory. */
static void take_svg(void *user, const char *from, size_t length)
{
    struct svg_text *text = user;
    text->failed = text->failed || !ptog_array_reserve(&text->bytes, text->used + length + 1, &text->room);
    if (text->failed)
        return;
    memcpy(text->bytes + text->used, from, length);
    text->used += length;
    text->bytes[text->used] = '\0';
}

/* Draws as SVG, and keeps it in the trace for a line of the program. PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status keep_drawing(struct ptog_core *core, const ptog_drawing *drawing, uint32_t line)
{
    struct svg_text text = {0};
    struct ptog_sink sink = {.write = take_svg, .user = &text};
    enum ptog_status status = ptog_drawing_svg(drawing, &sink);
    if (status != PTOG_OK || text.failed) {
        free(text.bytes);
        return PTOG_NO_MEMORY;
    }
    return ptog_trace_values_drawing(&core->device->trace.values, line, text.bytes, text.used) ? PTOG_OK
                                                                                               : PTOG_NO_MEMORY;
}

/* What cannot be drawn has no picture: that is no error of the run. */
static void draw_picture(struct ptog_insn_picture *picture, struct ptog_core *core, const struct ptog_known_insn *insn)
{
    const struct ptog_site *site = ptog_names_site_at(&core->device->shared.names, core->site);
    const struct ptog_insn_row *row = ptog_insn_row(insn->insn.opcode);
    const char *names[PTOG_MAX_OPERANDS] = {0};
    ptog_drawing *drawing;
    for (int i = 0; i < row->count; i++)
        names[i] = site->operands[row->of[i].name];
    enum ptog_status status = ptog_draw_accessed(&drawing, insn, &picture->run, names);
    if (status == PTOG_OK) {
        drawing->line = site->where.line;
        status = keep_drawing(core, drawing, site->where.line);
        ptog_drawing_free(drawing);
    }
    picture->no_memory = picture->no_memory || status == PTOG_NO_MEMORY;
}

void ptog_picture_end(struct ptog_insn_picture *picture, struct ptog_core *core, const struct ptog_known_insn *insn,
                      bool good)
{
    if (picture->wanted && good && !picture->no_memory && take_views(picture, core, insn))
        draw_picture(picture, core, insn);
    if (picture->no_memory)
        core->device->failed = true;
    ptog_arena_free(&picture->bytes);
}
