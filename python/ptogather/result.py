"""What a run left behind: outputs, tiles, findings, figures, the timeline, the page."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Dict, Iterator, Mapping, Optional, Tuple

from . import html
from ._library import Output, PathLike, ffi, fields, lib, name_bytes, nearest, short, target_of, text_of, write_whole
from .collector import Collector, Judged
from .diagnostics import Diagnostics, Fault, first_line, refused, status_error
from .elements import FloatArray
from .execution import Executed
from .judging import worst_verdict
from .literals import Target, Verdict
from .pages import page_of
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
            raise KeyError(f"{short(name)} is not a tile of the program{nearest(name, self._tiles)}")
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

    def __init__(self, program: "Program", ran: Executed, found: Judged, bindings: "Bindings",
                 generated: Tuple[str, ...], *, checked: bool, allow_empty: bool, allow_unjudged: bool) -> None:
        self.program, self.target = program, ran.target
        self.judged: Dict[Target, Diagnostics] = found.judged
        """What was found on each target that the program was judged on."""
        self.refused_by: Dict[Target, Diagnostics] = found.refused_by
        """Why a target does not take the program, which was judged on others."""
        self.diagnostics: Diagnostics = found.diagnostics
        """Everything that was found; each finding has its target."""
        self.outputs: Dict[str, Any] = dict(bindings.outputs)
        """The arrays that the program stored to, by name."""
        self.inputs: Dict[str, Any] = {name: value for name, value in bindings.arrays.items() if name not in self.outputs}
        """The other arguments, by name."""
        self.generated = generated
        """The names of the arguments that were not given."""
        self._allowed = {"allow_empty": allow_empty, "allow_unjudged": allow_unjudged}
        self._handle, self._diags, self._timeline, self._checked = ran.handle, ran.diags, ran.timeline, checked
        self._closed = False
        stats = ffi.new("struct ptog_stats *")
        has_stats = ran.handle is not None and lib.ptog_result_stats(ran.handle, stats) == lib.PTOG_OK
        self._stats = stats_of(stats) if has_stats else None
        self._raw_stats = stats if has_stats else ffi.NULL
        self._entries = self._map() if ran.handle is not None else ffi.new("struct ptog_ub_entry[]", 0)

    def _map(self) -> Any:
        """The map of the on-chip buffer; its strings live as long as the handle."""
        entry = ffi.new("struct ptog_ub_entry *")
        found: list[Any] = []
        while lib.ptog_result_ub_at(self._handle, len(found), entry):
            found.append(ffi.new("struct ptog_ub_entry *", entry[0])[0])
        return ffi.new("struct ptog_ub_entry[]", found)

    def _open(self) -> Any:
        if self._closed:
            raise ValueError("result: it is closed")
        if self._handle is None:
            raise ValueError(f"result: the program did not run to its end on {self.target}")
        return self._handle

    def close(self) -> None:
        """Frees what the machine left. Outputs, diagnostics and figures stay; tiles, map and page do not."""
        self._handle = self._timeline = None
        self._closed = True

    def __enter__(self) -> "Result":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def verdict(self) -> Verdict:
        """"passed", "failed" or "not judged", over all targets that the program was judged on."""
        return worst_verdict(self.judged.values(), **self._allowed)

    @property
    def clean(self) -> bool:
        """The verdict is "passed". On a target with pipes that is a proof for all timings, unless sanitize=False."""
        return self.verdict == "passed"

    @property
    def stats(self) -> Stats:
        """The machine's figures; host and cpu have no machine."""
        if self._stats is None:
            raise ValueError(f"stats: {self.target} does not simulate pipes: there are no figures; run with target=\"a2a3\" or another device")
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

    def why_not_clean(self) -> str:
        """The program, the verdict and the report, for a message."""
        what = {"failed": "is not clean", "not judged": "is not judged"}.get(self.verdict, "is clean")
        return f"{self.program.name} on {' and '.join(self.judged)} {what}:\n{self.diagnostics}".rstrip()

    def require_clean(self) -> "Result":
        """Itself; raises Fault unless it is clean."""
        if not self.clean:
            said = first_line(f"run on {' and '.join(self.judged)}", self.diagnostics, self.program.name)
            raise Fault(said if self.verdict == "failed" else f"not judged: {said}", self.diagnostics, self)
        return self

    # ---- the timeline

    def _trace(self) -> bytes:
        self._open()
        if self._timeline is None:
            raise ValueError(f"trace: not available: {self.target} does not simulate pipes, or trace=False was given")
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
        if self.target not in self.judged:
            raise ValueError(f"report: a page has one target, and the program was judged on {' and '.join(self.judged)}: "
                             f"run with target={next(iter(self.judged))!r}")
        page = page_of(self.program.name, self.program.text.encode("utf-8", "surrogateescape"), self.target, self._diags,
                       unchecked=not self._checked, stats=self._raw_stats, entries=self._entries, timeline=self._timeline)
        del handle
        return page

    def report(self, path: PathLike) -> None:
        """Writes one page for a browser: findings, timeline, figures, on-chip buffer, program."""
        write_whole(path, self._page())

    def _repr_html_(self) -> str:
        if self._handle is None or self.target not in self.judged:
            return self.diagnostics._repr_html_()
        return html.frame(self._page().decode("utf-8", "replace"))

    def __repr__(self) -> str:
        ids = ", ".join(dict.fromkeys(item.id for item in self.diagnostics if item.severity == "error" or item.unjudged))
        verdict = "clean" if self.clean else ids if self.verdict == "failed" else f"not judged, {ids}"
        suppressed = f", {self.diagnostics.suppressed} suppressed" if self.diagnostics.suppressed else ""
        return f"<ptogather.Result {self.program.name!r} on {' and '.join(self.judged)}: {verdict}{suppressed}>"
