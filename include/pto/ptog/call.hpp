/* pto: the instructions, from C++ descriptions to calls of the library. No templates: compiled once per file. */
#ifndef PTO_PTOG_CALL_HPP
#define PTO_PTOG_CALL_HPP

#include <cstddef>
#include <cstdio>

#include <ptog/core.h>

#include <pto/ptog/describe.hpp>
#include <pto/ptog/launch.hpp>

namespace ptog
{

inline void say_unknown(const ptog_tensor &view, place at, const char *what)
{
    char why[400];
    int used = std::snprintf(why, sizeof why, "the GlobalTensor has shape ");
    for (int d = 0; d < 10; d++) {
        const char *before = d == 5 ? " and strides " : "x";
        used += std::snprintf(why + used, sizeof why - static_cast<std::size_t>(used), "%s%lld", d == 0 ? "" : before,
                              static_cast<long long>(d < 5 ? view.shape[d] : view.stride[d - 5]));
    }
    std::snprintf(why + used, sizeof why - static_cast<std::size_t>(used),
                  ": extents are at least 1, and one that only the run knows is given to the constructor");
    say(at, what, why);
}

/* A GlobalTensor that can be looked at: an address, and every extent and stride known. */
inline bool is_there(const ptog_tensor &view, const void *data, std::size_t reach, place at, const char *what)
{
    if (!data)
        say(at, what, "the GlobalTensor has no address");
    else if (reach == 0)
        say_unknown(view, at, what);
    return data && reach > 0;
}

inline void load(thread_state &t, const ptog_transfer &op, const void *data, place at)
{
    std::size_t reach = reach_of(op.view);
    if (!is_there(op.view, data, reach, at, "TLOAD"))
        return;
    gm_buffers::place gm = gm_at(t, data, reach, op.view.name);
    worked(t, PTOG_MTE2, ptog_core_load(t.core, &op, gm.gm, gm.offset), at, "TLOAD");
}

inline void prefetch(thread_state &t, const ptog_transfer &op, const void *data, place at)
{
    std::size_t reach = reach_of(op.view);
    if (!is_there(op.view, data, reach, at, "TPREFETCH"))
        return;
    gm_buffers::place gm = gm_at(t, data, reach, op.view.name);
    ptog_insn insn;
    ptog_insn_transfer(&insn, &op);
    insn.opcode = PTOG_TPREFETCH;
    insn.of[1].buffer = gm.gm;
    insn.of[1].offset = gm.offset;
    worked(t, PTOG_MTE2, ptog_core_insn(t.core, &insn, nullptr), at, "TPREFETCH");
}

inline void store(thread_state &t, const ptog_transfer &op, const void *data, place at, ptog_pipe pipe = PTOG_MTE3)
{
    std::size_t reach = reach_of(op.view);
    if (!is_there(op.view, data, reach, at, "TSTORE"))
        return;
    gm_buffers::place gm = gm_at(t, data, reach, op.view.name);
    worked(t, pipe, ptog_core_store(t.core, &op, gm.gm, gm.offset), at, "TSTORE");
    arrive(t);
}

/* A store of an accumulator, as an instruction. */
inline void store_insn(thread_state &t, ptog_insn &insn, const void *data, place at, const char *call)
{
    const ptog_tensor &view = insn.of[1].view;
    std::size_t reach = reach_of(view);
    if (!is_there(view, data, reach, at, call))
        return;
    gm_buffers::place gm = gm_at(t, data, reach, view.name);
    insn.of[1].buffer = gm.gm;
    insn.of[1].offset = gm.offset;
    worked(t, PTOG_FIX, ptog_core_insn(t.core, &insn, nullptr), at, call);
    arrive(t);
}

/* SIMT lanes start only in a kernel that was launched. One that is called as a function runs here as a launch of one
 * block does; the first such gather of the process says that a device needs the launch. */
inline void note_call(const thread_state &t, const ptog_mgather &op, place at)
{
    static atomic<bool> is_said{false};
    const ptog_target *target = process_settings().target;
    bool scalar = target->scalar_1x1 && op.dst.valid_row == 1 && op.dst.valid_col == 1;
    if (t.launched || process_settings().launch == PTOG_LAUNCH_DIRECT || target->machine != PTOG_MACHINE_SIMT ||
        scalar || is_said.exchange(true))
        return;
    found(at, PTOG_FAULT_ID_SIMT_CALLED,
          "MGATHER launches SIMT lanes, and the kernel was called as a function: a device needs the "
          "standard launch, kernel<<<blocks>>>(...)");
}

/* `open`: dst's valid extents are known at run time only; then a single element is launched as any other. */
inline void mgather(thread_state &t, const ptog_mgather &op, const void *data, bool open, place at)
{
    std::size_t reach = reach_of(op.table);
    if (!is_there(op.table, data, reach, at, "MGATHER"))
        return;
    gm_buffers::place gm = gm_at(t, data, reach, op.table.name);
    note_call(t, op, at);
    if (!open || op.dst.valid_row != 1 || op.dst.valid_col != 1) {
        worked(t, PTOG_V, ptog_core_mgather(t.core, &op, gm.gm, gm.offset, nullptr), at, "MGATHER");
        return;
    }
    ptog_mgather planned = op;
    ptog_run extents{};
    extents.dst_valid[0] = extents.dst_valid[1] = 1;
    planned.dst.valid_row = planned.dst.valid_col = PTOG_DYN;
    worked(t, PTOG_V, ptog_core_mgather(t.core, &planned, gm.gm, gm.offset, &extents), at, "MGATHER");
}

inline void mscatter(thread_state &t, ptog_insn &insn, const void *data, place at)
{
    const ptog_tensor &table = insn.of[1].view;
    std::size_t reach = reach_of(table);
    if (!is_there(table, data, reach, at, "MSCATTER"))
        return;
    gm_buffers::place gm = gm_at(t, data, reach, table.name);
    insn.of[1].buffer = gm.gm;
    insn.of[1].offset = gm.offset;
    worked(t, PTOG_V, ptog_core_insn(t.core, &insn, nullptr), at, "MSCATTER");
    arrive(t);
}

inline void tgather(thread_state &t, const ptog_tgather &op, place at)
{
    worked(t, PTOG_V, ptog_core_tgather(t.core, &op, nullptr), at, "TGATHER");
}

/* What pipes say about the core. */
inline core_kind kind_of_pipe(pipe_t pipe)
{
    if (pipe == PIPE_M || pipe == PIPE_MTE1 || pipe == PIPE_FIX)
        return core_kind::cube;
    return pipe == PIPE_V ? core_kind::vector : core_kind::any;
}
inline core_kind kind_of_pair(pipe_t src, pipe_t dst)
{
    return kind_of_pipe(src) == core_kind::any ? kind_of_pipe(dst) : kind_of_pipe(src);
}

/* Flags and barriers. PTOG_DROP_FLAGS leaves the calls of a line out. */
inline void count_flag(thread_state &t, pipe_t src, pipe_t dst, int id, int by)
{
    if (id >= 0 && id < 8)
        t.flags_set[src & 7][dst & 7][id] += by;
}

inline void set(pipe_t src, pipe_t dst, int id, place at)
{
    thread_state &t = with_core(at, kind_of_pair(src, dst));
    count_flag(t, src, dst, id, 1);
    if (!is_dropped(process_settings(), at.line))
        done(t, ptog_core_set_flag(t.core, static_cast<ptog_pipe>(src), static_cast<ptog_pipe>(dst), id), at,
             "set_flag");
}

inline void wait(pipe_t src, pipe_t dst, int id, place at)
{
    thread_state &t = with_core(at, kind_of_pair(src, dst));
    count_flag(t, src, dst, id, -1);
    if (!is_dropped(process_settings(), at.line))
        done(t, ptog_core_wait_flag(t.core, static_cast<ptog_pipe>(src), static_cast<ptog_pipe>(dst), id), at,
             "wait_flag");
}

inline void barrier(pipe_t pipe, place at)
{
    thread_state &t = with_core(at, kind_of_pipe(pipe));
    done(t, ptog_core_barrier(t.core, static_cast<ptog_pipe>(pipe)), at, "pipe_barrier");
}

/* dcci of the line at `line`, or of all with NULL, and dsb. Outside a kernel there is no cache to flush. */
inline void flush(const void *line, place at)
{
    if (!here().core)
        return;
    thread_state &t = with_core(at);
    gm_buffers::place gm{-1, 0};
    if (line && !t.devices[t.current]->gm.look(line, gm))
        return; /* nothing was stored there */
    done(t, ptog_core_dcci(t.core, gm.gm, gm.offset), at, "dcci");
}

inline void fence(place at)
{
    if (!here().core)
        return;
    thread_state &t = with_core(at);
    done(t, ptog_core_dsb(t.core), at, "dsb");
}

/* An id for an event, in turn: 0 is the instructions' own, 6 and 7 are the system's, and one that is set waits for
 * somebody else. */
inline int next_event_id(pipe_t src, pipe_t dst)
{
    thread_state &t = with_core();
    int id = 1;
    for (int tries = 0; tries < 5; tries++) {
        id = static_cast<int>(t.next_event++ % 5 + 1);
        if (t.flags_set[src & 7][dst & 7][id] == 0)
            break;
    }
    return id;
}

/* ---- for tests and tools: tiles from outside ---- */

/* The valid region of a tile once everything issued so far has completed, packed, row by row. Not an access. */
template <class Tile> void peek(Tile &tile, typename Tile::DType *to, place at = {__builtin_FILE(), __builtin_LINE()})
{
    thread_state &t = with_core();
    ptog_tile known = static_tile<Tile>();
    if (!have_extents(at, "ptog::peek", tile))
        return;
    describe(known, t, tile, nullptr, false);
    done(t, ptog_core_peek(t.core, &known, to), at, "ptog::peek");
}

/* The same the other way: defined bytes, ordered before everything. */
template <class Tile>
void preset(Tile &tile, const typename Tile::DType *from, place at = {__builtin_FILE(), __builtin_LINE()})
{
    thread_state &t = with_core();
    ptog_tile known = static_tile<Tile>();
    if (!have_extents(at, "ptog::preset", tile))
        return;
    describe(known, t, tile, nullptr, false);
    done(t, ptog_core_preset(t.core, &known, from), at, "ptog::preset");
}

} // namespace ptog

#endif
