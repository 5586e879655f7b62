/* tests: the launch object of pto/ptog/runtime.hpp in few lines, so that a test compiles in no time. */
#ifndef MOCK_H
#define MOCK_H
#include <cstdio>

namespace ptog
{
template <class Body> struct fn {
    Body body;
    explicit fn(Body b) : body(b)
    {
    }
    template <class... More> auto on(int blocks, More...)
    {
        return [this, blocks](auto &&...arguments) {
            for (int i = 0; i < blocks; i++)
                body(arguments...);
        };
    }
};
} // namespace ptog

#endif
