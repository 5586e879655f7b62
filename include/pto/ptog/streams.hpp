/* pto: launches whose cores run side by side: those of kernels for both kinds of core, and those of kernels whose cores
 * wait for each other. Each core is a stream, the kernel on a stack of its own:
 *
 *     every stream runs to its first instruction, which shows whether it has any and of which kind they are
 *     then the cores are opened that are needed, and the streams go on in turn: the cube core of a block, its vector cores,
 *     the next block. One that waits for another core pauses. When all of them wait, that is a deadlock.
 *
 * The order is fixed, and waits alone decide what comes before what, so a report is always the same. */
#ifndef PTO_PTOG_STREAMS_HPP
#define PTO_PTOG_STREAMS_HPP

#include <cstdint>
#include <cstring>
#ifdef __cpp_exceptions
#include <exception>
#endif

#include <pto/ptog/fiber.hpp>
#ifdef PTOG_HALVES
#include <pto/ptog/halves.hpp>
#else
#include <tuple>
#endif
#include <pto/ptog/runtime.hpp>

namespace ptog
{

inline constexpr std::uint64_t most_streams = 4096; /* that are there at once */

/* How a kernel was launched. */
struct launch_size {
    std::uint64_t blocks, dyn_ub;
    ptog_launch way;
};

/* A kernel with its arguments, on one core. */
struct stream : stream_base {
    stream(void (*run)(void *, void *), void *body, void *arguments, bool cube, std::uint32_t block, std::uint32_t subblock)
        : run_(run), body_(body), arguments_(arguments), of_cube(cube), fiber_(start, this)
    {
        pause = leave;
        state.block = block;
        state.subblock = subblock;
        state.cube = cube;
        state.launched = true;
        state.stream = this;
        kind = core_kind::any;
    }

    /* Until the kernel ends or pauses. */
    void resume(thread_state &t)
    {
        swap_state(t);
        is_over = fiber_.resume();
        swap_state(t);
    }

    /* Opens its core, or closes it. */
    void open(thread_state &t, const launch_size &size, bool cube, bool linked)
    {
        swap_state(t);
        open_core(t, size.dyn_ub, size.way, t.block, t.subblock, cube, linked);
        t.settled = linked || of_cube;
        swap_state(t);
    }
    void close(thread_state &t)
    {
        swap_state(t);
        close_core(t);
        swap_state(t);
    }

    void (*run_)(void *, void *);
    void *body_, *arguments_;
    bool of_cube;         /* it runs the half for the cube core */
    bool is_over = false; /* the kernel has returned */
    core_state state;
#ifdef __cpp_exceptions
    std::exception_ptr thrown;
#endif

  private:
    fiber fiber_;

    static void start(void *with)
    {
        auto *mine = static_cast<stream *>(with);
#ifdef __cpp_exceptions
        try {
            mine->run_(mine->body_, mine->arguments_);
        } catch (...) {
            mine->thrown = std::current_exception();
        }
#else
        mine->run_(mine->body_, mine->arguments_);
#endif
    }

    static void leave(stream_base &base)
    {
        static_cast<stream &>(base).fiber_.pause();
    }

    /* What belongs to the core changes places with what the thread has. */
    void swap_state(thread_state &t)
    {
        unsigned char kept[sizeof(core_state)];
        void *mine = &state, *its = static_cast<core_state *>(&t);
        std::memcpy(kept, mine, sizeof kept);
        std::memcpy(mine, its, sizeof kept);
        std::memcpy(its, kept, sizeof kept);
    }
};

/* The streams of a launch, in the order in which they run. */
class stream_list
{
  public:
    stream_list(thread_state &t, const launch_size &size) : t_(t), size_(size)
    {
    }
    ~stream_list()
    {
        for (stream *one : all_)
            delete one;
    }
    stream_list(const stream_list &) = delete;
    stream_list &operator=(const stream_list &) = delete;

    /* Starts the kernel on a core, up to its first instruction. One that has none is forgotten, and so is one whose first
     * instruction is of the other kind of core: then this half is no half, but the same code again. */
    void start(stream *made)
    {
        made->resume(t_);
        core_kind other = made->of_cube ? core_kind::vector : core_kind::cube;
        if (made->is_over || (is_half_ && made->kind == other)) {
            keep_exception(made);
            delete made;
            return;
        }
        all_.push_back(made);
    }

    /* Whether the streams are halves for one kind of core each; if not, the first instruction says what a core is. */
    void set_halves(bool are)
    {
        is_half_ = are;
    }

    std::size_t size() const
    {
        return all_.size();
    }

    /* Each stream on a core of its own that waits for nobody, one after the other. */
    void run_in_turn()
    {
        for (stream *one : all_) {
            one->open(t_, size_, one->of_cube, false);
            while (!one->is_over)
                one->resume(t_);
            one->close(t_);
            keep_exception(one);
        }
    }

