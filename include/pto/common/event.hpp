/* pto: events: what an instruction returns, and what another waits for. An instruction records on its pipe (TLOAD on
 * MTE2, TSTORE on MTE3, the gathers on V); waiting on one's own pipe is a barrier. */
#include <pto/ptog/other_library.hpp>
#ifndef PTO_COMMON_EVENT_HPP
#define PTO_COMMON_EVENT_HPP

#include <cstdint>
#include <type_traits>

#include <pto/common/type.hpp>
#include <pto/ptog/call.hpp>

namespace pto
{

/* The rows of pto/ptog/names.def. */
enum class Op : std::uint16_t {
#define PTOG_OP(NAME, pipe) NAME,
#include <pto/ptog/names.def>
    OP_COUNT
};

/* What instructions return. */
struct RecordEvent {
    pipe_t pipe = PIPE_ALL;
};

} // namespace pto

namespace ptog
{

constexpr pipe_t pipe_of(pto::Op op)
{
    constexpr pipe_t pipes[] = {
#define PTOG_OP(NAME, pipe) pipe,
#include <pto/ptog/names.def>
    };
    return pipes[static_cast<int>(op)];
}

inline void barrier_of(pipe_t pipe, place at)
{
    bool in_order = pipe == PIPE_S || (pipe == PIPE_V && !process_settings().target->v_overtakes);
    if (!in_order) /* by itself; A5 has no barrier on V */
        barrier(pipe, at);
}

} // namespace ptog

namespace pto
{

/* From an instruction of one kind to one of another: `event = TLOAD(...)` sets a flag, the consumer waits for it. Ids
 * are taken in turn, or EventID when AutoToken is false. */
template <Op SrcOp, Op DstOp, bool AutoToken = true, event_t EventID = EVENT_ID0> class Event
{
  public:
    static constexpr pipe_t srcPipe = ptog::pipe_of(SrcOp);
    static constexpr pipe_t dstPipe = ptog::pipe_of(DstOp);

    Event() = default;
    Event(RecordEvent, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        Record(file, line);
    }

    Event &operator=(RecordEvent)
    {
        ptog::thread_state &t = ptog::here();
        Record(t.file, t.line); /* at the instruction that was recorded */
        return *this;
    }

    void Record(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        if constexpr (srcPipe != dstPipe) {
            id_ = AutoToken ? ptog::next_event_id(srcPipe, dstPipe) : static_cast<int>(EventID);
            ptog::set(srcPipe, dstPipe, id_, {file, line});
        }
        recorded_ = true;
    }

    void Wait(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        if (!recorded_)
            return;
        recorded_ = false;
        if constexpr (srcPipe == dstPipe)
            ptog::barrier_of(dstPipe, {file, line});
        else
            ptog::wait(srcPipe, dstPipe, id_, {file, line});
    }

  private:
    int id_ = 0;
    bool recorded_ = false;
};

} // namespace pto

namespace ptog
{

template <class Type> struct is_event : std::is_same<Type, pto::RecordEvent> {
};
template <pto::Op Src, pto::Op Dst, bool Auto, event_t Id> struct is_event<pto::Event<Src, Dst, Auto, Id>> : std::true_type {
};

template <class... Events> using if_events = std::enable_if_t<std::conjunction<is_event<Events>...>::value, int>;

/* Before an instruction of pipe `pipe`. Its flag is set here, after all that its own pipe was given so far: one is
 * enough for all events of that pipe, until it is given more. */
inline void wait_for(pto::RecordEvent &event, pipe_t pipe, place at)
{
    if (event.pipe == PIPE_ALL || !with_core(at).waited.add(event.pipe, pipe))
        return;
    if (event.pipe == pipe) {
        barrier_of(pipe, at);
    } else {
        int id = next_event_id(event.pipe, pipe);
        set(event.pipe, pipe, id, at);
        wait(event.pipe, pipe, id, at);
    }
}

template <pto::Op Src, pto::Op Dst, bool Auto, event_t Id> void wait_for(pto::Event<Src, Dst, Auto, Id> &event, pipe_t, place at)
{
    event.Wait(at.file, at.line);
}

/* Waits for an event of some type. */
template <class Event> void wait_for_any(void *event, pipe_t pipe, place at)
{
    wait_for(*static_cast<Event *>(event), pipe, at);
}

/* The first of many events, with the place of the call: a conversion knows where it is made. */
struct first_event {
    place at;
    void *event;
    void (*wait)(void *event, pipe_t pipe, place at);

    template <class Event, if_events<Event> = 0>
    first_event(Event &waited, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
        : at{file, line}, event(&waited), wait(wait_for_any<Event>)
    {
    }
};

} // namespace ptog

#endif
