// The system that ptog.wasm runs on: arguments, a clock, and files that are byte arrays in memory. One instance runs one
// command and is thrown away, as a process would be; nothing that it does can harm the page.

const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, NOENT = 44, NOSYS = 52;
const DIRECTORY = 3, REGULAR = 4, CHARACTER = 2;
const CREATE = 1, EXCLUSIVE = 4, TRUNCATE = 8; // of path_open
const ROOT_FD = 3;

class Exit extends Error {
  constructor(status) { super(`exit ${status}`); this.status = status; }
}

// Bytes that grow, with a position.
class Open {
  constructor(file) { this.file = file; this.at = 0; }
}

const concat = parts => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { all.set(part, at); at += part.length; }
  return all;
};

// input: a list of byte arrays. Between two of them the command finds nothing to read until it waits without a limit, as the
// language server does when it has nothing to do; the clock jumps over waits that have a limit.
class System {
  constructor(args, files, input) {
    this.args = ["ptog", ...args].map(text => new TextEncoder().encode(text + "\0"));
    this.files = new Map(Object.entries(files).map(([name, bytes]) => [name, {bytes}]));
    this.fds = new Map();
    this.input = input;
    this.part = 0;
    this.read = 0;
    this.out = [[], []];
    this.jumped = 0n;
  }

  view() { return new DataView(this.memory.buffer); }
  bytes(at, size) { return new Uint8Array(this.memory.buffer, at, size); }
  name(at, size) { return new TextDecoder().decode(this.bytes(at, size)).replace(/^(\.?\/)+/, ""); }
  now() { return BigInt(Math.round(performance.now() * 1e6)) + this.jumped; }

  // The pieces of a readv or writev.
  pieces(at, count) {
    const view = this.view();
    return Array.from({length: count}, (_, i) => this.bytes(view.getUint32(at + 8 * i, true), view.getUint32(at + 8 * i + 4, true)));
  }

  // 0 bytes are the end of the input: a part is followed by the next one only after a poll, or when nobody polls.
  takeInput(piece) {
    while (this.part + 1 < this.input.length && this.read === this.input[this.part].length) {
      this.part++;
      this.read = 0;
    }
    const from = this.input[this.part] || new Uint8Array(0);
    const count = Math.min(piece.length, from.length - this.read);
    piece.set(from.subarray(this.read, this.read + count));
    this.read += count;
    return count;
  }

  readFile(open, piece, at) {
    const part = open.file.bytes.subarray(at, at + piece.length);
    piece.set(part);
    return part.length;
  }

  writeFile(open, piece, at) {
    const file = open.file;
    const end = at + piece.length;
    if (end > file.bytes.length) {
      const room = file.room && file.room.length >= end ? file.room : new Uint8Array(2 * end + 1024);
      if (room !== file.room) room.set(file.bytes);
      file.room = room;
      file.bytes = room.subarray(0, end);
    }
    file.bytes.set(piece, at);
    return piece.length;
  }

  // Each piece through `move`, until one is not whole; the bytes moved go to `to`.
  move(iovs, count, to, move) {
    let sum = 0;
    for (const piece of this.pieces(iovs, count)) {
      const moved = move(piece, sum);
      sum += moved;
      if (moved < piece.length) break;
    }
    this.view().setUint32(to, sum, true);
    return OK;
  }

  putStat(at, type, size) {
    this.bytes(at, 64).fill(0);
    this.view().setUint8(at + 16, type);
    this.view().setBigUint64(at + 24, 1n, true);
    this.view().setBigUint64(at + 32, BigInt(size), true);
    return OK;
  }

  putStrings(list, pointers, at) {
    for (const bytes of list) {
      this.view().setUint32(pointers, at, true);
      this.bytes(at, bytes.length).set(bytes);
      pointers += 4;
      at += bytes.length;
    }
    return OK;
  }

  openFile(name, flags, to) {
    let file = this.files.get(name);
    if (name === "" || name === ".") {
      file = {bytes: new Uint8Array(0), directory: true};
    } else if (file && flags & EXCLUSIVE) {
      return EXIST;
    } else if (!file && !(flags & CREATE)) {
      return NOENT;
    } else if (!file) {
      this.files.set(name, file = {bytes: new Uint8Array(0)});
    } else if (flags & TRUNCATE) {
      file.bytes = new Uint8Array(0);
    }
    let fd = ROOT_FD + 1;
    while (this.fds.has(fd)) fd++;
    this.fds.set(fd, new Open(file));
    this.view().setUint32(to, fd, true);
    return OK;
  }

  // Something to read is an event, and so is the end of a wait.
  poll(subscriptions, events, count, to) {
    const view = this.view();
    let clock = -1, reader = -1, timeout = 0n;
    for (let i = 0; i < count; i++) {
      const at = subscriptions + 48 * i, tag = view.getUint8(at + 8);
      if (tag === 0) { clock = at; timeout = view.getBigUint64(at + 24, true); }
      else reader = at;
    }
    const pause = this.part + 1 < this.input.length && this.read === this.input[this.part].length;
    const chosen = clock >= 0 && (pause || reader < 0) ? clock : reader;
    if (chosen === clock) this.jumped += timeout;
    this.bytes(events, 32).fill(0);
    view.setBigUint64(events, view.getBigUint64(chosen, true), true);
    view.setUint8(events + 10, view.getUint8(chosen + 8));
    view.setUint32(to, 1, true);
    return OK;
  }

