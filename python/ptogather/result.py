"""What a run left behind: outputs, tiles, findings, figures, the timeline, the page."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Tuple

from . import html
from ._library import Output, PathLike, constants, ffi, fields, lib, name_bytes, nearest, short, target_of, text_of, write_whole
from .diagnostics import Collector, Diagnostics, Fault, first_line, refused, status_error
from .elements import FloatArray
from .literals import Target
from .stats import Stats, stats_of
from .tiles import Tile, TileView, new_region

if TYPE_CHECKING:
    from .bind import Bindings
    from .program import Program


class Tiles(Mapping[str, TileView]):
    """The tiles of a run by name, as they were at its end."""

    def __init__(self, owner: "Result") -> None:
        self._owner = owner
        name, tile = ffi.new("const char **"), ffi.new("struct ptog_tile *")
        self._tiles: dict[str, Tile] = {}
        handle = owner._open()
        while lib.ptog_result_tile_at(handle, len(self._tiles), name, tile):
            self._tiles[text_of(name[0]) or ""] = Tile._of(tile[0])

    def __getitem__(self, name: str) -> TileView:
        if name not in self._tiles:
            raise KeyError(f"{short(name)} is no tile of the program{nearest(name, self._tiles)}")
        tile = self._tiles[name]
        region = new_region(tile)
        bits = region.bits if isinstance(region, FloatArray) else region
        status = lib.ptog_result_copy(self._owner._open(), name_bytes(name, "name"), ffi.from_buffer(bits), bits.nbytes)
        if status != lib.PTOG_OK:
            raise status_error(status, "tiles")
        return TileView(name, tile, region)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tiles)

    def __len__(self) -> int:
        return len(self._tiles)

    def __repr__(self) -> str:
        return f"Tiles({', '.join(f'{name}: {tile!r}' for name, tile in self._tiles.items())})"


class Result:
    """What `pg.run` returns; it owns its memory. `close` gives back the machine's before the object goes."""

    def __init__(self, program: "Program", target: Target, handle: Any, diags: Collector, bindings: "Bindings",
                 timeline: Optional[Output], checked: bool) -> None:
        self.program, self.target = program, target
        self.diagnostics: Diagnostics = diags.take(target)
        self.outputs: dict[str, Any] = dict(bindings.outputs)
        """The arrays that the program stored to, by name."""
        self._handle, self._diags, self._timeline, self._checked = handle, diags, timeline, checked
        stats = ffi.new("struct ptog_stats *")
        self._stats = stats_of(stats) if lib.ptog_result_stats(handle, stats) == lib.PTOG_OK else None
        self._raw_stats = stats if self._stats is not None else ffi.NULL
        self._entries = self._map()

    def _map(self) -> Any:
        """The map of the on-chip buffer; its strings live as long as the handle."""
        entry = ffi.new("struct ptog_ub_entry *")
        found: list[Any] = []
        while lib.ptog_result_ub_at(self._handle, len(found), entry):
            found.append(ffi.new("struct ptog_ub_entry *", entry[0])[0])
        return ffi.new("struct ptog_ub_entry[]", found)

    def _open(self) -> Any:
        if self._handle is None:
            raise ValueError("result: it is closed")
        return self._handle

    def close(self) -> None:
        """Frees what the machine left. Outputs, diagnostics and figures stay; tiles, map and page do not."""
        self._handle = self._timeline = None

    def __enter__(self) -> "Result":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def clean(self) -> bool:
        """There is no error. On a target with pipes that is a proof for all timings, unless sanitize=False."""
        return self.diagnostics.clean

    @property
    def stats(self) -> Stats:
        """The machine's figures; host and cpu have no machine."""
        if self._stats is None:
            raise ValueError(f"stats: {self.target} has no machine: there are no figures")
        return self._stats

    @property
    def tiles(self) -> Tiles:
        return Tiles(self)

    @property
    def ub(self) -> Tuple[Any, ...]:
        """Who sat where in the on-chip buffer: addr, bytes, dtype, rows, cols, operand, first and last use."""
        handle = self._open()
        found = tuple(SimpleNamespace(**fields(entry)) for entry in self._entries)
        del handle
        return found

    def placed(self) -> "Program":
        """The program as it ran: every tile with its address, and the flags that it needed when it had none."""
        from .program import Program
        output, diags = Output(), Collector()
        status = lib.ptog_result_program(self._open(), output.sink, diags.handle)
        if status == lib.PTOG_ILLEGAL:
            raise refused("placed", diags.take(self.target))
        if status != lib.PTOG_OK:
            raise status_error(status, "placed")
        return Program(output.bytes(), self.program.name)

    def require_clean(self) -> "Result":
        """Itself; raises Fault when there is an error."""
        if not self.clean:
            raise Fault(first_line(f"run on {self.target}", self.diagnostics, self.program.name), self.diagnostics, self)
        return self

    # ---- the timeline

    def _trace(self) -> bytes:
        self._open()
        if self._timeline is None:
            raise ValueError(f"trace: there is none: {self.target} has no machine, or the run was told trace=False")
        if self._timeline.cut:
            raise ValueError("trace: it is longer than what was kept: run with trace= and more bytes")
        return self._timeline.bytes()

    @property
    def trace(self) -> Any:
        """The timeline, Chrome trace event JSON, as objects."""
        return json.loads(self._trace())

    def save_trace(self, path: PathLike) -> None:
        """Writes the timeline for https://ui.perfetto.dev; the file appears when it is complete."""
        write_whole(path, self._trace())

    # ---- the page

    def _page(self) -> bytes:
        handle = self._open()
        text = self.program.text.encode("utf-8", "surrogateescape")
        name, timeline = ffi.new("char[]", name_bytes(self.program.name, "name")), b""
        if self._timeline is not None:
            timeline = self._timeline.bytes()[:constants["PTOG_PAGE_TRACE"] + 1]
        keep = (ffi.from_buffer(text), ffi.from_buffer(timeline))
        page = ffi.new("struct ptog_page *", {
            "name": name, "text": keep[0], "text_bytes": len(text), "target": target_of(self.target),
            "diags": self._diags.handle, "ran": True, "unchecked": not self._checked, "stats": self._raw_stats,
            "entries": self._entries, "entry_count": len(self._entries), "trace": keep[1],
            "trace_bytes": len(timeline)})
        output = Output()
        status = lib.ptog_report_page(page, output.sink)
        del handle
        if status != lib.PTOG_OK:
            raise status_error(status, "report")
        return output.bytes()

    def report(self, path: PathLike) -> None:
        """Writes one page for a browser: findings, timeline, figures, on-chip buffer, program."""
        write_whole(path, self._page())

    def _repr_html_(self) -> str:
        if self._handle is None:
            return self.diagnostics._repr_html_()
        return html.frame(self._page().decode("utf-8", "replace"))

    def __repr__(self) -> str:
        verdict = "clean" if self.clean else ", ".join(item.id for item in self.diagnostics.errors)
        return f"<ptogather.Result {self.program.name!r} on {self.target}: {verdict}>"
