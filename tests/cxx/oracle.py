"""A second opinion on rewriting launches: the same rules as tool/cxx, written down another way.

Lines are spliced first and regular expressions cut the result into tokens; launches are replaced in a recursive walk over a
tree of brackets, not in a flat list.
"""

import re

BEFORE, BETWEEN, AFTER = "::ptog::fn([&](auto &&...ptog_a) { ", "(ptog_a...); }).on(", ")"
BLANK = " \t\f\v\r\0"
SPLICE = re.compile(r"\\[ \t\f\v\r\0]*\n")
KEYWORDS = set("""return else do case throw goto new delete operator typename using template sizeof co_return co_yield
                  co_await""".split())
LETTER = r"[A-Za-z_$0-9\x80-\xff]"
TOKEN = re.compile(rf"""
    (?P<blank>[ \t\f\v\r\0]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z))
  | (?P<newline>\n)
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'{LETTER}|{LETTER}|\.|\\[uU])*)
  | (?P<name>(?:[A-Za-z_$\x80-\xff]|\\[uU])(?:{LETTER}|\\(?=[uU]))*)
  | (?P<literal>"(?:\\[^\n]|[^"\n\\]|\\(?=\n|\Z))*(?:"|(?=\n|\Z))|'(?:\\[^\n]|[^'\n\\]|\\(?=\n|\Z))*(?:'|(?=\n|\Z)))
  | (?P<paste>%:%:|\#\#)
  | (?P<launch><<<)
  | (?P<other><<=|<=>|>>=|->\*|\.\.\.|<<|<=|>=|--|\.\*)
  | (?P<member>->|\.)
  | (?P<scope>::)
  | (?P<less><(?=::[^:>]|::\Z))
  | (?P<hash>%:|\#)
  | (?P<open>[(\[{{]|<:|<%)
  | (?P<close>[)\]}}]|:>|%>)
  | (?P<less2><) | (?P<greater>>) | (?P<comma>,) | (?P<semicolon>;)
  | (?P<any>.)
""", re.VERBOSE | re.DOTALL)
RAW = re.compile(r'(?:u8|[LuU])?R"([^\n ()\\\t\v\f"]{0,16})\(')
WORDS = [["[", "aicore", "]"]] + [["__attribute__", "(", "(", core, ")", ")"] for core in ("aiv", "aic")]
REGISTER = re.compile(r'asm volatile \( "MOV %0, (SYS_CNT|PC)\\n" : "[+=]l" \( \) \)')
PARTNER = {"(": "(", ")": "(", "[": "[", "]": "[", "<:": "[", ":>": "[", "{": "{", "}": "{", "<%": "{", "%>": "{"}


class Wrong(Exception):
    """This source has a launch that is not right."""


class Token:
    def __init__(self, kind, text, start, end, glued):
        self.kind, self.text, self.start, self.end, self.glued = kind, text, start, end, glued
        self.partner = None


def spliced(source):
    """The characters with lines spliced, and where each of them was."""
    places, at = [], 3 if source.startswith("\xef\xbb\xbf") else 0
    while at < len(source):
        found = SPLICE.match(source, at)
        if found:
            at = found.end()
        else:
            places.append(at)
            at += 1
    return "".join(source[place] for place in places), places


