"""PTOG_APPLY_FIX: the source with the flags that are missing, each before or after the whole statement; compiled and run again, there is
nothing left to say. What is in a macro or alone after an if is said to be left."""

from tools import HERE
from checks import run

SOURCE = HERE / "field" / "unflagged.cpp"


def check(checks, cxx):
    program, said = cxx.compile(SOURCE, "unflagged", defines=["PTOG_TARGET=a2a3"])
    fixed = cxx.work / "fixed.cpp"
    done = run([program, "0"], env={"PTOG_APPLY_FIX": str(fixed)})
    again, said = cxx.compile(fixed, "fixed", defines=["PTOG_TARGET=a2a3"]) if fixed.exists() else (None, said)
    text = fixed.read_text() if fixed.exists() else ""
    after = run([again, "0"]) if again else None
    right = after and (after.returncode, after.stdout) == (0, "126\n") and "error" not in after.stderr
    whole = "global);\n    set_flag(PIPE_MTE2, PIPE_V," in text and "\n    TSTORE(\n" in text and "        wait_flag(PIPE_MTE2" in text
    checks.check("fixes: applied", [] if done.returncode == 1 and right and whole else f"{done.stderr}{said}{text}{after}")
    kept = [line for line in SOURCE.read_text().split("\n") if line not in text.split("\n")]
    checks.check("fixes: every line stays", kept)
    for which, why in (("1", "it is in a macro"), ("2", "is the whole body of an if")):
        done = run([program, which], env={"PTOG_APPLY_FIX": str(fixed)})
        checks.check(f"fixes: {why}", [] if done.returncode == 1 and f"cannot be applied: {why}" in done.stderr or
                     f"cannot be applied: the statement {why}" in done.stderr else done.stderr)
    done = run([again, "0"], env={"PTOG_APPLY_FIX": str(cxx.work / "none.cpp")}) if again else None
    checks.check("fixes: nothing to add", [] if done and "nothing to add" in done.stderr else f"{done}")
