"""What Perfetto asks of a trace, and what ptogather promises of its own: problems(trace, stats) lists what is wrong.

Perfetto sorts events by time, keeps their order where times are equal, and holds a stack of open boxes per lane: a box that
ends after the one below it is an error, and the end of an arrow belongs to the box on top. The same is done here.
"""

PIPES = ["S", "MTE2", "V", "MTE3"]
CUBE_PIPES = ["S", "MTE2", "MTE1", "M", "FIX"]
KEYS = {"X": {"ts", "dur", "cat", "args"}, "s": {"ts", "cat", "id"}, "f": {"ts", "cat", "id", "bp"},
        "i": {"ts", "cat", "s", "args"}, "C": {"ts", "args"}, "M": {"args"}}


def nanoseconds(number):
    return round(number * 1000)


def shape_problems(trace):
    if set(trace) != {"displayTimeUnit", "traceEvents", "otherData"} or trace["displayTimeUnit"] != "ns":
        yield f"the top level is {sorted(trace)}"
    for event in trace["traceEvents"]:
        keys = {"ph", "name", "pid", "tid"} | KEYS.get(event.get("ph"), {"?"})
        if set(event) != keys:
            yield f"an event has {sorted(event)}, expected {sorted(keys)}: {event}"
        elif event.get("ts", 0) < 0 or event.get("dur", 0) < 0:
            yield f"a negative time: {event}"


def lane_problems(events):
    """Processes and lanes have names of their own, and the pipes are always there."""
    names, processes = {}, {}
    for event in (e for e in events if e["ph"] == "M"):
        if event["name"] == "process_name":
            processes[event["pid"]] = event["args"]["name"]
        if event["name"] == "thread_name":
            names[event["pid"], event["tid"]] = event["args"]["name"]
    for pid in {e["pid"] for e in events}:
        mine = sorted(name for (p, _), name in names.items() if p == pid)
        if pid not in processes:
            yield f"process {pid} has no name"
        if len(set(mine)) != len(mine) or not any(set(pipes) <= set(mine) for pipes in (PIPES, CUBE_PIPES)):
            yield f"the lanes of process {pid} are called {mine}"
    for event in events:
        if event["ph"] in "Xsfi" and (event["pid"], event["tid"]) not in names:
            yield f"a lane without a name: {event}"


def belongs(event, box):
    """Whether the end of an arrow stands in the box it should. Those of counters are looked for by counter_arrow_problems."""
    if event["cat"] == "counter":
        return True
    words = ("set_flag",) if event["ph"] == "s" else ("wait_flag", "left set:")
    return box is not None and box["name"] in [f"{word} {event['name']}" for word in words]


def replay_problems(events):
    """Boxes nest, and arrows stand in their boxes."""
    stacks = {}
    for event in sorted((e for e in events if e["ph"] in "Xsf"), key=lambda e: nanoseconds(e["ts"])):
        stack, now = stacks.setdefault((event["pid"], event["tid"]), []), nanoseconds(event["ts"])
        if event["ph"] != "X":
            if not belongs(event, stack[-1][1] if stack else None):
                yield f"an arrow outside its box: {event}, in {stack[-1:]}"
            continue
        while stack and stack[-1][0] <= now:
            stack.pop()
        end = now + nanoseconds(event["dur"])
        if stack and end > stack[-1][0]:
            yield f"two boxes overlap in part: {stack[-1][1]} and {event}"
        if stack and end > now:
            yield f"one box in another: {stack[-1][1]} and {event}"
        stack.append((end, event))


def flow_problems(events):
    ends = {}
    for event in (e for e in events if e["ph"] in "sf"):
        ends.setdefault((event["cat"], event["name"], event["id"]), []).append(event)
    for key, pair in ends.items():
        if [e["ph"] for e in pair] != ["s", "f"]:
            yield f"the arrow {key} has the ends {[e['ph'] for e in pair]}"
        elif pair[0]["ts"] > pair[1]["ts"] or pair[1]["bp"] != "e":
            yield f"an arrow goes back in time: {pair}"


