/* Inputs for a program that nobody has bound data to: memory as large as its views reach, indices that are in range,
 * scalar arguments that it accepts. What they have to be, the program shows: it is executed a few times on the target,
 * without the machine, before the caller runs it. The same program, target and seed give the same inputs.
 *
 *     struct ptog_execution how = {.target = ptog_target_find("a5"), .bindings = given, .binding_count = 1};
 *     ptog_inputs *inputs = NULL;
 *     if (ptog_inputs_generate(&inputs, program, &how, NULL, diags) == PTOG_OK) {
 *         how.bindings = ptog_inputs_bindings(inputs, &how.binding_count);   // the given one, and the rest
 *         status = ptog_program_run(program, &how, diags, NULL);
 *     }
 *     ptog_inputs_free(inputs); */
#ifndef PTOG_INPUTS_H
#define PTOG_INPUTS_H

#include <ptog/program.h>

/* Generated arguments: their names, data and values. */
typedef struct ptog_inputs ptog_inputs;

/* How the data of one argument is made. Texts:
 *
 *     zeros    arange    random    random:SEED    full:2.5    1,2,3         exactly these elements
 *                                                             repeat:1,2,3  these, over and over */
struct ptog_recipe {
    const char *name; /* of the argument, without '%' */
    const char *text;
    uint64_t reserved[2];
};

/* Whether a text is one of the above. False for NULL. */
PTOG_API bool ptog_recipe_is_valid(const char *text);

/* What is generated. Zero is the default of every field. */
struct ptog_inputs_options {
    const struct ptog_recipe *recipes; /* for arguments that are not bound */
    size_t recipe_count;
    bool only_recipes;                        /* arguments without a recipe stay unbound */
    uint64_t seed;                            /* of random data */
    const struct ptog_target *const *targets; /* that the inputs have to suit; NULL: the target of the execution */
    size_t target_count;
    uint64_t reserved[4];
};

/* What an argument was filled with. */
enum ptog_input_kind {
    PTOG_INPUT_ZEROS = 0,
    PTOG_INPUT_RANDOM = 1,   /* small numbers; of floating-point types, multiples of 1/4 from -8 to 8 */
    PTOG_INPUT_INDICES = 2,  /* random integers from 0 to `limit` - 1, distinct as far as there are enough */
    PTOG_INPUT_COUNTING = 3, /* `value` and the numbers after it: memory that the program reads single elements from */
    PTOG_INPUT_NUMBER = 4,   /* a scalar argument: binding.number */
    PTOG_INPUT_RECIPE = 5,
    PTOG_INPUT_SAME = 6, /* `value` in every element, for such memory, too */
};

/* One generated argument. */
struct ptog_input {
    struct ptog_binding binding; /* its name and data live as long as the inputs; a run may write to the data */
    enum ptog_input_kind kind;
    uint64_t limit; /* of random integers: they are below it; 0: not random, or no integers */
    bool read;      /* the program read it, in the executions that showed its size */
    int64_t value;  /* of PTOG_INPUT_COUNTING and PTOG_INPUT_SAME */
    int rank;       /* of the array that the program sees in the data, for showing it; 0: not known */
    int64_t shape[5];
    uint64_t reserved[2];
};

/* Generates what `execution` does not bind and options (NULL: none) do not leave out, for its target. A program that
 * names none, in an execution that names none, gets inputs that suit host, a2a3 and a5. Bound data is not changed.
 * PTOG_OK; PTOG_ILLEGAL: a recipe does not fit its argument, see diags: the message says why, and the fix is the
 * recipe that would, "words=repeat:1,2,3"; or the data would take more than execution->max_memory, and diags has an
 * entry limit-memory that is `unjudged`; PTOG_NO_MEMORY; PTOG_BAD_ARGUMENT. What is wrong with the program itself is
 * not reported: its run will.
 */
PTOG_API enum ptog_status ptog_inputs_generate(ptog_inputs **inputs, const ptog_program *program,
                                               const struct ptog_execution *execution,
                                               const struct ptog_inputs_options *options, ptog_diags *diags);
PTOG_API void ptog_inputs_free(ptog_inputs *inputs);

/* Argument i of those that were generated, in the order of the program's slots. False past the end. */
PTOG_API bool ptog_inputs_at(const ptog_inputs *inputs, size_t i, struct ptog_input *input);

/* The bindings of the execution, followed by the generated ones. They live as long as the inputs; names and data of the
 * first ones are the caller's. NULL when there are none. */
PTOG_API const struct ptog_binding *ptog_inputs_bindings(const ptog_inputs *inputs, size_t *count);

/* What was generated without a recipe, in words: "random data for %table and %words (indices 0..63), %n = 16". Zeros
 * are named where the program reads them. Behaves like snprintf: returns the length without the terminator, and
 * truncates to `size`. With `text` NULL the length is returned. Empty: there is nothing to say. */
PTOG_API size_t ptog_inputs_words(const ptog_inputs *inputs, char *text, size_t size);

#endif
