"""The other side of batch.c: a kernel to bytes, bytes to what was reported."""
import struct
import subprocess
from dataclasses import dataclass

from kernel import text_of

CASE_MARK = 0x31454C4341524F54
RESULT_MARK = 0x3154534552474F54
NOTE, WARNING, ERROR = 0, 1, 2
OK, FAULT, ILLEGAL = 0, 1, 2
RUN, REPAIR = 0, 1


def packed(text):
    data = text.encode() if isinstance(text, str) else bytes(text)
    return struct.pack("=q", len(data)) + data


def pack(kernel, what, text):
    parts = [struct.pack("=2q", CASE_MARK, what), packed(kernel.target), packed(text or text_of(kernel))]
    numbers = kernel.numbers()
    parts.append(struct.pack("=4q", kernel.blocks, kernel.launch, kernel.dyn_ub, len(kernel.buffers) + len(numbers)))
    for buffer in kernel.buffers.values():
        parts += [packed(buffer.name), struct.pack("=2q", 0, 0), packed(buffer.data)]
    for number in numbers:
        parts += [packed(f"id{number}"), struct.pack("=2q", 1, number), packed(b"")]
    return b"".join(parts)


@dataclass
class Result:
    status: int
    diags: list    # (severity, line, id, message)
    memory: dict   # buffer name: bytes after the run


class Batch:
    """The running batch program."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def bytes(self, count):
        data = self.process.stdout.read(count) if count else b""
        if len(data) != count:
            raise EOFError(f"the batch program ended with status {self.process.wait()}")
        return data

    def word(self):
        return struct.unpack("=q", self.bytes(8))[0]

    def field(self):
        return self.bytes(self.word())

    def send(self, kernel, what, text=None):
        try:
            self.process.stdin.write(pack(kernel, what, text))
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise EOFError(f"the batch program ended with status {self.process.wait()}") from error
        if self.word() != RESULT_MARK:
            raise EOFError("the batch program wrote something that is not a result")

    def repair(self, kernel):
        """The repaired text; None: there is none."""
        self.send(kernel, REPAIR)
        status, text = self.word(), self.field().decode()
        return text if status == OK else None

    def run(self, kernel, text=None):
        """A kernel, with another text than its own if one is given."""
        self.send(kernel, RUN, text)
        status = self.word()
        diags = [(self.word(), self.word(), self.field().decode(), self.field().decode()) for _ in range(self.word())]
        memory = {name: self.field() for name in kernel.buffers}
        for _ in kernel.numbers():
            self.field()
        return Result(status, diags, memory)

    def close(self):
        self.process.stdin.close()
        return self.process.wait()
