"""The other side of batch.c: programs to the library, and what it says of them."""
import struct
import subprocess
from dataclasses import dataclass

CASE_MARK = 0x314E5552454E4754
RESULT_MARK = 0x3154534552474F54
RUN, REPAIR, COMPLETE = range(3)
NOTE, WARNING, ERROR = range(3)
OK, FAULT, ILLEGAL = range(3)


def packed(data):
    data = data.encode() if isinstance(data, str) else bytes(data)
    return struct.pack("=q", len(data)) + data


@dataclass
class Said:
    """A diagnostic."""
    severity: int
    line: int
    other: int
    id: str
    message: str


@dataclass
class Result:
    status: int
    said: list
    memory: dict
    text: str = None  # repaired or completed; None: there is none

    @property
    def errors(self):
        return [said for said in self.said if said.severity == ERROR]


class Tool:
    """The running batch program."""

    def __init__(self, path):
        self.path, self.process = path, None

    def start(self):
        self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def bytes(self, count):
        data = self.process.stdout.read(count) if count else b""
        if len(data) != count:
            raise EOFError(f"the library's process ended with status {self.process.wait()}")
        return data

    def word(self):
        return struct.unpack("=q", self.bytes(8))[0]

    def field(self):
        return self.bytes(self.word())

    def text(self):
        status, text = self.word(), self.field().decode()
        return text if status == OK else None

    def run(self, text, target, blocks, memory, wanted=RUN):
        if not self.process or self.process.poll() is not None:
            self.start()
        parts = [struct.pack("=2q", CASE_MARK, wanted), packed(target), packed(text), struct.pack("=2q", blocks, len(memory))]
        for name, data in memory.items():
            parts += [packed(name), packed(data.tobytes())]
        self.process.stdin.write(b"".join(parts))
        self.process.stdin.flush()
        if self.word() != RESULT_MARK:
            raise EOFError("the library's process wrote something that is not a result")
        repaired = self.text() if wanted == REPAIR else None
        status = self.word()
        said = [Said(self.word(), self.word(), self.word(), self.field().decode(), self.field().decode())
                for _ in range(self.word())]
        result = Result(status, said, {name: self.field() for name in memory}, repaired)
        if wanted == COMPLETE:
            result.text = self.text()
        return result
