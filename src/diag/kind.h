/* diag: the kind of a diagnostic as a number, so that nobody compares ids. Each id has one: rows of machine_faults.def
 * and faults.def by name, rows of rules.def and text_rules.def by their number. An id that is in two tables has the
 * kind of the fault. */
#ifndef PTOG_DIAG_KIND_H
#define PTOG_DIAG_KIND_H

#include <ptog/diag.h>
#include <ptog/plan.h>

enum ptog_diag_kind {
    PTOG_DIAG_OTHER = 0, /* of the caller's own, or without a number */
#define MACHINE_FAULT(name, ...) PTOG_DIAG_##name,
#include "spec/machine_faults.def"
#undef MACHINE_FAULT
    PTOG_DIAG_LANE,                                     /* the first of enum ptog_fault_kind */
    PTOG_DIAG_RULE = PTOG_DIAG_LANE + PTOG_FAULT_KINDS, /* the first row of rules.def */
    PTOG_DIAG_TEXT = PTOG_DIAG_RULE + 1024,             /* the first row of text_rules.def */
};

/* The kind of a fault that has this id; PTOG_DIAG_OTHER: there is none. For whoever makes a diagnostic from another
 * table. */
enum ptog_diag_kind ptog_fault_kind_of(const char *id);

/* Two accesses that are not ordered: race-raw, -war, -waw, -self, same-pipe-hazard. */
bool ptog_kind_is_race(unsigned kind);

/* A run reached a limit and ended early: limit-steps, limit-work, limit-memory, limit-queue. */
bool ptog_kind_is_limit(unsigned kind);

/* A run executed no instruction: run-empty. */
bool ptog_kind_is_empty_run(unsigned kind);

/* How a flag is used: flag-double-set, flag-left-set, ... */
bool ptog_kind_is_flag(unsigned kind);

#endif
