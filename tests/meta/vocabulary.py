"""Names and head comments of src/ and tool/: no word in an identifier that needs a glossary, no static function whose name says
nothing because many files have it, and no file that opens without a sentence about itself."""

import argparse
import collections
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, tracked  # noqa: E402

# Words of identifiers and of file names, and what to write instead.
WORDS = {
    "asks": "rules, requires", "asked": "checked, wanted", "court": "sanitizer_shared", "could": "possible", "tape": "order_log",
    "tapes": "order_logs", "taped": "logged", "lodger": "live_range", "lodgers": "live_ranges", "lodgings": "ub_allocator",
    "habit": "quirk", "habits": "target_quirks", "circumstances": "rule_context", "recall": "resolved_cache",
    "recalled": "resolved", "elsewhere": "other_target", "stray": "escape", "strays": "escape_check", "promise": "forward_address",
    "promised": "forward", "takes": "accepts", "mend": "fix", "mends": "fixes", "mended": "fixed",
}
# Of struct, enum and union tags also these.
TYPE_WORDS = {"carry": "undef_propagation", "found": "diag_entry", "finds": "diag_list", "finding": "diag_entry", "findings": "diag_list"}
LIMIT = re.compile(r"(?:[A-Z]+_)*MOST_[A-Z_]+")  # of macros: MAX_...
MAX_FILES = 3  # with a static function of one name

NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
TAG = re.compile(r"\b(?:struct|union|enum)\s+(\w+)\s*\{")
STATIC = re.compile(r"^(?:__attribute__\(\([^\n]*\)\)\s*)?static\s+(?:[\w*]+\s+)*?\**(\w+)\s*\(", re.MULTILINE)
HEAD = re.compile(r"\s*/\*(.*?)\*/", re.DOTALL)


def code_of(text):
    return NOT_CODE.sub(" ", text)


def bad_words(names, words):
    return sorted({f"{name}: write {words[word]}" for name in names for word in name.lower().split("_") if word in words})


def static_functions(code):
    return set(STATIC.findall(code))


def has_head(text):
    """Whether a file opens with a comment of a full sentence: some words, and an end."""
    head = HEAD.match(text)
    words = re.sub(r"[\s*]+", " ", head[1]).strip() if head else ""
    return len(words.split()) >= 5 and bool(re.search(r"[.:](?: |$)", words))


def crowded_names(files):
    """Names of static functions that stand in too many files."""
    places = collections.defaultdict(set)
    for path, text in files.items():
        for name in static_functions(code_of(text)):
            places[name].add(path)
    return [f"{name}: {', '.join(sorted(found))}" for name, found in sorted(places.items()) if len(found) > MAX_FILES]


def check_itself(checks):
    seen = [bad_words(["ptog_court"], WORDS), bad_words(["could_help"], WORDS), bad_words(["ptog_found"], TYPE_WORDS)]
    checks.check("words are seen", [] if all(seen) else "not all")
    checks.check("others are not", bad_words(["masks", "foundry", "mistakes", "ptog_quirk"], {**WORDS, **TYPE_WORDS}))
    statics = static_functions("static int a(void)\n{\nstatic const struct b *c(int d)\n{\nstatic inline bool e(void)\n{\nstatic int f[] = {g(1)};\nint h(void)\n")
    checks.check("static functions are seen", [] if statics == {"a", "c", "e"} else [str(statics)])
    checks.check("head comments are judged", [] if has_head("/* model: what a tile is. */\n") and not has_head("/* tiles */\n") and
                 not has_head("#include <a.h>\n/* model: what a tile is. */\n") else "wrongly")


def main():
    argparse.ArgumentParser(description=__doc__).parse_known_args()
    checks = Checks("vocabulary")
    check_itself(checks)
    files = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in tracked("*.c", "*.h", "*.def")
             if path.relative_to(ROOT).parts[0] in ("src", "tool")}
    checks.check("there are files", [] if len(files) > 300 else [f"only {len(files)}"])
    checks.check("words of identifiers", [f"{path}: {problem}" for path, text in files.items()
                                          for problem in bad_words(set(IDENTIFIER.findall(code_of(text))), WORDS)])
    checks.check("limits are called MAX", [f"{path}: {name}" for path, text in files.items() for name in IDENTIFIER.findall(code_of(text))
                                           if LIMIT.fullmatch(name)])
    checks.check("words of types", [f"{path}: {problem}" for path, text in files.items()
                                    for problem in bad_words(TAG.findall(code_of(text)), TYPE_WORDS)])
    checks.check("words of file names", [f"{path}: {problem}" for path in files
                                         for problem in bad_words([Path(path).stem], WORDS)])
    checks.check(f"static functions of one name are in at most {MAX_FILES} files", crowded_names(files))
    checks.check("every file opens with a sentence about itself", [path for path, text in files.items() if not has_head(text)])
    checks.finish()


main()
