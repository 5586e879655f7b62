/* inputs: what the files of this module share: the arguments that are generated, and the executions of the program that
 * show what they have to be. */
#ifndef PTOG_INPUTS_INPUTS_H
#define PTOG_INPUTS_INPUTS_H

#include <ptog/inputs.h>

#define MAX_INPUT_BYTES ((size_t)1 << (sizeof(void *) > 4 ? 30 : 25)) /* of one argument */
#define OPEN_EXTENT 16 /* for an extent that the type leaves open: the first value of scalars, too */

/* What decides the values of an argument. */
struct ptog_fill {
    enum ptog_dtype dtype;
    enum ptog_input_kind kind;
    uint64_t low, limit, capacity;
    int64_t value;
    size_t bytes;
};

/* One argument. While the program is tried, its data is address space of MAX_INPUT_BYTES, so that every access of a
 * sensible program hits memory, and shows how much of it is needed. */
struct ptog_generated {
    struct ptog_slot slot; /* its name is a copy */
    char *name;
    const char *recipe; /* of the caller; NULL: none */
    unsigned char *space;
    size_t need;           /* bytes of it that the program reached */
    size_t filled;         /* bytes of it that the last trial found filled; zeros follow */
    size_t kept_need;      /* `need` before other values were tried */
    struct ptog_fill held; /* what `space` was filled with; `bytes` is 0: something else is there */
    enum ptog_dtype dtype; /* as its views see it */
    enum ptog_input_kind kind;
    uint64_t limit;       /* random integers are below it */
    uint64_t low;         /* and not below this one */
    uint64_t seed;        /* of random data */
    uint64_t capacity;    /* how many elements its numbers index; 0: they are no indices */
    bool signal;          /* the program waits for `value` in it */
    bool is_offset;       /* of a part of a view: offsets.c */
    bool scalar, loaded;  /* the program reads single elements of it; any of it */
    int64_t number;       /* of a scalar argument; with open extents: each of them */
    int64_t best_number;  /* of those that were tried */
    int64_t first_number; /* of the first that only the machine found something wrong with */
    int64_t value;        /* of PTOG_INPUT_COUNTING and PTOG_INPUT_SAME */
    int rank;             /* of the largest view that begins where the argument does; 0: none */
    int64_t shape[5];
    void *data; /* what the caller gets, `need` bytes, which its binding counts as allocated; NULL: `space` */
};

struct ptog_inputs {
    struct ptog_generated *of;
    size_t count, room;
    struct ptog_binding *bindings; /* the caller's, then the generated ones */
    size_t given, binding_count;
};

/* ---- space.c: address space that costs memory only where it is touched ---- */

/* MAX_INPUT_BYTES of zeros; NULL when there are none. */
void *ptog_space_new(void);
void ptog_space_clear(void *space); /* zeros again */
void ptog_space_free(void *space);

/* ---- recipes.c ---- */

/* How many elements a recipe lists; 0: it fills any number. */
size_t ptog_recipe_length(const char *recipe);

/* The number at the beginning of *text, of which *text then points to the end. */
double ptog_recipe_number(const char **text);

/* Whether the recipe fits the argument's size, which a longer list enlarges. False after a diagnostic. */
bool ptog_recipe_fits(struct ptog_generated *generated, ptog_diags *diags);

/* ---- values.c ---- */

bool ptog_is_integer(enum ptog_dtype dtype);

/* How its first `bytes` bytes are to be filled; and whether two fills give the same. */
struct ptog_fill ptog_fill_of(const struct ptog_generated *generated, size_t bytes);
bool ptog_fill_is_same(const struct ptog_fill *a, const struct ptog_fill *b);

/* Fills `bytes` bytes of an argument, which are zero, as its recipe or kind says. */
void ptog_fill_values(const struct ptog_generated *generated, unsigned char *data, size_t bytes);

/* Whether values are chosen for it that may serve as indices: integers without a recipe, or with a random one. */
bool ptog_may_be_indices(const struct ptog_generated *generated);

/* Fills an integer argument with one number. */
void ptog_fill_mark(const struct ptog_generated *generated, uint64_t number);

/* One more pseudo-random number. */
uint64_t ptog_next_random(uint64_t *state);

/* ---- trial.c: one execution of the program ---- */

