/* pto: kernels on the simulated device. All behaviour is the library's (ptog/core.h); here is what a C++ kernel takes
 * for granted: a current core, pointers as global memory, a launch, and a report at the end of the process.
 *
 * A kernel called as a function runs as one block, on a core that is opened by its first instruction and closed by
 * ptog::sync() or the end of the process; pto/ptog/launch.hpp has launches.
 *
 * Cores are a thread's own; the registry of global memory, the settings and the report are the process's. */
#ifndef PTO_PTOG_RUNTIME_HPP
#define PTO_PTOG_RUNTIME_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include <ptog/core.h>

#include <pto/ptog/apply_fix.hpp>
#include <pto/ptog/call_names.hpp>
#include <pto/ptog/found.hpp>
#include <pto/ptog/gm.hpp>
#include <pto/ptog/place.hpp>
#include <pto/ptog/report.hpp>
#include <pto/ptog/settings.hpp>
#include <pto/ptog/target.hpp>
#include <pto/ptog/trace.hpp>

namespace ptog
{

/* A device: one for each dynUBufSize that launches ask for, each way of launching, each kind of core, and for cores that
 * wait for each other. */
struct device {
    ptog_device *handle = nullptr;
    std::uint64_t dyn_ub = 0;
    ptog_launch way = PTOG_LAUNCH_STANDARD;
    bool cube = false, linked = false;
    gm_buffers gm;
    trace_file *trace = nullptr;
    timeline *drawn = nullptr; /* for the page of PTOG_REPORT */
};

inline const settings &process_settings()
{
    static const settings s = read_settings(PTOG_COMPILED_TARGET);
    return s;
}

inline constexpr int spaces = 10; /* one per TileType */

/* Which pipes have waited for all that another one was given. */
class pairs
{
  public:
    /* False: dst has waited for src, and src was given nothing since. */
    bool add(int src, int dst)
    {
        std::uint64_t bit = std::uint64_t{1} << ((src & 7) * 8 + (dst & 7)), before = bits_;
        bits_ |= bit;
        return !(before & bit);
    }
    /* src is given work. */
    void forget(int src)
    {
        bits_ &= ~(std::uint64_t{255} << ((src & 7) * 8));
    }
    void clear()
    {
        bits_ = 0;
    }

  private:
    std::uint64_t bits_ = 0;
};

/* What an instruction or a pipe says about the core that it runs on. */
enum class core_kind { any, vector, cube };

/* A core of a launch whose cores run side by side, each on a stack of its own (streams.hpp). */
struct stream_base {
    core_kind kind = core_kind::any;    /* what the stream is for, or what its first instruction says */
    void (*pause)(stream_base &) = nullptr; /* leaves the stream until it is resumed */
};

/* What belongs to one core. Moved as bytes when another core of the launch goes on. */
struct core_state {
    ptog_core *core = nullptr;
    std::uint64_t core_number = 0; /* of the open core, from 1; tiles know in which one they were placed */
    bool cube = false;             /* the open core is a cube core, */
    bool settled = false;          /* and something was issued that says so */
    bool launched = false;         /* the open core belongs to a launch */
    std::uint32_t block = 0, subblock = 0;
    stream_base *stream = nullptr; /* that runs; NULL: the kernel runs on the stack of who launched it */
    const char *file = nullptr;    /* the place the core was last told */
    unsigned line = 0;
    unsigned next_event = 0;
    pairs waited;
    int flags_set[8][8][8] = {}; /* sets without their wait, by pipes and id */
    space rooms[spaces];
    std::size_t tiles = 0; /* that the open core used, and that are still there */
};

/* What both ends of a FIFO say of it (fifo.hpp), and its number in the launch. */
struct fifo_words {
    std::uint32_t flag, direction, slot_size, slots, local_slots;
    bool is_whole;
    std::uint32_t number;

