"""python -m ptogather, and watch."""

import re
import subprocess
import sys
import time

import pytest

import ptogather as pg


def command(*words, **options):
    return subprocess.run([sys.executable, "-m", "ptogather", *map(str, words)], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **options)


def test_it_is_the_command(tmp_path, embed):
    assert command("--version").stdout.split()[:2] == ["ptog", pg.__version__]
    (tmp_path / "k.pto").write_text(embed)
    done = command("check", tmp_path / "k.pto", "--target", "cpu")
    assert done.returncode == 1 and "[mgather-" in done.stderr
    assert command("check", tmp_path / "k.pto").returncode == 0 and command("nonsense").returncode == 2


def test_the_package_does_not_need_the_source_tree(root):
    place = pg.__file__
    assert not place.startswith(str(root / "python"))
    assert (root / "python") not in map(type(root), sys.path)


def test_watch_runs_what_is_there(tmp_path, embed, racy):
    assert command("watch", tmp_path, "--once").returncode == 0
    (tmp_path / "good.pto").write_text(embed)
    (tmp_path / "notes.txt").write_text("x")
    done = command("watch", tmp_path, "--once")
    assert (done.returncode, done.stdout) == (0, f"{tmp_path}/good.pto: clean on a2a3 and a5\n")
    (tmp_path / "racy.pto").write_text(racy)
    done = command("watch", tmp_path, "--once")
    assert done.returncode == 1 and "good.pto: clean on a2a3 and a5\n" in done.stdout and "notes" not in done.stdout
    assert "racy.pto: 3 errors on a2a3 and a5\n" in done.stdout and "[race-raw]" in done.stdout and "= fix:" in done.stdout
    done = command("watch", tmp_path, "--once", "--target", "all")
    assert done.returncode == 1 and "good.pto: clean on host, a2a3, a5, cpusim; refused on cpu, a5-custom\n" in done.stdout
    assert "racy.pto: clean on host, cpusim; refused on cpu, a5-custom; 1 error on a2a3; 2 errors on a5\n" in done.stdout
    assert command("watch", tmp_path / "no").returncode == 2 and command("watch", tmp_path, "--target", "x").returncode == 2


def test_watch_judges_what_cannot_run(tmp_path, embed):
    (tmp_path / "bad.pto").write_text(embed.replace("%i)", "%j)"))
    (tmp_path / "refused.pto").write_text(embed.replace("1x16xi32", "16x1xi32"))
    done = command("watch", tmp_path, "--once")
    assert done.returncode == 1 and "bad.pto: " in done.stdout and "[text-undefined]" in done.stdout
    assert re.search(r"refused.pto: \d errors\n", done.stdout) and "[transfer-align]" in done.stdout
    for path in tmp_path.iterdir():
        path.unlink()
    (tmp_path / "empty.pto").write_text("func.func @f() {\n  return\n}\n")
    done = command("watch", tmp_path, "--once")
    assert done.returncode == 1 and "empty.pto: not judged on a2a3 and a5\n" in done.stdout and "[run-empty]" in done.stdout
    assert command("watch", tmp_path, "--once", "--allow-empty").returncode == 0
    assert command("watch", tmp_path, "--once", "--allow-unjudged").returncode == 1


def test_watch_runs_every_function(tmp_path, embed, racy):
    (tmp_path / "two.pto").write_text(embed + racy.replace("@embed", "@other"))
    done = command("watch", tmp_path, "--once")
    assert done.returncode == 1 and f"{tmp_path}/two.pto @embed: clean on a2a3 and a5\n" in done.stdout
    assert "two.pto @other: 3 errors on a2a3 and a5\n" in done.stdout


def test_watch_sees_what_appears(tmp_path, embed):
    watch = subprocess.Popen([sys.executable, "-u", "-m", "ptogather", "watch", tmp_path, "--interval", "0.02", "--seconds", "3600"],
                             text=True, stdout=subprocess.PIPE)
    try:
        (tmp_path / "late").mkdir()
        (tmp_path / "late" / "k.pto").write_text(embed)
        assert watch.stdout.readline() == f"{tmp_path}/late/k.pto: clean on a2a3 and a5\n"
        time.sleep(0.05)
        (tmp_path / "late" / "k.pto").write_text(embed.replace("%i)", "%j)"))
        assert re.fullmatch(r".*/late/k\.pto: \d+ errors?\n", watch.stdout.readline())
    finally:
        watch.terminate()
        watch.wait()


@pytest.mark.parametrize("half", [True, False])
def test_a_file_is_run_when_it_has_settled(tmp_path, embed, half):
    import io

    from ptogather.watch import Watch
    said = io.StringIO()
    watch = Watch(tmp_path, None, said)
    (tmp_path / "k.pto").write_text(embed[:len(embed) // 2] if half else embed)
    assert watch.look() == 0
    if half:
        (tmp_path / "k.pto").write_text(embed)
        assert watch.look() == 0
    assert watch.look() == 1 and watch.look() == 0 and said.getvalue() == f"{tmp_path}/k.pto: clean on a2a3 and a5\n" and watch.failed == 0
    (tmp_path / "k.pto").write_text(embed.replace("%i)", "%j)"))
    assert [watch.look(), watch.look()] == [0, 1] and watch.failed == 1 and "[text-" in said.getvalue()
    (tmp_path / "k.pto").unlink()
    assert watch.look() == 0
