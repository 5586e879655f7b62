"""How fast libptog_mpi is: a gather next to a bare MPI_Alltoallv of the same different rows, to a loop of MPI_Get, and to one process with
threads; what sending repeated rows once saves; and, with a slower network than memory (bench/mpi_delay.c), how much of the network's
time is hidden behind work.

usage: mpi.py --build BUILD [--rounds N] [--json FILE]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Bench:
    """The programs, and an mpirun of Open MPI. On a machine with other work, real-time priority gives numbers that can be repeated."""

    def __init__(self, build, place, rounds, quiet):
        self.place, self.rounds, self.quiet = place, rounds, quiet
        link = ["-L", build, "-lptog_mpi", "-lptog", f"-Wl,-rpath,{build}", "-lm"]
        flags = ["-std=c11", "-O2", "-I", ROOT / "include"]
        self.compile(["mpicc", *flags, ROOT / "bench/mpi.c", *link, "-o", place / "bench"])
        self.compile(["mpicc", *flags, "-fPIC", "-shared", ROOT / "bench/mpi_delay.c", "-o", place / "delay.so"])

    def compile(self, words):
        done = subprocess.run([str(word) for word in words], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"bench-mpi: {done.stderr}")

    def run(self, ranks, *words, tcp=False, delay=None, bind=True):
        env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        command = ["mpirun", "-n", ranks, "--bind-to", "core" if bind and ranks <= (os.cpu_count() or 1) else "none"]
        if ranks > (os.cpu_count() or 1):
            command.append("--oversubscribe")
        if tcp:
            command += ["--mca", "btl", "self,tcp", "--mca", "osc", "pt2pt"]
        if delay:
            command += ["-x", f"LD_PRELOAD={self.place / 'delay.so'}", "-x", f"DELAY_GB={delay}"]
        command += [*self.quiet, self.place / "bench", "--rounds", self.rounds, *words]
        done = subprocess.run([str(word) for word in command], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"bench-mpi: {' '.join(map(str, command))}\n{done.stderr}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def say(name, value, wanted=None):
    verdict = "" if wanted is None else f"  (wanted: {wanted})"
    print(f"  {name:<58} {value}{verdict}", flush=True)


def travels(bench, kept):
    print("rows of 512 bytes, 200,000 lanes in all, a table of 200,000 rows; milliseconds", flush=True)
    for ranks, tcp in ((2, False), (2, True), (4, False), (4, True), (8, False)):
        lanes = 200_000 // ranks
        found = bench.run(ranks, "--what", "sent get", "--lanes", lanes, tcp=tcp)[0]
        kept.append({**found, "tcp": tcp})
        gather, bare, get = found["gather_s"], found["alltoallv_s"], found["get_s"]
        say(f"{ranks} ranks, {lanes} lanes each, {'TCP' if tcp else 'shared memory'}",
            f"gather {gather * 1e3:.1f}, Alltoallv {bare * 1e3:.1f} ({bare / gather:.2f}), Get {get * 1e3:.1f} ({get / gather:.1f} x)")


def network(bench, kept):
    print("2 ranks, each with a line of its own to the other; milliseconds", flush=True)
    work = bench.run(2, "--what", "sent")[0]["gather_s"]
    for speed in (0.25, 0.5, 1, 2):
        found = bench.run(2, "--what", "sent", delay=speed)[0]
        kept.append({**found, "network_gb": speed, "undelayed_s": work})
        gather, bare = found["gather_s"], found["alltoallv_s"]
        hidden = min(1, (work + bare - gather) / min(work, bare))
        say(f"{speed} GB/s", f"gather {gather * 1e3:.1f}, Alltoallv {bare * 1e3:.1f} ({bare / gather:.2f}), hidden {hidden:.0%}",
            "0.80 where the network is the slower one")


def ranks_of_a_network(bench, kept):
    print("ranks with a line of 0.25 GB/s each, 200,000 lanes in all; milliseconds", flush=True)
    for ranks in (2, 3, 4, 6, 8):
        found = bench.run(ranks, "--what", "sent", "--lanes", 200_000 // ranks, delay=0.25)[0]
        kept.append({**found, "network_gb": 0.25})
        bytes_of_rank = (found["bytes_sent"] + 8 * found["ids_sent"]) / ranks
        say(f"{ranks} ranks", f"gather {found['gather_s'] * 1e3:.1f}, its bytes on the line {bytes_of_rank / 0.25e6:.1f}, "
            f"Alltoallv {found['alltoallv_s'] * 1e3:.1f}, {found['rounds']} rounds")


def repetition(bench, kept):
    words = ("--what", "sent", "--zipf", "1.1", "--window", 1 << 20)
    found = bench.run(2, *words, delay=1)[0]
    kept.append({**found, "zipf": 1.1})
    lanes = found["ranks"] * found["lanes"]
    all_bytes, sent = lanes * found["row_bytes"], found["bytes_sent"] * found["ranks"] / (found["ranks"] - 1)
    print("Zipf 1.1, 2 ranks, 100,000 lanes each", flush=True)
    say("lanes for each different row", f"{lanes / found['different']:.2f}")
    say("bytes of all lanes for each byte sent (both ranks' halves)", f"{all_bytes / sent:.2f}", "the same")


def shared(bench, kept):
    print("rows are read directly; milliseconds", flush=True)
    for ranks in (1, 2):
        lanes = 200_000 // ranks
        both = [(bench.run(ranks, "--what", "shared", "--lanes", lanes)[0]["gather_s"],
                 bench.run(1, "--what", "threads", "--threads", ranks, "--lanes", 200_000, bind=False)[0]["gather_s"]) for _ in range(3)]
        together, threads = map(min, zip(*both))
        kept.append({"work": "shared", "ranks": ranks, "gather_s": together, "threads_s": threads})
        say(f"{ranks} rank{'s' if ranks > 1 else ''}", f"gather {together * 1e3:.1f}, one process with {ranks} thread"
            f"{'s' if ranks > 1 else ''} {threads * 1e3:.1f} ({threads / together:.2f})", "0.90")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--quiet", default="", help="words before the program, as 'chrt -f 1'")
    arguments = parser.parse_args()
    kept = []
    with tempfile.TemporaryDirectory(prefix="ptog-bench-") as folder:
        bench = Bench(arguments.build.resolve(), Path(folder), arguments.rounds, arguments.quiet.split())
        for work in (travels, network, ranks_of_a_network, repetition, shared):
            work(bench, kept)
    if arguments.json:
        arguments.json.write_text(json.dumps(kept, indent=1))


main()
