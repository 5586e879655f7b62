"""The pytest plugin, which is installed with the package.

`ptog_clean("k.pto", **inputs)` is a fixture: it runs a program and fails with the caret report when that is not clean.
`pytest --ptog DIR` collects every .pto file below DIR as a test on each of its targets, with generated inputs.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional, Set

import pytest


class NotClean(Exception):
    """A program that is not clean: its text is the report."""


def _refusal(error: Any) -> str:
    """The report of a program that does not run; the exception's own line where there is no report."""
    return str(error.report or error).rstrip()


def _run(program: Any, target: Any, inputs: dict[str, Any], **options: Any) -> Any:
    """Runs it; NotClean when it is refused, failed, or was not judged."""
    import ptogather as pg
    try:
        result = pg.run(program, target, inputs=inputs, **options)
    except pg.Refused as error:
        raise NotClean(_refusal(error)) from None
    if not result.clean:
        raise NotClean(result.why_not_clean())
    return result


@pytest.fixture
def ptog_clean() -> Callable[..., Any]:
    """Runs a program and fails with its report unless it is clean; gives the Result. Inputs that are not given are
    generated."""

    def clean(program: Any, target: Any = None, *, function: Optional[str] = None, allow_empty: bool = False,
              allow_unjudged: bool = False, **inputs: Any) -> Any:
        __tracebackhide__ = True
        import ptogather as pg
        from ptogather.synthetic import complete_inputs
        try:
            program = pg.Program(program)
            given = complete_inputs(program, target, function, inputs)
            return _run(program, target, given, function=function, allow_empty=allow_empty, allow_unjudged=allow_unjudged)
        except pg.Refused as error:
            report = _refusal(error)
        except NotClean as error:
            report = str(error)
        return pytest.fail(report, pytrace=False)  # here, where no exception is handled that pytest would show as well

    return clean


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("ptogather")
    group.addoption("--ptog", action="append", default=[], metavar="DIR",
                    help="collect every .pto file below DIR as a test on its targets")
    group.addoption("--ptog-allow-empty", action="store_true", help="let programs that execute nothing pass")
    group.addoption("--ptog-allow-unjudged", action="store_true", help="skip programs that were not judged to the end")


def pytest_configure(config: Any) -> None:
    for place in config.getoption("--ptog"):
        path = Path(place).absolute()
        if not path.exists():
            raise pytest.UsageError(f"--ptog {place}: no such file or directory")
        if str(path) not in config.args:
            config.args.append(str(path))


def pytest_collection_modifyitems(items: List[Any]) -> None:
    """A program below two of the places that pytest looks at is one test for each target, not two."""
    seen: Set[str] = set()
    for item in [item for item in items if isinstance(item, PtoItem)]:
        if item.nodeid in seen:
            items.remove(item)
        seen.add(item.nodeid)


def _is_about_the_test(excinfo: Any) -> bool:
    """Whether an exception is about a program or an argument of the test, and not a defect of the package."""
    import ptogather as pg
    return excinfo is not None and isinstance(excinfo.value, (pg.Error, AssertionError, TypeError, ValueError))


def pytest_runtest_setup() -> None:
    """Tracebacks of such exceptions end at the line of the test: pytest leaves out modules with this name."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "ptogather":
            vars(module).setdefault("__tracebackhide__", _is_about_the_test)


def pytest_collect_file(file_path: Path, parent: Any) -> Optional[Any]:
    places = [Path(place).resolve() for place in parent.config.getoption("--ptog")]
    if file_path.suffix != ".pto" or not any(file_path.resolve().is_relative_to(place) for place in places):
        return None
    return PtoFile.from_parent(parent, path=file_path)


class PtoFile(pytest.File):
    """A program: a test for each function and target."""

    def collect(self) -> Iterator[Any]:
        import ptogather as pg
        try:
            program = pg.Program(self.path)
        except (pg.Refused, OSError) as error:
            yield PtoItem.from_parent(self, name="read", program=None, target="", entry=None, problem=error)
            return
        functions = program.functions if program.entry is None else [program.entry]
        for function in functions:
            for target in targets_of(program):
                name = f"{function}-{target}" if len(functions) > 1 else target
                yield PtoItem.from_parent(self, name=name, program=program, target=target, entry=function, problem=None)


def targets_of(program: Any) -> List[str]:
    """The one that the module names; else a2a3 and a5, or the one of them that accepts it."""
    import ptogather as pg
    from ptogather.judging import DEVICES
    if program.target is not None:
        return [program.target]
    accepted = pg.check(program, target="all").accepted_by
    return [target for target in DEVICES if target in accepted] or list(DEVICES)


class PtoItem(pytest.Item):
    """One program on one target."""

    def __init__(self, *, program: Any, target: str, entry: Optional[str], problem: Any, **more: Any) -> None:
        super().__init__(**more)
        self.program, self.target, self.entry, self.problem = program, target, entry, problem

    def runtest(self) -> None:
        if self.problem is not None:
            import ptogather as pg
            raise NotClean(_refusal(self.problem) if isinstance(self.problem, pg.Refused) else str(self.problem))
        option = self.config.getoption
        result = _run(self.program, self.target, {}, function=self.entry, trace=False, allow_unjudged=option("--ptog-allow-unjudged"),
                      allow_empty=option("--ptog-allow-empty"))
        unjudged = [item.message for item in result.diagnostics if item.unjudged and item.id != "run-empty"]
        if unjudged:
            pytest.skip(f"not judged: {unjudged[0]}")

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, NotClean):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> Any:
        return self.path, 0, f"{self.path.name} on {self.target}"
