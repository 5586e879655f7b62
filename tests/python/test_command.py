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


def test_watch_checks_what_is_there(tmp_path, embed):
    assert command("watch", tmp_path, "--once").returncode == 0
    (tmp_path / "good.pto").write_text(embed)
    (tmp_path / "bad.pto").write_text(embed.replace("%i)", "%j)"))
    (tmp_path / "other.txt").write_text("x")
    done = command("watch", tmp_path, "--once")
    assert done.returncode == 1 and "good.pto: clean" in done.stdout and "[text-" in done.stdout and "other" not in done.stdout
    done = command("watch", tmp_path, "--once", "--target", "all")
    assert "good.pto: accepted by host, a2a3, a5" in done.stdout
    assert command("watch", tmp_path / "no").returncode == 2 and command("watch", tmp_path, "--target", "x").returncode == 2


def test_watch_sees_what_appears(tmp_path, embed):
    watch = subprocess.Popen([sys.executable, "-u", "-m", "ptogather", "watch", tmp_path, "--interval", "0.02", "--seconds", "30"],
                             text=True, stdout=subprocess.PIPE)
    try:
        (tmp_path / "late").mkdir()
        (tmp_path / "late" / "k.pto").write_text(embed)
        assert watch.stdout.readline() == f"{tmp_path}/late/k.pto: clean\n"
        time.sleep(0.05)
        (tmp_path / "late" / "k.pto").write_text(embed.replace("%i)", "%j)"))
        assert re.fullmatch(r".*/late/k\.pto: \d+ errors?\n", watch.stdout.readline())
    finally:
        watch.terminate()
        watch.wait()


@pytest.mark.parametrize("half", [True, False])
def test_a_file_is_checked_when_it_has_settled(tmp_path, embed, half):
    import io

    from ptogather.watch import Watch
    said = io.StringIO()
    watch = Watch(tmp_path, None, said)
    (tmp_path / "k.pto").write_text(embed[:len(embed) // 2] if half else embed)
    assert watch.look() == 0
    if half:
        (tmp_path / "k.pto").write_text(embed)
        assert watch.look() == 0
    assert watch.look() == 1 and watch.look() == 0 and said.getvalue() == f"{tmp_path}/k.pto: clean\n" and watch.wrong == 0
    (tmp_path / "k.pto").write_text(embed.replace("%i)", "%j)"))
    assert [watch.look(), watch.look()] == [0, 1] and watch.wrong == 1 and "[text-" in said.getvalue()
    (tmp_path / "k.pto").unlink()
    assert watch.look() == 0