    bool is_like(const fifo_words &other) const
    {
        return flag == other.flag && direction == other.direction && slot_size == other.slot_size && slots == other.slots &&
               local_slots == other.local_slots && is_whole == other.is_whole;
    }
};

/* Memory for slots that lie in a core, as a buffer of a device. */
struct ring {
    std::size_t device;
    std::uint32_t block, number;
    std::size_t bytes;
    void *data;
    int gm;
};

/* What a thread has open. */
struct thread_state : core_state {
    list<device *> devices;
    std::size_t current = 0;     /* the device of the open core */
    std::uint64_t cores = 0;     /* opened so far */
    std::uint32_t blocks = 1, subblocks = 1;
    std::uint64_t issued = 0;       /* instructions since the last launch began */
    std::uint64_t moves = 0;        /* of cores that run side by side: whether any goes on */
    list<std::uintptr_t> arguments; /* the pointers of the last launch that nobody registered */
    list<fifo_words> fifos;          /* of the launch */
    list<ring> rings;
    const char *last_file = nullptr; /* of the core before */
    call_table calls;             /* what the source calls operands */
    thread_state *next = nullptr; /* all of the process */
};

inline atomic<thread_state *> all_threads{nullptr};
inline atomic<bool> is_reported{false};

inline thread_state *new_thread_state()
{
    auto *made = new thread_state;
    made->next = all_threads.load();
    while (!all_threads.compare_exchange(made->next, made)) {
    }
    return made;
}

inline thread_state &here()
{
    static thread_local thread_state *mine = new_thread_state();
    return *mine;
}

inline void close_core(thread_state &t)
{
    if (!t.core)
        return;
    ptog_core_close(t.core);
    t.core = nullptr;
    t.launched = false;
    t.last_file = t.file ? t.file : t.last_file;
    t.file = nullptr;
    t.tiles = 0;
    t.waited.clear();
    std::memset(t.flags_set, 0, sizeof t.flags_set);
    for (space &room : t.rooms)
        room.clear();
}

/* A kernel that was called as a function returns to code that reads its results, and frees its memory: a store is
 * complete when it is issued, and everything when the last tile goes. The report does not depend on it; a launch waits
 * at its end. */
inline void arrive(thread_state &t)
{
    unsigned char none[32];
    if (t.launched || process_settings().target->ub_bytes == 0)
        return;
    ptog_tile any = ptog_tile_at(ptog_tile_vec(PTOG_U8, 1, 32), 0);
    any.loc = t.cube ? PTOG_MAT : PTOG_VEC;
    ptog_core_peek(t.core, &any, none);
}

/* Closes the core of a kernel that was called as a function: what it stored has arrived, and what follows is another
 * launch. The calls of acl/acl.h that wait for the device do it. */
inline void sync()
{
    thread_state &t = here();
    if (!t.core || t.launched)
        return;
    close_core(t);
    ptog_device_sync(t.devices[t.current]->handle);
}

/* Makes [data, data + bytes) a buffer of global memory, until it is freed: accesses past it are reported. So are
 * pointers past its end, as far as [data, data + reach) is known to hold nothing else. */
inline void gm_register(const void *data, std::size_t bytes, std::size_t reach = 0)
{
    sync();
    if (data && bytes > 0)
        gm_all().add({reinterpret_cast<std::uintptr_t>(data), bytes, reach});
}

/* The same for an array, a std::vector or another container of elements in one piece. */
template <class Type, std::size_t count> void gm_register(const Type (&all)[count])
{
    gm_register(all, sizeof all);
}
template <class Container>
auto gm_register(const Container &all) -> decltype(static_cast<void>(all.data() + all.size()))
{
    gm_register(all.data(), all.size() * sizeof *all.data());
}

template <class Type, std::size_t count> const void *first_byte(const Type (&all)[count])
{
    return all;
}
template <class Container> const void *first_byte(const Container &all)
{
    return all.data();
}

inline void gm_unregister(const void *data)
{
    sync();
    gm_all().remove(reinterpret_cast<std::uintptr_t>(data));
}

/* Arrays and containers that are registered as long as this lives: ptog::gm_known known(table, ids, out); */
template <std::size_t count> class gm_known
{
  public:
    template <class... Containers> explicit gm_known(const Containers &...all) : at_{first_byte(all)...}
    {
        (gm_register(all), ...);
    }
    ~gm_known()
    {
        for (const void *data : at_)
            gm_unregister(data);
    }
    gm_known(const gm_known &) = delete;
    gm_known &operator=(const gm_known &) = delete;

  private:
    const void *at_[count];
};
template <class... Containers> gm_known(const Containers &...) -> gm_known<sizeof...(Containers)>;

/* ---- the report ---- */

inline bool collect(ptog_diags *diags)
{
    bool complete = true;
    for (thread_state *t = all_threads.load(); t; t = t->next)
        for (device *d : t->devices)
            complete = ptog_device_report(d->handle, diags) == PTOG_OK && complete;
    return found_here().append_to(diags) && complete;
}

/* What could not be checked is said, too. */
inline void note_unknown_sizes()
{
    std::size_t count = gm_unknown_all().take();
    if (count > 0 && process_settings().sanitize)
        found({nullptr, 0}, PTOG_FAULT_ID_GM_UNKNOWN_SIZE, "%zu pointer%s unknown size%s: accesses past %s not checked",
              count, count == 1 ? " has an" : "s have", count == 1 ? "" : "s",
              count == 1 ? "its end are" : "their ends are");
}

inline void close_device(device *d)
{
    ptog_device_close(d->handle);
    if (d->trace)
        d->trace->complete();
    delete d->trace;
    delete d->drawn;
    delete d;
}

/* The first device that kernels ran on, its timeline complete. */
inline page_device first_device()
{
    page_device of;
    for (thread_state *t = all_threads.load(); t; t = t->next) {
        of.file = t->last_file ? t->last_file : of.file;
        for (device *d : t->devices)
            of = of.handle ? of : page_device{d->handle, d->drawn, of.file};
    }
    if (of.handle)
        ptog_device_end_trace(of.handle);
    return of;
}

/* Closes every core, reports, and returns whether there was an error. Only the first call reports. */
inline bool finish()
{
    if ((!all_threads.load() && !asked("PTOG_REPORT")) || is_reported.exchange(true))
        return false;
    for (thread_state *t = all_threads.load(); t; t = t->next)
        close_core(*t);
    note_unknown_sizes();
    ptog_diags *diags = ptog_diags_new();
    if (!diags || !collect(diags))
        give_up("out of memory: the report is not complete");
    render(diags, process_settings(), wants_page(process_settings()) ? first_device() : page_device{});
    if (process_settings().fixed)
        apply_fixes(diags, process_settings().fixed);
    bool wrong = how_many(diags, PTOG_ERROR) > 0;
    found_here().clear();
    for (thread_state *t = all_threads.load(); t; t = t->next) {
        for (device *d : t->devices)
            close_device(d);
        t->devices.clear();
        for (ring &one : t->rings)
            std::free(one.data);
        t->rings.clear();
    }
    ptog_diags_free(diags);
    return wrong;
}

/* After the destructors of static objects; what is left then is to flush and to go. */
[[gnu::destructor, gnu::used]] static inline void at_end()
{
    if (!finish())
        return;
    std::fflush(nullptr);
    std::_Exit(1);
}

/* PTOG_SANITIZE=abort: everything that was found so far, then the debugger. */
[[noreturn]] inline void abort_now()
{
    ptog_diags *diags = ptog_diags_new();
    collect(diags);
    render(diags, process_settings());
    std::fflush(nullptr);
    std::abort();
}

/* An instruction that could not be issued for a reason that is no finding of the library. */
inline void say(place at, const char *what, const char *why)
{
    here().issued++;
    found(at, PTOG_FAULT_ID_BAD_ARGUMENT, "%s: %s", what, why);
    if (process_settings().abort_at_error)
        abort_now();
}

/* ---- the current core ---- */

/* A kernel built with __PTO_AUTO__ leaves its flags out; the core inserts those that it needs. The same for all files
 * of a program. */
#ifdef __PTO_AUTO__
inline constexpr bool automatic = true;
#else
inline constexpr bool automatic = false;
#endif

inline std::size_t device_for(thread_state &t, std::uint64_t dyn_ub, ptog_launch way, bool cube, bool linked = false)
{
    for (std::size_t i = 0; i < t.devices.size(); i++)
        if (t.devices[i]->dyn_ub == dyn_ub && t.devices[i]->way == way && t.devices[i]->cube == cube &&
            t.devices[i]->linked == linked)
            return i;
    const settings &s = process_settings();
    ptog_device_options options{};
    options.schedule = s.schedule;
    options.seed = s.seed;
    options.dyn_ub = dyn_ub;
    options.launch = way;
    options.threads = s.target->cpu_threads ? s.cpu_threads : 1;
    options.no_sanitize = !s.sanitize;
    options.automatic = automatic;
    options.cube = cube;
    options.linked = linked;
    options.spelling = PTOG_SPELL_CXX;
    auto *made = new device;
    made->dyn_ub = dyn_ub;
    made->way = way;
    made->cube = cube;
    made->linked = linked;
    if (s.trace) {
        made->trace = new trace_file(s.trace);
        options.trace = &made->trace->sink;
    } else if (wants_page(s) && t.devices.empty()) {
        made->drawn = new timeline;
        options.trace = &made->drawn->sink;
        options.trace_drawings = true;
        options.trace_short = true;
    }
    ptog_status status = ptog_device_open(&made->handle, s.target, &options);
    if (status != PTOG_OK)
        give_up("cannot open a %s device: %s", s.target->name, ptog_status_text(status));
    t.devices.push_back(made);
    return t.devices.size() - 1;
}

/* `linked`: a core of a launch whose cores wait for each other. */
inline void open_core(thread_state &t, std::uint64_t dyn_ub, ptog_launch way, std::uint32_t block,
                      std::uint32_t subblock = 0, bool cube = false, bool linked = false)
{
    t.current = device_for(t, dyn_ub, way, cube && !linked, linked);
    t.cube = cube;
    t.settled = false;
    ptog_device *device = t.devices[t.current]->handle;
    ptog_status status = cube && linked ? ptog_core_open_cube(&t.core, device, block)
                                        : ptog_core_open_subblock(&t.core, device, block, subblock);
    if (status != PTOG_OK)
        give_up("cannot open a core: %s", ptog_status_text(status));
    t.core_number = ++t.cores;
    is_reported.store(false);
}

inline void forget_memory(thread_state &t)
{
    for (device *d : t.devices)
        d->gm.forget();
}

/* The first instruction of a kernel: a stream gets its core when all of them have come so far; a kernel called as a
 * function gets one here. */
[[gnu::cold]] inline void first_core(thread_state &t, core_kind kind)
{
    if (t.stream) {
        t.stream->kind = kind;
        t.stream->pause(*t.stream);
        return;
    }
    forget_memory(t);
    open_core(t, 0, process_settings().launch, 0);
}

/* The core of this thread. */
inline thread_state &with_core(core_kind kind = core_kind::any)
{
    thread_state &t = here();
    if (!t.core)
        first_core(t, kind);
    return t;
}

/* A call of the library that may have to wait for another core. */
template <class Call> ptog_status waiting(thread_state &t, Call call)
{
    ptog_status status = call();
    while (status == PTOG_BLOCKED && t.stream) {
        t.stream->pause(*t.stream);
        status = call();
    }
    t.moves++;
    return status;
}

/* The kernel turns out to be of the other kind of core, before it has issued anything: that core is opened instead. Of
 * a kernel that has instructions of both, the library says so. */
[[gnu::cold]] inline void change_core(thread_state &t, bool cube)
{
    if (process_settings().target->machine == PTOG_NO_MACHINE)
        return; /* one core does everything there */
    device &old = *t.devices[t.current];
    bool launched = t.launched;
    std::uint64_t dyn_ub = old.dyn_ub;
    ptog_launch way = old.way;
    close_core(t);
    open_core(t, dyn_ub, way, t.block, t.subblock, cube);
    t.launched = launched;
}

inline thread_state &with_core(place at, core_kind kind = core_kind::any)
{
    thread_state &t = with_core(kind);
    t.moves++;
    if (kind != core_kind::any && !t.settled) {
        if ((kind == core_kind::cube) != t.cube)
            change_core(t, kind == core_kind::cube);
        t.settled = true;
    }
    if (t.file != at.file || t.line != at.line)
        ptog_core_at(t.core, t.file = at.file, t.line = at.line);
    return t;
}

/* PTOG_SANITIZE=abort: stops where the first error is, for a debugger to look at. */
inline void abort_if_wrong(thread_state &t)
{
    if (ptog_device_errors(t.devices[t.current]->handle) > 0)
        abort_now();
}

/* After each call of the library. Refused operands and faults are in the report; the rest is added here. */
inline void done(thread_state &t, ptog_status status, place at, const char *what)
{
    if (status == PTOG_NO_MEMORY || status == PTOG_NO_ROOM)
        say(at, what, ptog_status_text(status));
    if (process_settings().abort_at_error)
        abort_if_wrong(t);
}

/* The same after an instruction whose event is recorded on a pipe. */
inline void worked(thread_state &t, ptog_pipe pipe, ptog_status status, place at, const char *what)
{
    t.waited.forget(pipe);
    t.issued++;
    done(t, status, at, what);
}

/* The pointer that a view belongs to: in a launch the argument at or before its start; else the view is all we know. */
inline gm_range pointer_of(const thread_state &t, std::uintptr_t at, std::size_t bytes)
{
    std::uintptr_t best = 0;
    for (std::size_t i = 0; t.launched && i < t.arguments.size(); i++) {
        std::uintptr_t argument = t.arguments.data()[i];
        best = argument <= at && argument > best ? argument : best;
    }
    return best ? gm_range{best, 0, 0} : gm_range{at, bytes, 0};
}

inline gm_buffers::place gm_at(thread_state &t, const void *data, std::size_t bytes, const char *name)
{
    device &d = *t.devices[t.current];
    gm_buffers::place found = d.gm.find(d.handle, data, bytes, name);
    if (found.is_unknown)
        gm_unknown_all().add(pointer_of(t, reinterpret_cast<std::uintptr_t>(data), bytes));
    return found;
}

} // namespace ptog

#endif
