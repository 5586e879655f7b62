/* pto: a function with a stack of its own, which can be left in the middle and gone on with: what the cores of a launch
 * run on that wait for each other. One runs at a time, on the thread that launched.
 *
 *     fiber core(kernel, arguments);
 *     core.resume();                // until kernel returns, or calls pause()
 *
 * Included by files alone whose kernels have such cores: <ucontext.h> brings many names. */
#ifndef PTO_PTOG_FIBER_HPP
#define PTO_PTOG_FIBER_HPP

#include <cstddef>

#include <sys/mman.h>
#include <ucontext.h>

#include <pto/ptog/settings.hpp>

/* Of AddressSanitizer, where a program is built with it: it has to know which stack is in use. */
extern "C" void __sanitizer_start_switch_fiber(void **saved, const void *bottom, std::size_t bytes) __attribute__((weak));
extern "C" void __sanitizer_finish_switch_fiber(void *saved, const void **bottom, std::size_t *bytes)
    __attribute__((weak));

namespace ptog
{

class fiber
{
  public:
    using function = void (*)(void *);

    /* `run` must not throw. */
    fiber(function run, void *with) : run_(run), with_(with)
    {
        stack_ = mmap(nullptr, stack_bytes + guard_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stack_ == MAP_FAILED || mprotect(stack_, guard_bytes, PROT_NONE) != 0)
            give_up("no memory for the stack of a core");
    }
    ~fiber()
    {
        munmap(stack_, stack_bytes + guard_bytes);
    }
    fiber(const fiber &) = delete;
    fiber &operator=(const fiber &) = delete;

    /* Runs until the function returns or pauses. True: it has returned. */
    bool resume()
    {
        void *fake = nullptr;
        if (!is_started_) {
            is_started_ = true;
            getcontext(&own_);
            own_.uc_stack.ss_sp = bottom();
            own_.uc_stack.ss_size = stack_bytes;
            own_.uc_link = nullptr;
            auto bits = reinterpret_cast<std::uintptr_t>(this);
            makecontext(&own_, reinterpret_cast<void (*)()>(reinterpret_cast<void *>(begin)), 2,
                        static_cast<unsigned>(bits & 0xffffffffu), static_cast<unsigned>(static_cast<std::uint64_t>(bits) >> 32));
        }
        if (__sanitizer_start_switch_fiber)
            __sanitizer_start_switch_fiber(&fake, bottom(), stack_bytes);
        swapcontext(&caller_, &own_);
        if (__sanitizer_finish_switch_fiber)
            __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
        return is_over_;
    }

    /* Called by the function, which goes on behind it with the next resume(). */
    void pause()
    {
        void *fake = nullptr;
        if (__sanitizer_start_switch_fiber)
            __sanitizer_start_switch_fiber(is_over_ ? nullptr : &fake, callers_, callers_bytes_);
        swapcontext(&own_, &caller_);
        if (__sanitizer_finish_switch_fiber)
            __sanitizer_finish_switch_fiber(fake, &callers_, &callers_bytes_);
    }

  private:
    static constexpr std::size_t stack_bytes = 1 << 20, guard_bytes = 1 << 16;
    function run_;
    void *with_, *stack_;
    const void *callers_ = nullptr; /* the stack of resume() */
    std::size_t callers_bytes_ = 0;
    ucontext_t own_, caller_;
    bool is_started_ = false, is_over_ = false;

    void *bottom() const
    {
        return static_cast<char *>(stack_) + guard_bytes;
    }

    /* The address comes in two halves: arguments of makecontext are ints. */
    static void begin(unsigned low, unsigned high)
    {
        auto *mine = reinterpret_cast<fiber *>(static_cast<std::uintptr_t>(static_cast<std::uint64_t>(high) << 32 | low));
        if (__sanitizer_finish_switch_fiber)
            __sanitizer_finish_switch_fiber(nullptr, &mine->callers_, &mine->callers_bytes_);
        mine->run_(mine->with_);
        mine->is_over_ = true;
        mine->pause();
    }
};

} // namespace ptog

#endif
