/* tool: the inputs of a finding: as a command line of ptog run, and as files. */
#define _POSIX_C_SOURCE 200809L /* mkdir, open_memstream */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/array.h"
#include "io/pick.h"
#include "prove.h"
#include "search.h"

#define LONGEST_PATH 4096

/* What every command line of a case has: file, target, function, blocks, numbers. */
static void put_command(FILE *to, const struct prove_request *request, const char *path,
                        const struct ptog_target *target, const struct ptog_proof_case *one)
{
    struct search_command command = {.path = path,
                                     .function = request->function,
                                     .target = target,
                                     .blocks = one->blocks,
                                     .numbers = one->numbers,
                                     .number_count = one->number_count};
    search_put_command(to, &command);
    for (size_t i = 0; i < request->number_count; i++) {
        char number[48];
        const struct ptog_binding *given = &request->numbers[i];
        if (given->real != 0)
            snprintf(number, sizeof number, "%.17e", given->real);
        else
            snprintf(number, sizeof number, "%" PRId64, given->number);
        search_put_option(to, "--set", given->name, number);
    }
}

void prove_print_case(const struct prove_request *request, const char *path, const struct judged *judged,
                      const struct ptog_proof_case *one)
{
    const struct ptog_diag *diag = ptog_diags_at(judged->diags, one->diag);
    fprintf(stderr, "ptog prove: %s at line %" PRIu32 ": ", diag->id, diag->where.line);
    put_command(stderr, request, path, judged->target, one);
    for (size_t i = 0; i < one->recipe_count; i++)
        search_put_option(stderr, "--in", one->recipes[i].name, one->recipes[i].text);
    fputc('\n', stderr);
}

/* ---- files ---- */

static bool make_directory(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    tool_fail("prove", "%s: %s", path, strerror(errno));
    return false;
}

/* Writes an input as an array file; false after a message. */
static bool write_array(const char *path, const struct ptog_input *input)
{
    struct tool_file file = {0};
    struct tool_why why = {0};
    enum ptog_dtype dtype = input->binding.dtype ? input->binding.dtype : PTOG_U8;
    struct tool_elements elements = {.dtype = dtype,
                                     .rank = 1,
                                     .shape = {(int64_t)(input->binding.data.bytes / ptog_dtype_size(dtype))},
                                     .data = input->binding.data.data,
                                     .bytes =
                                         input->binding.data.bytes / ptog_dtype_size(dtype) * ptog_dtype_size(dtype)};
    if (tool_array_write(&file, path, &elements, &why) && tool_file_keep(&file, &why))
        return true;
    tool_fail("prove", "%s: %s", path, why.text);
    return false;
}

/* Writes every argument that has data, and its option to `command`. */
static bool write_inputs(const char *directory, const ptog_inputs *inputs, FILE *command)
{
    char path[LONGEST_PATH];
    struct ptog_input input;
    for (size_t i = 0; ptog_inputs_at(inputs, i, &input); i++) {
        if (input.kind == PTOG_INPUT_NUMBER)
            continue;
        snprintf(path, sizeof path, "%s/%s.npy", directory, input.binding.name);
        if (!write_array(path, &input))
            return false;
        search_put_option(command, "--in", input.binding.name, path);
    }
    return true;
}

/* Writes the command that runs a case again; false, with a message, when that fails. */
static bool write_command(const char *directory, char *text, size_t size)
{
    char path[LONGEST_PATH];
    struct tool_file file = {0};
    struct tool_why why = {0};
    snprintf(path, sizeof path, "%s/command.sh", directory);
    bool good = tool_file_start(&file, path, &why);
    if (good && !tool_file_write(&file, text, size, &why)) {
        tool_file_drop(&file);
        good = false;
    } else if (good) {
        good = tool_file_keep(&file, &why);
    }
    if (!good)
        tool_fail("prove", "%s: %s", path, why.text);
    return good;
}

/* The inputs of a case once more; NULL when there are none. */
static ptog_inputs *generate_case(const struct prove_request *request, const ptog_program *program,
                                  const struct ptog_target *target, const struct ptog_proof_case *one)
{
    ptog_inputs *inputs = NULL;
    size_t count = request->number_count + one->number_count;
    struct ptog_inputs_options options = {.recipes = one->recipes, .recipe_count = one->recipe_count};
    struct ptog_binding *numbers = calloc(count + 1, sizeof *numbers);
    struct ptog_execution how = {.target = target,
                                 .function = request->function,
                                 .bindings = numbers,
                                 .binding_count = count,
                                 .blocks = one->blocks};
    if (numbers && request->number_count > 0)
        memcpy(numbers, request->numbers, request->number_count * sizeof *numbers);
    if (numbers && one->number_count > 0)
        memcpy(numbers + request->number_count, one->numbers, one->number_count * sizeof *numbers);
    if (!numbers || ptog_inputs_generate(&inputs, program, &how, &options, NULL) != PTOG_OK)
        tool_fail("prove", "the inputs could not be generated again");
    free(numbers);
    return inputs;
}

bool prove_write_case(const struct prove_request *request, const char *path, const ptog_program *program,
                      const struct ptog_target *target, const struct ptog_proof_case *one, size_t number)
{
    char directory[LONGEST_PATH - 256], *text = NULL;
    size_t size = 0;
    snprintf(directory, sizeof directory, "%s/%s-%zu", request->witness, target->name, number);
    if (!make_directory(request->witness) || !make_directory(directory))
        return false;
    ptog_inputs *inputs = generate_case(request, program, target, one);
    FILE *command = open_memstream(&text, &size);
    bool good = inputs && command;
    if (good) {
        put_command(command, request, path, target, one);
        good = write_inputs(directory, inputs, command);
        fputc('\n', command);
    }
    if (command)
        fclose(command);
    good = good && text && write_command(directory, text, size);
    free(text);
    ptog_inputs_free(inputs);
    return good;
}
