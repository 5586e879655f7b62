/* tool: what a program comes to on the targets that it is judged for. ptog run and ptog check decide here. */
#ifndef TOOL_JUDGE_H
#define TOOL_JUDGE_H

#include "tool.h"

/* One target, and what was found for it. */
struct judged {
    const struct ptog_target *target;
    bool own; /* the program names it, and other modules of it may name others */
    ptog_diags *diags;
    bool accepts; /* the target takes the program: it was not refused before its first instruction */
    bool not_for; /* it does not, and another one does: this decides nothing */
    enum ptog_status status;
    int result; /* an enum tool_exit */
};

#define JUDGE_MOST 2 /* targets */
struct judgement {
    struct judged of[JUDGE_MOST];
    size_t count;
    int result; /* of all, an enum tool_exit */
};

/* The targets to judge a program for: `target`, or the one that it names, or, when neither does, each kind of device:
 * a2a3 and a5. False when out of memory. */
bool judge_open(struct judgement *judgement, const ptog_program *program, const struct ptog_target *target);
void judge_close(struct judgement *judgement);

/* Runs the program for one of its targets, on copies of what it stores to, so that `execution` can be used again. */
void judge_run(struct judged *judged, const ptog_program *program, const struct ptog_execution *execution);

/* What a status alone makes of the result; the findings decide the rest. */
void judge_status(struct judged *judged, enum ptog_status status);

/* Checks it without running. */
void judge_check(struct judged *judged, const ptog_program *program);

/* After every target was run or checked: what the program comes to, in `result`. */
void judge_decide(struct judgement *judgement, const struct tool_telling *telling);

/* The findings as reports take them, for a program in `file`; returns how many entries there are. */
size_t judge_checked(const struct judgement *judgement, const char *file, struct ptog_checked checked[JUDGE_MOST]);

/* The worst of those that decide. What is not judged stays so where that is allowed. */
enum ptog_verdict judge_verdict(const struct judgement *judgement);

/* The line that ends a report, on stderr: "ptog run: clean on a2a3 and a5 for all timings, 1 suppressed". `races`: they
 * were looked for. */
void judge_print(const struct judgement *judgement, const char *command, bool races);

#endif
