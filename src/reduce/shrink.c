/* reduce: comments go, and numbers become smaller: extents and constants of the text, and the inputs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "reduce/reduce.h"

static const int64_t smaller[] = {0, 1, 2, 3, 4, 8, 16, 32};
#define SMALLER_COUNT (sizeof smaller / sizeof smaller[0])

/* ---- comments ---- */

/* Where the comment of the line that begins at `at` begins; the end of the line: it has none. */
static uint32_t find_comment(const struct ptog_source *source, uint32_t at)
{
    bool quoted = false;
    while (at < source->size && source->bytes[at] != '\n') {
        quoted = quoted != (source->bytes[at] == '"');
        if (!quoted && source->bytes[at] == '/' && at + 1 < source->size && source->bytes[at + 1] == '/')
            break;
        at++;
    }
    return at;
}

static uint32_t end_of_line(const struct ptog_source *source, uint32_t at)
{
    while (at < source->size && source->bytes[at] != '\n')
        at++;
    return at;
}

static bool is_blank_until(const struct ptog_source *source, uint32_t at, uint32_t end)
{
    while (at < end && (source->bytes[at] == ' ' || source->bytes[at] == '\t'))
        at++;
    return at == end;
}

bool ptog_remove_comments(struct ptog_reduced *r)
{
    const struct ptog_source *source = &r->program->source;
    struct ptog_text_edits edits = {0};
    for (uint32_t at = 0; at < source->size;) {
        uint32_t comment = find_comment(source, at), end = end_of_line(source, comment);
        bool whole = is_blank_until(source, at, comment); /* with its line feed */
        uint32_t first = whole ? at : comment, last = whole && end < source->size ? end + 1 : end;
        if (last > first)
            ptog_edits_replace(&edits, (struct ptog_span){first, last - first}, "");
        at = end + 1;
    }
    return ptog_try_edits(r, &edits);
}

/* ---- numbers of the text ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether a number begins here: not inside a name, but after the x of 16x64. Hexadecimal ones are left alone. */
static bool begins_number(const char *bytes, uint32_t at)
{
    uint32_t first = at;
    if (!is_digit(bytes[at]) || (at > 0 && (is_digit(bytes[at - 1]) || bytes[at - 1] == '?')))
        return false;
    while (first > 0 && (is_digit(bytes[first - 1]) || bytes[first - 1] == 'x' || bytes[first - 1] == '?'))
        first--;
    bool hexadecimal = bytes[first] == '0' && bytes[first + 1] == 'x';
    return !hexadecimal && (first == 0 || strchr(" \t\n([{<,=-", bytes[first - 1]) != NULL);
}

/* The decimal number that begins at `at`; false: it is none. */
static bool read_number(const struct ptog_source *source, uint32_t at, struct ptog_span *span, uint64_t *number)
{
    const char *bytes = source->bytes;
    uint32_t end = at;
    if (!begins_number(bytes, at))
        return false;
    for (*number = 0; end < source->size && is_digit(bytes[end]) && end - at < 15; end++)
        *number = *number * 10 + (uint64_t)(bytes[end] - '0');
    *span = (struct ptog_span){at, end - at};
    return (end == source->size || (bytes[end] != '.' && !is_digit(bytes[end])));
}

static void write_decimal(char text[MAX_NAME], uint64_t number)
{
    struct ptog_text out;
    ptog_text_init(&out, text, MAX_NAME);
    ptog_text_addf(&out, "%" PRIu64, number);
}

/* Whether a number is an extent, as in 16x64xf32. */
static bool is_extent(const struct ptog_source *source, struct ptog_span span)
{
    uint32_t end = span.at + span.length;
    return (span.at > 0 && source->bytes[span.at - 1] == 'x') || (end < source->size && source->bytes[end] == 'x');
}

/* Writes `with` for a number: where it stands at `only`, or everywhere. An extent does not become 0: whatever finding
 * that has, it is not the one that was looked for. */
static bool replace_number(struct ptog_reduced *r, uint64_t number, uint64_t with, const struct ptog_span *only)
{
    struct ptog_text_edits edits = {0};
    struct ptog_span span;
    uint64_t found;
    char text[MAX_NAME];
    write_decimal(text, with);
    for (uint32_t at = 0; !only && at < r->program->source.size; at++)
        if (read_number(&r->program->source, at, &span, &found) && found == number &&
            (with > 0 || !is_extent(&r->program->source, span)))
            ptog_edits_replace(&edits, span, text);
    if (only && (with > 0 || !is_extent(&r->program->source, *only)))
        ptog_edits_replace(&edits, *only, text);
    return ptog_try_edits(r, &edits);
}

