"""Eight threads at once: arrays, programs, and one device that they share."""

import sys
import threading
import time

import numpy as np

import ptogather as pg

THREADS = 8


def together(work):
    """Runs work(0) ... work(7) at the same time; what one raises is raised here."""
    problems, gate = [], threading.Barrier(THREADS)

    def run(number):
        try:
            gate.wait()
            work(number)
        except BaseException as error:  # noqa: B902: it is raised below
            problems.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


def test_gathers():
    table = np.random.default_rng(0).random((4096, 64), dtype=np.float32)

    def work(number):
        random = np.random.default_rng(number)
        for _ in range(60):
            idx = random.integers(0, 4096, int(random.integers(1, 600)))
            assert (pg.take(table, idx, threads=int(random.integers(1, 3))) == table[idx]).all()
            assert (pg.mgather(table, idx.astype(np.int32), oob="clamp") == table[idx]).all()

    together(work)


def test_programs_share_one_text(embed, racy, data):
    program = pg.Program(embed)

    def work(number):
        random = np.random.default_rng(number)
        for _ in range(6):
            idx = random.integers(0, 64, (1, 16), np.int32)
            r = pg.run(program, "a2a3" if number % 2 else "a5", table=data["table"], idx=idx)
            assert r.clean and (r.outputs["out"] == data["table"][idx[0]]).all() and r.tiles["i"].array.tolist() == idx.tolist()
            assert program.check("a5").clean and pg.check(racy).clean
            assert not pg.run(racy, "a2a3", table=data["table"], idx=idx).clean

    together(work)


def test_one_result_is_read_and_closed_by_many(embed, data):
    r = pg.run(embed, "a2a3", **data)
    expected = r.tiles["d"].array.copy()

    def work(number):
        for turn in range(40):
            if number == 0 and turn == 20:
                r.close()
            try:
                assert (r.tiles["d"].array == expected).all() and r.ub and b"<html" in r._page()
            except ValueError as error:
                assert str(error) == "result: it is closed"

    together(work)


def test_one_device():
    words, table = np.arange(8, dtype=np.int32), np.eye(8, dtype=np.float32)
    results = [np.zeros((8, 8), np.float32) for _ in range(THREADS)]
    idx, dst = pg.Tile("i32", 1, 8, addr=0), pg.Tile("f32", 8, 8, addr=64)
    with pg.Device("a2a3") as dev:
        source, rows = dev.input(words), dev.input(table)

        def work(number):
            out = dev.buffer(results[number])
            with dev.core(number) as core:
                for flag in range(4):
                    core.load(idx, source)
                    core.set_flag("MTE2", "V", flag)
                    core.wait_flag("MTE2", "V", flag)
                    core.mgather(dst, rows, idx)
                    core.barrier("all")
                core.store(out, dst)

        together(work)
    assert dev.clean and all((result == table).all() for result in results)


def test_a_device_closes_under_its_users():
    for _ in range(10):
        dev = pg.Device("a2a3", automatic=True)
        source = dev.input(np.arange(8, dtype=np.int32))
        tile = pg.Tile("i32", 1, 8, addr=0)

        def work(number):
            try:
                with dev.core(number) as core:
                    for turn in range(20):
                        core.load(tile, source)
                        if number == 0 and turn == 10:
                            dev.close()
            except ValueError as error:
                assert str(error) in ("core: it is closed", "device: it is closed")

        together(work)


def test_the_lock_of_python_is_free_while_c_runs():
    """Another thread counts while a large gather runs. No thread is made to give the lock up during the test, so that
    nothing could be counted if the gather kept it."""
    table, idx = np.zeros((1 << 16, 256), np.float32), np.random.default_rng(0).integers(0, 1 << 16, 1 << 17)
    out, done, counted = np.empty((1 << 17, 256), np.float32), threading.Event(), [0]

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0)

    interval, thread = sys.getswitchinterval(), threading.Thread(target=count)
    thread.start()
    sys.setswitchinterval(100)
    try:
        before = counted[0]
        pg.take(table, idx, out=out)
        after = counted[0]
    finally:
        done.set()
        sys.setswitchinterval(interval)
        thread.join()
    assert after > before