def counter_arrow_problems(events):
    """The arrow of a counter goes from a set, mostly on another core, to the wait. Its end follows the box of the wait, which was
    told just before; whose set it was is known only then, so the beginning has a box somewhere at that time."""
    sets = {}
    for event in (e for e in events if e["ph"] == "X" and e["cat"] == "flag"):
        sets.setdefault((event["pid"], event["tid"], nanoseconds(event["ts"])), []).append(event["name"])
    begins = {}
    for before, event in zip(events, [*events[1:], {"ph": "", "cat": ""}]):
        if before.get("cat") == "wait" and before["name"].startswith("sync.wait ") and (event["ph"], event.get("cat")) != ("s", "counter"):
            yield f"a wait for a counter without an arrow: {before}"
        if event["ph"] not in "sf" or event["cat"] != "counter":
            continue
        number = event["name"].removeprefix("counter ")
        if event["ph"] == "s":
            begins[event["id"]] = event, before
            wanted = ("tpush", "tpop", "tfree") if number == "FIFO" else (f"sync.set {number}",)
            if not any(name.startswith(wanted) for name in sets.get((event["pid"], event["tid"], nanoseconds(event["ts"])), [])):
                yield f"an arrow of a counter that is not set there: {event}"
            continue
        begin, box = begins.get(event["id"], (None, None))
        if begin is None or (number != "FIFO" and box["name"] != f"sync.wait {number}") or box["pid"] != event["pid"]:
            yield f"an arrow of a counter that is not waited for there: {event}"


def counter_problems(events, ub_bytes):
    counters = {}
    for event in (e for e in events if e["ph"] == "C"):
        counters.setdefault(event["pid"], []).append((event["ts"], event["args"]["bytes"]))
    worked = {e["pid"] for e in events if e["ph"] == "X" and "UB " in e["args"].get("writes", "")}
    for pid in worked - set(counters):
        yield f"process {pid} writes UB and has no counter"
    for pid, values in counters.items():
        if values != sorted(values, key=lambda pair: pair[0]):
            yield f"the counter of process {pid} goes back in time"
        if values[-1][1] != 0 or not all(0 <= value <= ub_bytes and value % 32 == 0 for _, value in values):
            yield f"the counter of process {pid}: {values}"


def deadlock_problems(events):
    """A wait without a set is shown, to the end of its core."""
    stuck = {e["pid"] for e in events if e["ph"] == "i" and e["name"] == "flag-never-set"}
    blocked = {e["pid"] for e in events if e["ph"] == "X" and e["name"].startswith("blocked: wait_flag ")}
    if stuck != blocked:
        yield f"processes {sorted(stuck)} report a deadlock, and {sorted(blocked)} show one"
    hung = [e for e in events if e["ph"] == "X" and e["name"].startswith("blocked: ") and not e["name"].startswith("blocked: wait_flag ")]
    if any(e["name"] == "deadlock" for e in events) != bool(hung):
        yield f"{len(hung)} waits of cores last for ever"


def box_problems(events):
    faults = {e["name"] for e in events if e["ph"] == "i"}
    cut = bool(faults & {"dma-field-overflow", "dma-misaligned"})  # then nothing may be moved
    for event in (e for e in events if e["ph"] == "X"):
        args = event["args"]
        if event["cat"] == "work" and not {"instruction", "place", "cycles"} <= set(args):
            yield f"a box that does not say what it is: {event}"
        empty = args.get("lenBurst") == 0  # a view without elements moves nothing
        if event["cat"] == "work" and args["instruction"] in ("tload", "tstore") and not cut and not empty and not (
                {"reads", "writes", "bytes"} <= set(args)):
            yield f"a transfer without its operands: {event}"


def count_problems(events, stats):
    """The figures of --stats, counted in the trace."""
    boxes = [e for e in events if e["ph"] == "X"]
    other = ("left set:", "blocked:", "queues full")
    found = {"sets": sum(e["cat"] == "flag" and not e["name"].startswith(other) for e in boxes),
             "waits": sum(e["cat"] == "wait" and not e["name"].startswith(other) for e in boxes),
             "barriers": sum(e["cat"] == "barrier" for e in boxes)}
    for name, number in found.items():
        if number != stats[name]:
            yield f"{number} {name}, and --stats counts {stats[name]}"
    end = max((nanoseconds(e["ts"]) + nanoseconds(e.get("dur", 0)) for e in events if "ts" in e), default=0)
    if not -0.0011 < end / 1000 - stats["us"] < 0.02:  # whole nanoseconds; and --stats ends before the last waits
        yield f"the trace ends at {end / 1000} us, and --stats says {stats['us']}"


def problems(trace, stats):
    wrong = list(shape_problems(trace))
    if wrong:
        return wrong
    events = trace["traceEvents"]
    ub_bytes = {"a2a3": 196608}.get(trace["otherData"]["target"], 262144)
    return [*lane_problems(events), *replay_problems(events), *flow_problems(events), *counter_problems(events, ub_bytes),
            *counter_arrow_problems(events),
            *box_problems(events), *deadlock_problems(events), *count_problems(events, stats)]
