/* pto: what several threads may change at once: a value, and a lock for everything else. <atomic> and <mutex> are compiled with every
 * kernel for the few operations that these headers need. */
#ifndef PTO_PTOG_ATOMIC_HPP
#define PTO_PTOG_ATOMIC_HPP

namespace ptog
{

/* A number or pointer. Each operation happens at once, and before everything that comes after it in program order. */
template <class Type> class atomic
{
  public:
    constexpr explicit atomic(Type value) : value_(value)
    {
    }
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;

    Type load() const
    {
        return __atomic_load_n(&value_, __ATOMIC_SEQ_CST);
    }
    void store(Type value)
    {
        __atomic_store_n(&value_, value, __ATOMIC_SEQ_CST);
    }
    Type exchange(Type value)
    {
        return __atomic_exchange_n(&value_, value, __ATOMIC_SEQ_CST);
    }
    /* Stores `wanted` where the value is `expected`; where it is not, `expected` becomes the value. */
    bool compare_exchange(Type &expected, Type wanted)
    {
        return __atomic_compare_exchange_n(&value_, &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
    Type operator++()
    {
        return __atomic_add_fetch(&value_, 1, __ATOMIC_SEQ_CST);
    }

  private:
    Type value_;
};

/* Holds `flag` until the end of its scope. For code that takes microseconds. */
class spin_lock
{
  public:
    explicit spin_lock(atomic<bool> &flag) : flag_(flag)
    {
        while (flag_.exchange(true)) {
        }
    }
    ~spin_lock()
    {
        flag_.store(false);
    }
    spin_lock(const spin_lock &) = delete;
    spin_lock &operator=(const spin_lock &) = delete;

  private:
    atomic<bool> &flag_;
};

} // namespace ptog

#endif