def lex(source):
    """Tokens with line ends among them."""
    text, places = spliced(source)
    index = {place: i for i, place in enumerate(places)}
    tokens, at, glued, operator, header = [], 0, False, False, []
    around = False  # `operator` of the code around a directive
    while at < len(text):
        found = TOKEN.match(text, at)
        kind, end = found.lastgroup, found.end()
        if kind == "launch" and operator:
            kind, end = "other", at + 2
        raw = RAW.match(text, at) if kind == "name" else None
        if raw and raw.end() > end:
            quote = places[at + raw.group().index('"')]
            real = re.compile(r'"([^\n ()\\\t\v\f"]{0,16})\(').match(source, quote)
            if real:
                close = source.find(")" + real[1] + '"', real.end())
                stop = len(source) if close < 0 else close + len(real[1]) + 2
                start = places[at]
                while stop < len(source) and SPLICE.match(source, stop):
                    stop = SPLICE.match(source, stop).end()
                tokens.append(Token("literal", "", start, stop, glued))
                if stop >= len(source):
                    return tokens
                at, glued, operator = index[stop], True, False
                header.append(("literal", ""))
                continue
        if kind not in ("blank", "newline"):
            around = operator if not header else around
            kind = {"less2": "less"}.get(kind, kind)
            tokens.append(Token(kind, text[at:end], places[at], places[end - 1] + 1, glued))
            operator, glued = text[at:end] == "operator", True
        else:
            glued = False
            if kind == "newline":
                tokens.append(Token("newline", "\n", places[at], places[at] + 1, False))
                operator = around if header and header[0][0] == "hash" else operator
                header = []
        if kind not in ("blank", "newline"):
            header.append((kind, text[at:end]))
        at = end
        if len(header) == 2 and header[0][0] == "hash" and header[1][1] in ("include", "include_next", "import"):
            at = skip_header_name(text, at)
            header.append(("header", ""))
            glued = False
    return tokens


def skip_header_name(text, at):
    while True:
        found = TOKEN.match(text, at)
        if not found or found.lastgroup != "blank":
            break
        at = found.end()
    found = re.compile(r'"[^"\n]*"?|<[^>\n]*').match(text, at)
    return found.end() if found else at


def streams(tokens):
    """The code, and the body of each #define."""
    code, macros, line, lines = [], [], [], []
    for token in tokens:
        if token.kind == "newline":
            lines.append(line)
            line = []
        else:
            line.append(token)
    lines.append(line)
    depth = 0
    for line in lines:
        if not line or line[0].kind != "hash":
            code += line if depth == 0 else []
            continue
        word = line[1].text if len(line) > 1 else ""
        if depth:
            depth += word in ("if", "ifdef", "ifndef")
            depth -= word == "endif"
            if depth == 1 and word in ("else", "elif", "elifdef", "elifndef"):
                depth = 0
        elif word == "if" and [token.text for token in line[2:]] == ["0"]:
            depth = 1
        elif word == "define":
            macros.append(macro_body(line[2:]))
    return code, macros


def macro_body(line):
    if len(line) > 1 and line[1].text == "(" and line[1].glued:
        closes = [i for i, token in enumerate(line) if token.kind == "close"]
        return line[closes[0] + 1:] if closes else []
    return line[1:]


def match(tokens):
    stack = []
    for i, token in enumerate(tokens):
        if token.kind == "open":
            stack.append(i)
        if token.kind == "close":
            kind = PARTNER[token.text]
            if kind == "{" and any(PARTNER[tokens[j].text] == "{" for j in stack):
                while PARTNER[tokens[stack[-1]].text] != "{":
                    stack.pop()
            if stack and PARTNER[tokens[stack[-1]].text] == kind:
                token.partner = stack.pop()
                tokens[token.partner].partner = i