    /* All of them together. */
    void run_together()
    {
        sort_by_block();
        for (stream *one : all_)
            one->open(t_, size_, one->of_cube || one->kind == core_kind::cube, true);
        for (bool waits = true; waits;) {
            std::uint64_t moves = t_.moves;
            waits = false;
            for (stream *one : all_)
                if (!one->is_over) {
                    one->resume(t_);
                    t_.moves += one->is_over;
                    waits |= !one->is_over;
                }
            if (waits && t_.moves == moves)
                ptog_device_deadlock(t_.devices[t_.current]->handle); /* what waits has ended, and goes on */
        }
        for (stream *one : all_) {
            one->close(t_);
            keep_exception(one);
        }
    }

    /* What a kernel threw, now that all cores are closed. */
    void throw_again()
    {
#ifdef __cpp_exceptions
        if (thrown_)
            std::rethrow_exception(thrown_);
#endif
    }

  private:
    thread_state &t_;
    launch_size size_;
    list<stream *> all_;
    bool is_half_ = false;
#ifdef __cpp_exceptions
    std::exception_ptr thrown_; /* the first */
#endif

    void keep_exception(stream *one)
    {
#ifdef __cpp_exceptions
        if (!thrown_)
            thrown_ = one->thrown;
#else
        static_cast<void>(one);
#endif
    }

    /* The cube core of a block first, then its vector cores. */
    static bool comes_before(const stream &a, const stream &b)
    {
        if (a.state.block != b.state.block)
            return a.state.block < b.state.block;
        return a.of_cube > b.of_cube || (a.of_cube == b.of_cube && a.state.subblock < b.state.subblock);
    }
    void sort_by_block()
    {
        list<stream *> sorted, cubes, vectors;
        for (stream *one : all_)
            (one->of_cube ? cubes : vectors).push_back(one);
        for (std::size_t c = 0, v = 0; c < cubes.size() || v < vectors.size();)
            if (v == vectors.size() || (c < cubes.size() && comes_before(*cubes[c], *vectors[v])))
                sorted.push_back(cubes[c++]);
            else
                sorted.push_back(vectors[v++]);
        all_ = sorted;
    }
};

/* The body of a launch as a stream calls it. */
template <class Body, class Arguments> void run_body(void *body, void *arguments)
{
    std::apply(*static_cast<Body *>(body), *static_cast<Arguments *>(arguments));
}

inline bool have_room(place at, std::uint64_t streams)
{
    if (streams <= most_streams)
        return true;
    found(at, PTOG_FAULT_ID_LAUNCH_BLOCKS,
          "not supported yet: a launch whose %llu cores run side by side; at most %llu can",
          static_cast<unsigned long long>(streams), static_cast<unsigned long long>(most_streams));
    return false;
}

#if PTOG_CORE == 2 && defined(PTOG_HALVES)
template <class File, class Body, class... Args>
bool run_side_by_side(thread_state &, place, const launch_size &, Body &, Args &...)
{
    list_half<Body, std::tuple<Args &...>>();
    return false;
}
#else
/* Runs a launch of a source with parts for both kinds of core, or whose cores wait for each other. False: the kernel has
 * no part for the cube core, and no core waits; nothing was run. */
template <class File, class Body, class... Args>
bool run_side_by_side(thread_state &t, place at, const launch_size &size, Body &body, Args &...args)
{
    using arguments = std::tuple<Args &...>;
    arguments all(args...);
    stream_list streams(t, size);
#ifdef PTOG_LINKED
    constexpr bool waits = true;
#else
    constexpr bool waits = false;
#endif
#ifdef PTOG_HALVES
    const half_entry cube = find_half<Body, arguments>();
    if (!have_room(at, size.blocks))
        return true;
    streams.set_halves(true);
    for (std::uint64_t b = 0; b < size.blocks; b++)
        streams.start(new stream(cube.run, &body, &all, true, static_cast<std::uint32_t>(b), 0));
#endif
    std::size_t cubes = streams.size();
    if (cubes > 0 && !process_settings().subblocks_given)
        t.subblocks = 2;
    streams.throw_again();
    if (cubes == 0 && !waits)
        return false;
    if (!have_room(at, cubes + size.blocks * t.subblocks))
        return true;
    for (std::uint64_t b = 0; b < size.blocks; b++)
        for (std::uint32_t s = 0; s < t.subblocks; s++)
            streams.start(new stream(run_body<Body, arguments>, &body, &all, false, static_cast<std::uint32_t>(b), s));
    if (waits || streams.size() > cubes)
        streams.run_together();
    else
        streams.run_in_turn();
    streams.throw_again();
    return true;
}
#endif

} // namespace ptog

#endif
