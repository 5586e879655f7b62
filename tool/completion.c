/* tool: ptog completion, scripts with which bash, zsh and fish complete ptog's command line. All three are made from
 * the tables that help is printed from: a new option is completed without a line here. */
#include "tool.h"

#include <string.h>

#include "io/pick.h"

/* ---- what is offered ---- */

/* Whether the offers of an option are this kind. */
static bool offers_word(const char *offers, const char *what)
{
    return offers && strcmp(offers, what) == 0;
}

/* Prints the names of the targets. */
static void print_targets(void)
{
    fputs("all", stdout);
    for (size_t i = 0; ptog_target_at(i); i++)
        printf(" %s", ptog_target_at(i)->name);
    for (size_t i = 0; ptog_target_alias_at(i); i++)
        printf(" %s", ptog_target_alias_at(i)->name);
}

/* Ids of two tables are offered once. */
static void print_ids(void)
{
    for (size_t i = 0; tool_id_at(i); i++) {
        size_t first = 0;
        while (strcmp(tool_id_at(first), tool_id_at(i)) != 0)
            first++;
        if (first == i)
            printf("%s%s", tool_when(i > 0, " "), tool_id_at(i));
    }
}

static void print_commands(void)
{
    for (size_t i = 0; tool_commands[i]; i++)
        printf("%s%s", tool_when(i > 0, " "), tool_commands[i]->name);
}

static void print_examples(void)
{
    fputs("list", stdout);
    for (size_t i = 0; ptog_draw_example_at(i); i++)
        printf(" %s", ptog_draw_example_at(i)->id);
}

/* Words with spaces between them; none for files. */
static void print_words(const char *offers)
{
    if (!offers || offers_word(offers, TOOL_FILES))
        return;
    if (offers_word(offers, TOOL_TARGETS))
        print_targets();
    else if (offers_word(offers, TOOL_IDS))
        print_ids();
    else if (offers_word(offers, TOOL_COMMANDS))
        print_commands();
    else if (offers_word(offers, TOOL_EXAMPLES))
        print_examples();
    else
        fputs(offers, stdout);
}

/* A row that only adds to the help of the one before offers nothing of its own. */
static bool is_first(const struct tool_option *options, const struct tool_option *option)
{
    while (strcmp(options->name, option->name) != 0)
        options++;
    return options == option;
}

/* The first sentence of a help text, with a backslash before each character of `special`. */
static void print_short(const char *help, const char *special)
{
    for (; *help && *help != ';' && strncmp(help, ". ", 2) != 0; help++) {
        if (*help == '\'')
            continue;
        if (strchr(special, *help))
            putchar('\\');
        putchar(*help);
    }
}

/* Calls `print` for every option of a command, its own and those of all commands, once for each name. */
static void each_option(const struct tool_command *command,
                        void (*print)(const struct tool_command *command, const struct tool_option *option))
{
    for (const struct tool_option *option = command->options; option->name; option++)
        if (is_first(command->options, option))
            print(command, option);
    for (const struct tool_option *option = tool_common_options; option->name; option++)
        print(command, option);
}

/* ---- bash ---- */

/* Prints the case of bash's script that completes the value of an option. */
static void bash_value(const struct tool_command *command, const struct tool_option *option)
{
    if (!option->value)
        return;
    printf("    '%s %s') ", command->name, option->name);
    if (offers_word(option->offers, TOOL_FILES)) {
        puts("files=yes ;;");
        return;
    }
    fputs("words='", stdout);
    print_words(option->offers);
    puts("' ;;");
}

static void bash_name(const struct tool_command *command, const struct tool_option *option)
{
    (void)command;
    printf(" %s", option->name);
}

/* Prints the case of bash's script that completes a command's options and arguments. */
static void bash_command(const struct tool_command *command)
{
    printf("    '%s '*)\n        if [[ $word == -* ]]; then words='", command->name);
    each_option(command, bash_name);
    fputs("'; else ", stdout);
    if (offers_word(command->offers, TOOL_FILES)) {
        puts("files=yes; fi ;;");
        return;
    }
    fputs("words='", stdout);
    print_words(command->offers);
    puts("'; fi ;;");
}

/* Prints the completion for bash. */
static void print_bash(void)
{
    puts("# bash completion of ptog, made by 'ptog completion bash'\n"
         "_ptog()\n"
         "{\n"
         "    local i=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} words= files=no\n"
         "    # bash makes three words of --format=json, and of NAME=FILE\n"
         "    if [[ $word == = ]]; then\n"
         "        word=\n"
         "    elif [[ ${COMP_WORDS[i-1]} == = ]]; then\n"
         "        i=$((i - 1))\n"
         "    fi\n"
         "    local before=${COMP_WORDS[i-1]}\n"
         "    if [[ ${COMP_WORDS[i]} == = && $before != -* ]]; then\n"
         "        before=${COMP_WORDS[i-2]}\n"
         "    fi\n"
         "    if ((COMP_CWORD == 1)); then\n"
         "        before=\n"
         "    fi\n"
         "    case \"${COMP_WORDS[1]} $before\" in");
    for (size_t i = 0; tool_commands[i]; i++)
        each_option(tool_commands[i], bash_value);
    fputs("    *' ') words='--version --help ", stdout);
    print_commands();
    puts("' ;;");
    for (size_t i = 0; tool_commands[i]; i++)
        bash_command(tool_commands[i]);
    puts("    esac\n"
         "    if [[ $files == yes ]]; then\n"
         "        compopt -o filenames 2>/dev/null\n"
         "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
         "    else\n"
         "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "    fi\n"
         "}\n"
         "complete -F _ptog ptog");
}

