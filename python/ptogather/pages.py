"""The page of a run: what `ptog run --report` writes, for programs and for kernels in Python."""

from __future__ import annotations

from typing import Any, Optional

from ._library import Output, ffi, lib, name_bytes, target_of
from .collector import Collector
from .diagnostics import status_error
from .literals import Target


def page_of(name: str, text: bytes, target: Target, diags: Collector, *, unchecked: bool, stats: Any, entries: Any,
            timeline: Optional[Output]) -> bytes:
    """One page for a browser: findings, timeline, figures, on-chip buffer, and the program `text`."""
    trace = timeline.bytes() if timeline is not None else b""
    title, keep = ffi.new("char[]", name_bytes(name, "name")), (ffi.from_buffer(text), ffi.from_buffer(trace))
    page = ffi.new("struct ptog_page *", {
        "name": title, "text": keep[0], "text_bytes": len(text), "target": target_of(target), "diags": diags.handle,
        "ran": True, "unchecked": unchecked, "stats": stats, "entries": entries, "entry_count": len(entries),
        "trace": keep[1], "trace_bytes": len(trace)})
    output = Output()
    status = lib.ptog_report_page(page, output.sink)
    if status != lib.PTOG_OK:
        raise status_error(status, "report")
    return output.bytes()