  imports() {
    const open = fd => this.fds.get(fd);
    return {
      args_sizes_get: (count, size) => {
        this.view().setUint32(count, this.args.length, true);
        this.view().setUint32(size, concat(this.args).length, true);
        return OK;
      },
      args_get: (pointers, at) => this.putStrings(this.args, pointers, at),
      environ_sizes_get: (count, size) => {
        this.view().setUint32(count, 0, true);
        this.view().setUint32(size, 0, true);
        return OK;
      },
      environ_get: () => OK,
      clock_time_get: (id, precision, to) => {
        this.view().setBigUint64(to, this.now(), true);
        return OK;
      },
      fd_close: fd => this.fds.delete(fd) ? OK : fd < ROOT_FD ? OK : BADF,
      fd_fdstat_get: (fd, to) => {
        if (fd > ROOT_FD && !open(fd)) return BADF;
        this.bytes(to, 24).fill(0);
        const type = fd < ROOT_FD ? CHARACTER : fd === ROOT_FD || open(fd).file.directory ? DIRECTORY : REGULAR;
        this.view().setUint8(to, type);
        this.view().setBigUint64(to + 8, (1n << 30n) - 1n, true);
        this.view().setBigUint64(to + 16, (1n << 30n) - 1n, true);
        return OK;
      },
      fd_filestat_get: (fd, to) => {
        if (fd < ROOT_FD) return this.putStat(to, CHARACTER, 0);
        if (fd === ROOT_FD) return this.putStat(to, DIRECTORY, 0);
        return open(fd) ? this.putStat(to, open(fd).file.directory ? DIRECTORY : REGULAR, open(fd).file.bytes.length) : BADF;
      },
      fd_prestat_get: (fd, to) => {
        if (fd !== ROOT_FD) return BADF;
        this.view().setUint32(to, 0, true);
        this.view().setUint32(to + 4, 1, true);
        return OK;
      },
      fd_prestat_dir_name: (fd, at) => {
        this.bytes(at, 1)[0] = 0x2e;
        return OK;
      },
      fd_read: (fd, iovs, count, to) => {
        if (fd === 0) return this.move(iovs, count, to, piece => this.takeInput(piece));
        if (!open(fd)) return BADF;
        return this.move(iovs, count, to, piece => {
          const moved = this.readFile(open(fd), piece, open(fd).at);
          open(fd).at += moved;
          return moved;
        });
      },
      fd_pread: (fd, iovs, count, at, to) => open(fd) ? this.move(iovs, count, to, (piece, done) => this.readFile(open(fd), piece, Number(at) + done)) : BADF,
      fd_write: (fd, iovs, count, to) => {
        if (fd === 1 || fd === 2) return this.move(iovs, count, to, piece => this.out[fd - 1].push(piece.slice()) && piece.length);
        if (!open(fd)) return BADF;
        return this.move(iovs, count, to, piece => {
          open(fd).at += this.writeFile(open(fd), piece, open(fd).at);
          return piece.length;
        });
      },
      fd_pwrite: (fd, iovs, count, at, to) => open(fd) ? this.move(iovs, count, to, (piece, done) => this.writeFile(open(fd), piece, Number(at) + done)) : BADF,
      fd_readdir: (fd, at, size, cookie, to) => {
        this.view().setUint32(to, 0, true);
        return OK;
      },
      fd_seek: (fd, offset, whence, to) => {
        if (!open(fd)) return BADF;
        const base = [0, open(fd).at, open(fd).file.bytes.length][whence];
        open(fd).at = base + Number(offset);
        this.view().setBigUint64(to, BigInt(open(fd).at), true);
        return OK;
      },
      fd_sync: () => OK,
      fd_advise: () => OK,
      path_create_directory: () => NOSYS,
      path_filestat_get: (fd, flags, at, size, to) => {
        const name = this.name(at, size), file = this.files.get(name);
        if (name === "" || name === ".") return this.putStat(to, DIRECTORY, 0);
        return file ? this.putStat(to, REGULAR, file.bytes.length) : NOENT;
      },
      path_open: (fd, lookup, at, size, flags, rights, inheriting, fdFlags, to) => this.openFile(this.name(at, size), flags, to),
      path_readlink: () => INVAL,
      path_rename: (fd, at, size, toFd, toAt, toSize) => {
        const name = this.name(at, size), file = this.files.get(name);
        if (!file) return NOENT;
        this.files.delete(name);
        this.files.set(this.name(toAt, toSize), file);
        return OK;
      },
      path_unlink_file: (fd, at, size) => this.files.delete(this.name(at, size)) ? OK : NOENT,
      poll_oneoff: (subscriptions, events, count, to) => this.poll(subscriptions, events, count, to),
      proc_exit: status => { throw new Exit(status); },
    };
  }

  run(module) {
    const instance = new WebAssembly.Instance(module, {wasi_snapshot_preview1: this.imports()});
    this.memory = instance.exports.memory;
    try {
      instance.exports._start();
      return 0;
    } catch (error) {
      if (error instanceof Exit) return error.status;
      throw error;
    }
  }
}

// Runs `ptog ARGS`; returns its exit status, what it wrote, and its files. Throws when WebAssembly traps.
export function runCommand(module, args, {files = {}, input = []} = {}) {
  const encoder = new TextEncoder(), bytesOf = text => typeof text === "string" ? encoder.encode(text) : text;
  const given = Object.fromEntries(Object.entries(files).map(([name, text]) => [name.replace(/^\/+/, ""), bytesOf(text)]));
  const system = new System(args, given, input.map(bytesOf));
  const status = system.run(module), decoder = new TextDecoder();
  return {
    status,
    stdout: decoder.decode(concat(system.out[0])),
    bytes: concat(system.out[0]),
    stderr: decoder.decode(concat(system.out[1])),
    file: name => system.files.has(name) ? system.files.get(name).bytes : undefined,
  };
}