#define MIN_STEP_WORK 64

struct ptog_trial_run {
    struct ptog_inputs *inputs;
    const ptog_program *program;
    struct ptog_execution execution; /* the caller's, with the bindings of the inputs, and without its machine */
    const struct ptog_target *targets[PTOG_TARGETS];
    size_t expected[PTOG_TARGETS];        /* errors that a check finds, whatever the inputs are */
    void **copies;                        /* of given data that the program writes, by binding; NULL elsewhere */
    const struct ptog_binding *given;     /* the caller's */
    const struct ptog_progress *progress; /* the caller's: it may end a trial */
    bool marked;                          /* integer arguments hold their number, so that indices show whose they are */
    uint64_t max_steps, max_memory;       /* of the caller's execution */
    uint64_t copied;                      /* bytes of the copies */
    uint64_t steps;                       /* operations of the last one, as far as its loops told */
    uint64_t work;                        /* of all trials, in bytes touched; an operation counts as MIN_STEP_WORK */
    bool stopped;                         /* the last one was refused, or did not end */
    bool too_large;        /* or was not executed, because the arguments take more memory than they may */
    bool ended;            /* the caller's progress has ended one: none is executed after it */
    bool grew;             /* in the last one an argument was reached behind the part that was filled */
    uint64_t instructions; /* executed by the last one */
    uint64_t accesses;     /* the same, and scalars that it read or wrote */
    size_t errors;         /* that the last one found, but for the expected ones */
};

/* Prepares trials of an execution. PTOG_OK or PTOG_NO_MEMORY; close it in both cases. */
enum ptog_status ptog_trials_open(struct ptog_trial_run *trial, struct ptog_inputs *inputs, const ptog_program *program,
                                  const struct ptog_execution *execution, const struct ptog_inputs_options *options);
void ptog_trials_close(struct ptog_trial_run *trial);

/* ptog_progress.at of a trial: counts operations, which loops tell of, and asks the caller whether to go on. */
uint64_t ptog_trial_at(void *user, uint64_t done, uint64_t most, uint32_t line);

/* Fills the arguments, executes the program on every target, and notes what the arguments need, how many instructions
 * ran and how many errors there were. False when out of memory. */
bool ptog_trial_execute(struct ptog_trial_run *trial, uint64_t max_steps);

/* Binds the arguments as the last trial left them, with what they need and no more, and restores what is given. */
void ptog_trial_bind_exactly(struct ptog_trial_run *trial);

/* checked.c: runs the program with these values on the machine of every target that has one, and counts what a trial
 * does not see and the values may be the reason of: bytes that nobody has written, tiles at addresses that they cannot
 * have. False when out of memory. */
bool ptog_trial_check(struct ptog_trial_run *trial, uint64_t max_steps, uint64_t *faults);

/* Whether memory has extents that neither its type nor its size tells: `number` of the argument stands for each. */
bool ptog_has_open_extents(const struct ptog_slot *slot);

/* What the type leaves open, how much of a tile is valid or the extents of memory, is given by the shape of the
 * binding.
 */
void ptog_bind_extents(const struct ptog_generated *generated, struct ptog_binding *binding);

/* ---- choose.c ---- */

/* Tries values until the program runs without an error, and leaves the best in the arguments. False when out of
 * memory. */
bool ptog_choose_values(struct ptog_trial_run *trial);

/* ---- scalars.c ---- */

/* Whether an argument is named as compilers name the number of the block, "block_idx", or how many there are. */
bool ptog_slot_is_block_number(const struct ptog_slot *slot);
bool ptog_slot_is_block_count(const struct ptog_slot *slot);

/* ---- offsets.c ---- */

/* Marks the scalar arguments that are offsets of parts of views, themselves or as another type. */
void ptog_inputs_find_offsets(struct ptog_inputs *inputs, const ptog_program *program,
                              const struct ptog_execution *execution);

/* ---- constants.c ---- */

/* Writes into `numbers` the integer constants of the function that is executed, from 1 to 65536, then the extents of
 * its tiles, each once and at most `most`, as its code has them for the target. Returns how many there are. */
size_t ptog_function_constants(const ptog_program *program, const struct ptog_execution *execution, int64_t *numbers,
                               size_t most);

#endif