/* ---- zsh ---- */

/* Prints what zsh offers for a value: files, words, or nothing. */
static void zsh_offers(const char *offers)
{
    if (offers_word(offers, TOOL_FILES)) {
        fputs("_files", stdout);
    } else if (offers) {
        putchar('(');
        print_words(offers);
        putchar(')');
    } else {
        putchar(' ');
    }
}

/* Prints zsh's description of an option. */
static void zsh_option(const struct tool_command *command, const struct tool_option *option)
{
    bool is_long = strncmp(option->name, "--", 2) == 0;
    (void)command;
    printf("            '%s%s%s[", tool_when(option->take, "*"), option->name,
           tool_when(option->value && is_long, "="));
    print_short(option->help, "[]:\\");
    putchar(']');
    if (option->value) {
        fputs(":value:", stdout);
        zsh_offers(option->offers);
    }
    puts("' \\");
}

static void zsh_command(const struct tool_command *command)
{
    printf("    %s)\n        _arguments \\\n", command->name);
    each_option(command, zsh_option);
    fputs("            '*:argument:", stdout);
    zsh_offers(command->offers);
    puts("' ;;");
}

/* Prints the completion for zsh. */
static void print_zsh(void)
{
    puts("#compdef ptog\n"
         "# zsh completion of ptog, made by 'ptog completion zsh'\n"
         "_ptog()\n"
         "{\n"
         "    local -a commands\n"
         "    commands=(");
    for (size_t i = 0; tool_commands[i]; i++) {
        printf("        '%s:", tool_commands[i]->name);
        print_short(tool_commands[i]->summary, ":\\");
        puts("'");
    }
    puts("    )\n"
         "    if ((CURRENT == 2)); then\n"
         "        _describe command commands\n"
         "        _arguments '--version[the version]' '--help[the commands]'\n"
         "        return\n"
         "    fi\n"
         "    shift words\n"
         "    ((CURRENT--))\n"
         "    case $words[1] in");
    for (size_t i = 0; tool_commands[i]; i++)
        zsh_command(tool_commands[i]);
    puts("    esac\n"
         "}\n"
         "if [[ $funcstack[1] == _ptog ]]; then\n"
         "    _ptog \"$@\"\n"
         "else\n"
         "    compdef _ptog ptog\n"
         "fi");
}

/* ---- fish ---- */

/* Prints what fish offers for a value: files, words, or nothing. */
static void fish_offers(const char *offers)
{
    if (offers_word(offers, TOOL_FILES)) {
        fputs(" -F", stdout);
    } else if (offers) {
        fputs(" -a '", stdout);
        print_words(offers);
        putchar('\'');
    }
}

/* Prints fish's command for an option. */
static void fish_option(const struct tool_command *command, const struct tool_option *option)
{
    bool is_long = strncmp(option->name, "--", 2) == 0;
    printf("complete -c ptog -n '__fish_seen_subcommand_from %s' -%c %s", command->name, is_long ? 'l' : 's',
           option->name + (is_long ? 2 : 1));
    if (option->value)
        fputs(offers_word(option->offers, TOOL_FILES) ? " -r" : " -x", stdout);
    if (option->value)
        fish_offers(option->offers);
    fputs(" -d '", stdout);
    print_short(option->help, "\\");
    puts("'");
}

/* Prints the completion for fish. */
static void print_fish(void)
{
    puts("# fish completion of ptog, made by 'ptog completion fish'\n"
         "complete -c ptog -f\n"
         "complete -c ptog -n __fish_use_subcommand -l version -d 'the version'\n"
         "complete -c ptog -n __fish_use_subcommand -l help -d 'the commands'");
    for (size_t i = 0; tool_commands[i]; i++) {
        const struct tool_command *command = tool_commands[i];
        printf("complete -c ptog -n __fish_use_subcommand -a %s -d '", command->name);
        print_short(command->summary, "\\");
        puts("'");
        each_option(command, fish_option);
        if (command->offers) {
            printf("complete -c ptog -n '__fish_seen_subcommand_from %s'", command->name);
            fish_offers(command->offers);
            putchar('\n');
        }
    }
}

/* ---- the command ---- */

/* ptog completion: the exit status. */
static int completion_run(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    const char *shell;
    if (!tool_parse(argc, argv, &tool_completion, NULL, &shell, 1))
        return TOOL_USAGE;
    if (!shell)
        return tool_usage("completion", "needs a shell: bash, zsh or fish");
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].print();
            return TOOL_OK;
        }
    return tool_usage("completion", "unknown shell '%s'; expected bash, zsh or fish", shell);
}

static const struct tool_option none[] = {{.name = NULL}};

const struct tool_command tool_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .summary = "print a completion script for a shell",
    .about =
        "Prints the script. 'make install' installs it where the shell looks for it; otherwise, in bash: source <(ptog completion bash).",
    .options = none,
    .offers = "bash zsh fish",
    .run = completion_run,
};
