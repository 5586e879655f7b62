"""Fixes of a report applied to a program: the steps of JSON by their fields, those of SARIF by their regions.

An edit is (start, end, text), in characters of the program."""
import re


class Overlap(Exception):
    """Edits that cannot be applied together."""


class Text:
    """A program, with its lines and columns."""

    def __init__(self, text):
        self.text, self.starts = text, [0]
        for line in text.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def at(self, line, column):
        return min(self.starts[line - 1] + column - 1, len(self.text))

    def line(self, line):
        return self.text[self.starts[line - 1]:self.starts[line] - 1]

    def applied(self, edits):
        """All edits at once, each once; what is inserted at one place stands in the order of the list."""
        done, parts = 0, []
        for start, end, text in sorted(dict.fromkeys(edits), key=lambda edit: edit[0]):
            if start < done:
                raise Overlap(f"edits overlap: {edits}")
            parts += [self.text[done:start], text]
            done = end
        return "".join(parts) + self.text[done:]


def of_step(text, step):
    """The edits of a step of the JSON report."""
    if step["kind"] == "words":
        return
    removed = step["line"] if step["side"] == "remove" else step.get("from_line")
    if removed:
        yield text.at(removed, 1), text.at(removed + 1, 1), ""
    at = text.at(step["line"], step["column"])
    indent = re.match(r"[ \t]*", text.line(step["line"]))[0]
    if step["side"] == "before":
        yield at, at, f"{step['statement']}\n{indent}"
    elif step["side"] == "after":
        yield at, at, f"\n{indent}{step['statement']}"
    elif step["side"] == "instead":
        yield at, text.at(step["line"], step["end_column"]), step["statement"]


def of_sarif(text, fixes):
    """The edits of the `fixes` of a result of SARIF."""
    for replacement in (edit for fix in fixes for change in fix["artifactChanges"] for edit in change["replacements"]):
        region = replacement["deletedRegion"]
        last = region.get("endLine", region["startLine"])
        yield (text.at(region["startLine"], region["startColumn"]), text.at(last, region["endColumn"]),
               replacement.get("insertedContent", {}).get("text", ""))
