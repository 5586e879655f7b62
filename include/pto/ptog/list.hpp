/* pto: a growing list of things that can be moved as bytes. What std::vector does besides is compiled with every kernel
 * and used by none of these headers: with it one kernel took a tenth longer to compile. */
#ifndef PTO_PTOG_LIST_HPP
#define PTO_PTOG_LIST_HPP

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include <pto/ptog/settings.hpp>

namespace ptog
{

/* `data` with room for at least `needed` things of so many bytes each. */
inline void *grown(void *data, std::size_t needed, std::size_t *room, std::size_t each)
{
    if (needed <= *room)
        return data;
    std::size_t wanted = *room < 8 ? 16 : 2 * *room;
    *room = wanted < needed ? needed : wanted;
    data = std::realloc(data, *room * each);
    if (!data)
        give_up("out of memory");
    return data;
}

template <class Type> class list
{
    static_assert(std::is_trivially_copyable_v<Type>);

  public:
    list() = default;
    list(const list &other)
    {
        append(other.data_, other.size_);
    }
    list &operator=(const list &other)
    {
        if (this != &other) {
            size_ = 0;
            append(other.data_, other.size_);
        }
        return *this;
    }
    ~list()
    {
        std::free(data_);
    }

    void append(const Type *from, std::size_t count)
    {
        data_ = static_cast<Type *>(grown(data_, size_ + count, &room_, sizeof(Type)));
        if (count > 0)
            std::memcpy(data_ + size_, from, count * sizeof(Type));
        size_ += count;
    }
    void push_back(Type one)
    {
        append(&one, 1);
    }
    void insert(std::size_t at, Type one)
    {
        push_back(one);
        std::memmove(data_ + at + 1, data_ + at, (size_ - 1 - at) * sizeof(Type));
        data_[at] = one;
    }
    void erase(std::size_t at)
    {
        std::memmove(data_ + at, data_ + at + 1, (--size_ - at) * sizeof(Type));
    }
    void clear()
    {
        size_ = 0;
    }

    Type *data()
    {
        return data_;
    }
    const Type *data() const
    {
        return data_;
    }
    std::size_t size() const
    {
        return size_;
    }
    bool empty() const
    {
        return size_ == 0;
    }
    Type &operator[](std::size_t i)
    {
        return data_[i];
    }
    const Type &operator[](std::size_t i) const
    {
        return data_[i];
    }
    Type *begin()
    {
        return data_;
    }
    Type *end()
    {
        return data_ + size_;
    }
    const Type *begin() const
    {
        return data_;
    }
    const Type *end() const
    {
        return data_ + size_;
    }

  private:
    Type *data_ = nullptr;
    std::size_t size_ = 0, room_ = 0;
};

} // namespace ptog

#endif
