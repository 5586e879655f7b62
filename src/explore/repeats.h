/* explore: loops that do the same again after some turns.
 *
 * Let inputs decide nothing but how many turns one loop has, let its body issue the same instructions and flags every
 * `period` turns, let as many flags be left as before after each period, and let no wait be issued before its set. Then
 * what orders two instructions lies between them in the text of the turns, and is the same wherever the turns are. A
 * pipe starts its instructions in order, and what it knows of another one is always all up to some point; so what is
 * ordered with a turn is ordered with all after it, one period or many later. Races and flags of 0 to 2 * period turns
 * are therefore those of any number of turns. */
#ifndef PTOG_EXPLORE_REPEATS_H
#define PTOG_EXPLORE_REPEATS_H

#include <ptog/program.h>

#define MAX_PERIOD 8
#define MAX_REPEATED_FLAGS 256

/* A statement that sets or waits for a flag. */
struct ptog_repeated_flag {
    uint32_t op;
    uint32_t words[3]; /* pipes and id, as symbols */
    unsigned pair;     /* the number of the first statement with the same words */
    bool is_wait;
};

/* What the text and the runs say of the loop. */
struct ptog_repeats {
    bool possible;        /* nothing in the text speaks against it */
    uint32_t loop, first; /* operations: the loop, and the first of its body */
    uint32_t start;       /* the first of the function */
    unsigned period;
    struct ptog_repeated_flag flags[MAX_REPEATED_FLAGS];
    size_t flag_count;

    /* the run at hand */
    int left[MAX_REPEATED_FLAGS]; /* sets without their waits, by `pair` */
    uint64_t before[MAX_PERIOD];  /* a hash of them at the start of the last turns */
    uint64_t turns;
    unsigned runs; /* the first counts; others look for fixes, and need not come to their end */

    bool contradicted;   /* by a run */
    uint64_t turns_seen; /* bits: numbers of turns of runs that were judged */
};

/* repeats.c: reads the function. False when out of memory. */
bool ptog_repeats_find(struct ptog_repeats *repeats, const ptog_program *program, const char *function);

/* turns.c: a run begins; an operation is executed; the run was judged. */
void ptog_repeats_begin(struct ptog_repeats *repeats);
void ptog_repeats_see(struct ptog_repeats *repeats, uint32_t op);
void ptog_repeats_end(struct ptog_repeats *repeats);

/* Whether all numbers of turns that decide were judged. */
bool ptog_repeats_hold(const struct ptog_repeats *repeats);

#endif
