"""The pytest plugin, which is installed with the package.

`ptog_clean("k.pto", **inputs)` is a fixture: it runs a program and fails with the caret report when that is not clean.
`pytest --ptog DIR` collects every .pto file below DIR as a test on each of its targets, with synthetic inputs.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional, Set

import pytest


class NotClean(Exception):
    """A program that is not clean: its text is the report."""


class NotModelled(NotClean):
    """A program that nothing is wrong with, as far as it is modelled: nobody can say whether it is right."""


def _refusal(error: Any) -> str:
    """The report of a program that does not run; the exception's own line where there is no report."""
    return str(error.report or error).rstrip()


def _run(program: Any, target: Any, inputs: dict[str, Any], **options: Any) -> Any:
    """Runs it; NotClean when it is refused or there is an error."""
    import ptogather as pg
    try:
        result = pg.run(program, target, inputs=inputs, **options)
    except pg.Refused as error:
        errors = {one.id for one in error.diagnostics if one.severity == "error"}
        kind = NotModelled if errors == {"text-not-modelled"} else NotClean
        raise kind(_refusal(error)) from None
    if not result.clean:
        raise NotClean(f"{result.program.name} on {result.target} is not clean:\n{result.diagnostics}".rstrip())
    return result


@pytest.fixture
def ptog_clean() -> Callable[..., Any]:
    """Runs a program and fails with its report unless it is clean; gives the Result."""

    def clean(program: Any, target: Optional[str] = None, *, function: Optional[str] = None, **inputs: Any) -> Any:
        __tracebackhide__ = True
        import ptogather as pg
        try:
            program = pg.Program(program)
            given = {**pg.synthetic_inputs(program, function), **inputs}
            return _run(program, target, given, function=function)
        except pg.Refused as error:
            report = _refusal(error)
        except NotClean as error:
            report = str(error)
        return pytest.fail(report, pytrace=False)  # here, where no exception is handled that pytest would show as well

    return clean


def pytest_addoption(parser: Any) -> None:
    parser.getgroup("ptogather").addoption("--ptog", action="append", default=[], metavar="DIR",
                                           help="collect every .pto file below DIR as a test on its targets")


def pytest_configure(config: Any) -> None:
    for place in config.getoption("--ptog"):
        path = Path(place).absolute()
        if not path.exists():
            raise pytest.UsageError(f"--ptog {place}: there is no such file or directory")
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
        for function in program.functions:
            for target in targets_of(program):
                name = f"{function}-{target}" if len(program.functions) > 1 else target
                yield PtoItem.from_parent(self, name=name, program=program, target=target, entry=function, problem=None)


def targets_of(program: Any) -> List[str]:
    """The one that the module names; else all that accept it; else host, which then says what is wrong."""
    import ptogather as pg
    if program.target is not None:
        return [program.target]
    return list(pg.check(program, target="all").accepted_by) or ["host"]


class PtoItem(pytest.Item):
    """One program on one target."""

    def __init__(self, *, program: Any, target: str, entry: Optional[str], problem: Any, **more: Any) -> None:
        super().__init__(**more)
        self.program, self.target, self.entry, self.problem = program, target, entry, problem

    def runtest(self) -> None:
        import ptogather as pg
        if self.problem is not None:
            raise NotClean(_refusal(self.problem) if isinstance(self.problem, pg.Refused) else str(self.problem))
        inputs = pg.synthetic_inputs(self.program, self.entry)
        try:
            _run(self.program, self.target, inputs, function=self.entry, trace=False)
        except NotModelled as error:
            pytest.skip(str(error).splitlines()[0])

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, NotClean):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> Any:
        return self.path, 0, f"{self.path.name} on {self.target}"
