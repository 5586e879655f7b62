/* pto: launches of kernels: their blocks run one after another, each on a core of its own, or with PTOG_SUBBLOCKS=2 on
 * two. Kernels whose cores wait for each other run side by side (streams.hpp).
 *
 *     ptog::fn([&](auto &&...a) { kernel<float>(a...); }).on(blocks, dynUBufSize, stream)(out, table, indices);
 *
 * A kernel that a runtime calls through a function pointer has no SIMT context, and the first SIMT instruction of it
 * hangs:
 *
 *     ptog::direct(kernel<float>)(out, table, indices); */
#ifndef PTO_PTOG_LAUNCH_HPP
#define PTO_PTOG_LAUNCH_HPP

#include <cstdint>
#include <type_traits>

#include <pto/ptog/runtime.hpp>
#if defined(PTOG_HALVES) || defined(PTOG_LINKED)
#include <pto/ptog/streams.hpp>
#endif

namespace ptog
{

/* What the launches of a source are compiled with; of one without parts for both kinds of core, always the same. */
#if defined(PTOG_HALVES)
using launch_of = this_file;
#elif defined(PTOG_LINKED)
struct launch_side_by_side;
using launch_of = launch_side_by_side;
#else
using launch_of = void;
#endif

template <class Body, class File> class launch
{
  public:
    launch(Body &body, place at, std::uint64_t blocks, std::uint64_t dyn_ub,
           ptog_launch way = process_settings().launch)
        : body_(body), at_(at), blocks_(blocks), dyn_ub_(dyn_ub), way_(way)
    {
    }

    template <class... Args> void operator()(Args &&...args)
    {
        thread_state &t = here();
        if (t.launched)
            give_up("a kernel cannot launch another");
        if (!have_blocks())
            return;
        sync();
        forget_memory(t);
        t.issued = 0;
        t.blocks = static_cast<std::uint32_t>(blocks_);
        t.subblocks = process_settings().subblocks;
        t.arguments.clear();
        t.fifos.clear();
        (note_argument(t, args), ...);
#if defined(PTOG_HALVES) || defined(PTOG_LINKED)
        if (!run_side_by_side<File>(t, at_, {blocks_, dyn_ub_, way_}, body_, args...))
#endif
            run_in_turn(t, args...);
        t.blocks = t.subblocks = 1;
        if (!t.devices.empty())
            ptog_device_sync(t.devices[t.current]->handle);
        /* Without arguments it has nothing to compute: such kernels only start the cores. */
        if (sizeof...(args) > 0 && t.issued == 0 && !process_settings().allow_empty)
            found(at_, PTOG_FAULT_ID_LAUNCH_EMPTY,
                  "the kernel issued no instruction in %llu block%s: is its body compiled for %s, and reached?",
                  static_cast<unsigned long long>(blocks_), blocks_ == 1 ? "" : "s", PTOG_COMPILED_TARGET);
    }

  private:
    template <class... Args> void run_in_turn(thread_state &t, Args &&...args)
    {
        for (std::uint64_t block = 0; block < blocks_; block++)
            for (std::uint32_t subblock = 0; subblock < t.subblocks; subblock++) {
                running core(*this, t, static_cast<std::uint32_t>(block), subblock);
                body_(args...);
            }
    }

    bool have_blocks() const
    {
        if (blocks_ >= 1 && blocks_ <= UINT32_MAX)
            return true;
        found(at_, PTOG_FAULT_ID_LAUNCH_BLOCKS, "a launch of %lld blocks: expected 1 to 4294967295",
              static_cast<long long>(blocks_));
        return false;
    }

    template <class Arg> static void note_argument(thread_state &t, Arg &arg)
    {
        using plain = std::decay_t<Arg>;
        if constexpr (std::is_pointer_v<plain> && !std::is_function_v<std::remove_pointer_t<plain>>) {
            std::uintptr_t at = reinterpret_cast<std::uintptr_t>(static_cast<plain>(arg));
            if (gm_all().find(at).bytes == 0)
                t.arguments.push_back(at);
        }
    }

    /* A core of a block, closed also when the kernel throws. */
    struct running {
        thread_state &t;
        running(const launch &all, thread_state &state, std::uint32_t block, std::uint32_t subblock) : t(state)
        {
            open_core(t, all.dyn_ub_, all.way_, block, subblock);
            t.launched = true;
            t.block = block;
            t.subblock = subblock;
        }
        ~running()
        {
            close_core(t);
            t.block = t.subblock = 0;
        }
    };
    Body &body_;
    place at_;
    std::uint64_t blocks_, dyn_ub_;
    ptog_launch way_;
};

/* <<<blocks>>>, <<<blocks, dynUBufSize>>>, <<<blocks, dynUBufSize, stream>>>: dynUBufSize may be nullptr. */
template <class Body, class File = launch_of> class fn
{
  public:
    explicit fn(Body body, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
        : body_(body), at_{file, line}
    {
    }

    template <class Blocks, class Dyn = std::nullptr_t, class Stream = std::nullptr_t>
    launch<Body, File> on(Blocks blocks, Dyn dyn_ub = {}, Stream = {})
    {
        return launch<Body, File>(body_, at_, static_cast<std::uint64_t>(blocks), bytes_of(dyn_ub));
    }

  private:
    Body body_;
    place at_;

    template <class Dyn> static std::uint64_t bytes_of(Dyn dyn)
    {
        if constexpr (std::is_integral_v<Dyn>)
            return static_cast<std::uint64_t>(dyn);
        else if constexpr (std::is_pointer_v<Dyn>)
            return reinterpret_cast<std::uintptr_t>(dyn);
        else
            return 0;
    }
};

/* The kernel, called as a runtime that dispatches through function pointers does it: one block, no SIMT context. */
template <class Kernel>
auto direct(Kernel kernel, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
{
    place at{file, line};
    return [kernel, at](auto &&...args) mutable { launch<Kernel, launch_of>(kernel, at, 1, 0, PTOG_LAUNCH_DIRECT)(args...); };
}

/* How many cores of the kind that runs the block has. */
inline std::int64_t vector_cores()
{
    thread_state &t = here();
    return t.cube ? 1 : t.subblocks;
}

} // namespace ptog

/* ---- what a kernel asks about its block; in brackets, because programs define macros of these names ---- */

inline std::int64_t(get_block_idx)()
{
    return ptog::here().block;
}
inline std::int64_t(get_block_num)()
{
    return ptog::here().blocks;
}
inline std::int64_t(get_subblockid)()
{
    return ptog::here().subblock;
}
inline std::int64_t(get_subblockdim)()
{
    return ptog::vector_cores();
}

/* block_idx and block_num read like variables. */
namespace ptog
{
struct block_number {
    std::int64_t (*of)();
    operator std::int64_t() const
    {
        return of();
    }
};
} // namespace ptog
inline constexpr ptog::block_number block_idx{get_block_idx}, block_num{get_block_num};

#endif