/* Tries smaller ones for a number, the smallest first. */
static bool shrink_number(struct ptog_reduced *r, uint64_t number, const struct ptog_span *only)
{
    for (size_t i = 0; i < SMALLER_COUNT && (uint64_t)smaller[i] < number && !ptog_reduction_is_over(r); i++)
        if (replace_number(r, number, (uint64_t)smaller[i], only))
            return true;
    return number > 64 && replace_number(r, number, number / 2, only);
}

/* The largest number of the text below `below`; 0: none. */
static uint64_t next_number(const struct ptog_source *source, uint64_t below)
{
    uint64_t found, largest = 0;
    struct ptog_span span;
    for (uint32_t at = 0; at < source->size; at++)
        if (read_number(source, at, &span, &found) && found < below && found > largest)
            largest = found;
    return largest;
}

/* Whether any line of the source has a comment with "//". */
static bool has_comments(const struct ptog_source *source)
{
    for (uint32_t at = 0; at < source->size; at = end_of_line(source, at) + 1) {
        uint32_t comment = find_comment(source, at);
        if (comment < source->size && source->bytes[comment] == '/')
            return true;
    }
    return false;
}

/* Numbers of comments would be changed, too: those that cannot be left out keep everything as it is. */
bool ptog_shrink_numbers(struct ptog_reduced *r)
{
    if (has_comments(&r->program->source))
        return false;
    bool shrunk = false;
    uint64_t number = UINT64_MAX;
    struct ptog_span span;
    while ((number = next_number(&r->program->source, number)) > 0 && !ptog_reduction_is_over(r))
        shrunk |= shrink_number(r, number, NULL);
    for (uint32_t at = 0; at < r->program->source.size && !ptog_reduction_is_over(r); at++)
        if (read_number(&r->program->source, at, &span, &number))
            shrunk |= shrink_number(r, number, &span);
    return shrunk;
}

/* ---- inputs ---- */

/* Whether the finding stays with these inputs, which then are the new ones. */
static bool try_inputs(struct ptog_reduced *r, const struct ptog_reduce_inputs *inputs)
{
    if (ptog_reduction_is_over(r) || !ptog_has_goal(r, r->program, inputs))
        return false;
    r->inputs = *inputs;
    return true;
}

/* Tries smaller values for a number, and keeps the first with which the finding stays. */
static bool shrink_argument(struct ptog_reduced *r, size_t i)
{
    struct ptog_binding *binding = &r->inputs.numbers[i];
    int64_t was = binding->number;
    uint64_t size = was < 0 ? UINT64_C(0) - (uint64_t)was : (uint64_t)was;
    for (size_t k = 0; k < SMALLER_COUNT && (uint64_t)smaller[k] < size; k++) {
        binding->number = smaller[k];
        if (try_inputs(r, &r->inputs))
            return true;
    }
    binding->number = was;
    return false;
}

/* Tries fewer blocks, and keeps the fewest with which the finding stays. */
static bool shrink_blocks(struct ptog_reduced *r)
{
    struct ptog_reduce_inputs fewer = r->inputs;
    for (int64_t blocks = 1; blocks < r->inputs.blocks; blocks++) {
        fewer.blocks = blocks;
        if (try_inputs(r, &fewer))
            return true;
    }
    return false;
}

/* Leaves recipe `i` out: data is generated then as for any other argument. */
static bool drop_recipe(struct ptog_reduced *r, size_t i)
{
    struct ptog_recipe was = r->inputs.recipes[i];
    struct ptog_reduce_inputs fewer = r->inputs;
    fewer.recipes[i] = fewer.recipes[--fewer.recipe_count];
    if (try_inputs(r, &fewer))
        return true;
    r->inputs.recipes[i] = was;
    return false;
}

/* Makes blocks, numbers and recipes simpler while the finding stays; true when something changed. */
bool ptog_shrink_inputs(struct ptog_reduced *r)
{
    bool shrunk = r->inputs.blocks > 1 && shrink_blocks(r);
    for (size_t i = 0; i < r->inputs.number_count; i++)
        shrunk |= shrink_argument(r, i);
    for (size_t i = r->inputs.recipe_count; i-- > 0;)
        shrunk |= drop_recipe(r, i);
    return shrunk;
}
