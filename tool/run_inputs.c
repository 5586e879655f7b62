/* tool: data that the command line describes instead of naming a file, --in NAME=RECIPE, and data for what it does not
 * bind. The library generates both; here they become items, as if files had been read. */
#include <stdlib.h>
#include <string.h>

#include "io/pick.h"
#include "run.h"

bool run_is_recipe(const char *text)
{
    return ptog_recipe_is_valid(text) && (strpbrk(text, ",:") || text[strspn(text, "0123456789.-+eE")] != '\0');
}

/* ---- what is generated ---- */

/* The recipes of the items; free them. NULL when out of memory. */
static struct ptog_recipe *list_recipes(const struct run_items *items, size_t *count)
{
    struct ptog_recipe *recipes = calloc(items->count + 1, sizeof *recipes);
    *count = 0;
    for (size_t i = 0; recipes && i < items->count; i++)
        if (items->list[i].recipe)
            recipes[(*count)++] = (struct ptog_recipe){.name = items->list[i].name, .text = items->list[i].recipe};
    return recipes;
}

/* Generates what is not bound, by recipes or so that the program can run; *items keeps it. */
static enum ptog_status generate_items(struct run_items *items, const ptog_program *program,
                                       const struct ptog_execution *execution, ptog_diags *diags)
{
    struct ptog_execution with_items = *execution;
    struct ptog_inputs_options options = {
        .only_recipes = !items->made_up, .targets = items->targets, .target_count = items->target_count};
    struct ptog_recipe *recipes = list_recipes(items, &options.recipe_count);
    struct ptog_binding *bindings = run_bindings(items, &with_items.binding_count);
    enum ptog_status status = PTOG_NO_MEMORY;
    options.recipes = recipes;
    with_items.bindings = bindings;
    if (recipes && bindings)
        status = ptog_inputs_generate(&items->inputs, program, &with_items, &options, diags);
    free(recipes);
    free(bindings);
    return status;
}

/* ---- items ---- */

/* The item of a recipe, or a new one; NULL when out of memory. */
static struct run_item *item_of(struct run_items *items, const struct ptog_input *input)
{
    for (size_t i = 0; input->kind == PTOG_INPUT_RECIPE && i < items->count; i++)
        if (items->list[i].recipe && strcmp(items->list[i].name, input->binding.name) == 0)
            return &items->list[i];
    struct run_item *item = run_new_item(items);
    if (item)
        items->count++;
    return item;
}

/* Makes items of the generated inputs; false when out of memory. */
static bool add_items(struct run_items *items, const ptog_program *program, const char *function)
{
    struct ptog_input input;
    for (size_t i = 0; ptog_inputs_at(items->inputs, i, &input); i++) {
        struct run_item *item = item_of(items, &input);
        if (!item)
            return false;
        item->name = input.binding.name;
        item->kind = input.binding.is_number ? RUN_SET : RUN_IN;
        item->number = input.binding.number;
        item->dtype = input.binding.dtype;
        item->data = input.binding.data.data;
        item->bytes = input.binding.data.bytes;
        ptog_program_slot_find(program, function, item->name, &item->slot);
        item->generated = true;
        item->for_show = input.binding.rank == 0;
        item->rank = input.rank;
        memcpy(item->shape, input.shape, sizeof item->shape);
    }
    return true;
}

/* ---- messages ---- */

/* "using random data for %table; bind files with --in NAME=FILE" */
static void say_generated(const struct run_items *items)
{
    bool numbers = false, data = false;
    struct ptog_input input;
    char words[1200];
    if (ptog_inputs_words(items->inputs, words, sizeof words) == 0)
        return;
    for (size_t i = 0; ptog_inputs_at(items->inputs, i, &input); i++) {
        numbers = numbers || input.kind == PTOG_INPUT_NUMBER;
        data = data || (input.kind != PTOG_INPUT_NUMBER && input.kind != PTOG_INPUT_RECIPE && input.read);
    }
    fprintf(stderr, "ptog %s: note: using %s; bind %s%s%s\n", items->command, words,
            tool_when(data, "files with --in NAME=FILE"), tool_when(data && numbers, ", "),
            tool_when(numbers, "numbers with --set NAME=N"));
}

static void say_misfit(const struct run_items *items, const ptog_diags *diags)
{
    const struct ptog_diag *diag = ptog_diags_at(diags, 0);
    if (diag && diag->fix)
        tool_fail(items->command, "%s; to repeat them, use --in %s", diag->message, diag->fix->text);
    else if (diag)
        tool_fail(items->command, "%s", diag->message);
}

/* Too much to generate: the caller's list has it, or a message says it. */
static int take_unjudged(const struct run_items *items, const ptog_diags *found, ptog_diags *diags)
{
    const struct ptog_diag *diag = ptog_diags_at(found, 0);
    if (!diags)
        tool_fail(items->command, "%s", diag->message);
    else if (ptog_diags_append(diags, diag) != PTOG_OK)
        return tool_fail(items->command, "out of memory");
    return TOOL_WRONG;
}

int run_make_up(struct run_items *items, const ptog_program *program, const struct ptog_execution *execution,
                ptog_diags *unjudged)
{
    int result = TOOL_USAGE;
    ptog_diags *diags = ptog_diags_new();
    enum ptog_status status = diags ? generate_items(items, program, execution, diags) : PTOG_NO_MEMORY;
    if (status == PTOG_OK && !add_items(items, program, execution->function))
        status = PTOG_NO_MEMORY;
    if (status == PTOG_OK && !items->silent)
        say_generated(items);
    else if (status == PTOG_ILLEGAL && ptog_diags_verdict(diags) == PTOG_NOT_JUDGED)
        result = take_unjudged(items, diags, unjudged);
    else if (status == PTOG_ILLEGAL)
        say_misfit(items, diags);
    else if (status != PTOG_OK)
        tool_fail(items->command, "not enough memory for generated data: bind files with --in NAME=FILE");
    ptog_diags_free(diags);
    return status == PTOG_OK ? TOOL_OK : result;
}
