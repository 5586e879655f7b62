/* tool: the time of a search in processor seconds, and the command line of ptog run that shows what it found. */
#include "search.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_SECONDS 86400.0

/* ---- time ---- */

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

struct search_deadline search_deadline_in(double seconds)
{
    return (struct search_deadline){processor_seconds() + seconds};
}

bool search_is_in_time(void *user, uint64_t runs)
{
    const struct search_deadline *deadline = user;
    (void)runs;
    return processor_seconds() < deadline->at;
}

bool search_take_seconds(const char *command, const char *text, double *seconds)
{
    char *end = NULL;
    if (!text)
        return true;
    *seconds = strtod(text, &end);
    if (end != text && *end == '\0' && *seconds > 0 && *seconds <= MAX_SECONDS)
        return true;
    tool_usage(command, "--seconds: expected a number above 0, at most 86400, not '%s'", text);
    return false;
}

/* ---- the command ---- */

/* Whether a shell takes a word as it is. */
static bool is_shell_word(const char *word)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    return *word && word[strspn(word, harmless)] == '\0';
}

/* Writes text between single quotes, and each of its own as '\''. */
static void put_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", to);
        else
            fputc(*text, to);
    fputc('\'', to);
}

static void put_shell_word(FILE *to, const char *word)
{
    if (is_shell_word(word))
        fputs(word, to);
    else
        put_quoted(to, word);
}

void search_put_option(FILE *to, const char *option, const char *name, const char *value)
{
    fprintf(to, " %s ", option);
    put_shell_word(to, name);
    fputc('=', to);
    put_shell_word(to, value);
}

void search_put_command(FILE *to, const struct search_command *command)
{
    fputs("ptog run ", to);
    put_shell_word(to, command->path);
    fprintf(to, " --target %s", command->target->name);
    if (command->function) {
        fputs(" --func ", to);
        put_shell_word(to, command->function);
    }
    if (command->blocks > 1)
        fprintf(to, " --blocks %" PRId64, command->blocks);
    for (size_t i = 0; i < command->number_count; i++) {
        char number[32];
        snprintf(number, sizeof number, "%" PRId64, command->numbers[i].number);
        search_put_option(to, "--set", command->numbers[i].name, number);
    }
}