class Stream:
    def __init__(self, tokens, macro):
        self.tokens, self.macro = tokens, macro
        match(tokens)

    def kind(self, i):
        return self.tokens[i].kind if 0 <= i < len(self.tokens) else "end"

    def is_name(self, i):
        return self.kind(i) == "name" and self.tokens[i].text not in KEYWORDS

    def made(self, last):
        """Where a name that a macro makes, CONCAT(run, 4), begins; None: that is no such thing."""
        close = self.tokens[last] if self.kind(last) == "close" else None
        if close and close.text == ")" and close.partner is not None and self.is_name(close.partner - 1):
            return close.partner - 1
        return None

    def back_over_angles(self, i):
        depth = 0
        while True:
            kind = self.kind(i)
            if kind == "greater":
                depth += 1
            elif kind == "less" and (self.is_name(i - 1) or self.made(i - 1) is not None):
                depth -= 1
                if depth == 0:
                    return i - 1 if self.is_name(i - 1) else self.made(i - 1)
            elif kind == "close" and self.tokens[i].partner is not None:
                i = self.tokens[i].partner
            elif kind in ("close", "open", "semicolon", "launch", "end"):
                raise Wrong
            i -= 1

    def name_start(self, last, whole=True):
        if whole and self.made(last) is not None:
            first = self.made(last)
        elif self.is_name(last) or (self.kind(last - 1) == "paste" and self.kind(last) in ("other", "number", "literal", "any")):
            first = last
        elif self.kind(last) == "greater":
            first = self.back_over_angles(last)
        else:
            raise Wrong
        while self.kind(first - 1) == "less" and self.is_name(first - 2):
            first -= 2
        if self.kind(first - 1) == "name" and self.tokens[first - 1].text == "template":
            first -= 1
        joint = self.kind(first - 1)
        if joint in ("paste", "member") or (joint == "scope" and (self.is_name(first - 2) or self.kind(first - 2) == "greater")):
            return self.name_start(first - 2, False)
        return first - 1 if joint == "scope" else first

    def close_of(self, opening):
        """Reads the launch arguments as a word: t for a possible template, g for a run of >, c for a comma, x for the rest."""
        i, word, places = opening + 1, [], []
        while True:
            kind = self.kind(i)
            if kind in ("close", "semicolon", "launch", "end") or (kind == "open" and self.tokens[i].partner is None):
                break
            places.append(i)
            if kind == "greater":
                end = i + 1
                while self.kind(end) == "greater" and self.tokens[end].glued:
                    end += 1
                word.append(end - i)
                i = end
                continue
            word.append("t" if kind == "less" and self.is_name(i - 1) else "c" if kind == "comma" else "x")
            i = (self.tokens[i].partner if kind == "open" else i) + 1
        return self.choose(word, places)

    @staticmethod
    def choose(word, places):
        pending = commas = 0
        guess, missing = None, False
        for k, (what, place) in enumerate(zip(word, places)):
            first = k == 0 or word[k - 1] == "c"
            missing |= first and (what == "c" or (isinstance(what, int) and what >= 3))
            pending += what == "t"
            commas += what == "c" and pending == 0
            if not isinstance(what, int):
                continue
            if what >= 3 and what > pending:
                guess = place + min(what - 3, pending)
                break
            if what >= 3 and guess is None:
                guess = place + what - 3
            pending = max(0, pending - what)
        if guess is None or missing or commas > 2:
            raise Wrong
        return guess

    def edits(self):
        for i, token in enumerate(self.tokens):
            counter = self.tokens[i:i + 10]
            read = REGISTER.fullmatch(" ".join(part.text for part in counter[:7] + counter[8:]))
            if len(counter) == 10 and read:
                became = ["", "", "", f"::ptog::read_{read[1].lower()}", "(", "", "", None, "", ")"]
                yield from ((part.start, part.end, text) for part, text in zip(counter, became) if text is not None)
            for word in WORDS:
                if [part.text for part in self.tokens[i:i + len(word)]] == word:
                    yield from ((part.start, part.end, "") for part in self.tokens[i:i + len(word)])
            if token.kind != "launch":
                continue
            name, close = self.name_start(i - 1), self.close_of(i)
            call = self.tokens[close + 3] if close + 3 < len(self.tokens) else None
            if not self.macro and not (call and call.text == "(" and call.partner is not None):
                raise Wrong
            yield self.tokens[name].start, self.tokens[name].start, BEFORE
            yield token.start, token.end, BETWEEN
            yield self.tokens[close].start, self.tokens[close + 2].end, AFTER


def rewrite(source):
    """The rewritten text (latin-1 characters stand for bytes), or None when a launch is wrong."""
    code, macros = streams(lex(source))
    try:
        edits = list(Stream(code, False).edits())
        for body in macros:
            edits += Stream(body, True).edits()
    except Wrong:
        return None
    for start, end, text in sorted(edits, reverse=True):
        kept = "".join(SPLICE.findall(source[start:end]))
        source = source[:start] + text + kept + source[end:]
    return source
