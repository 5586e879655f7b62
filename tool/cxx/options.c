/* tool/cxx: the command line of ptog-cxx. What is not ours is the compiler's and is handed on, in its order; we must
 * know which of its options take a second word, so that the value of an option is not taken for a source. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include <ptog/target.h>

#include "io/pick.h"

static bool is_one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list != NULL;
}

static bool starts_with(const char *word, const char *start)
{
    return strncmp(word, start, strlen(start)) == 0;
}

static bool ends_with(const char *word, const char *end)
{
    size_t length = strlen(word), tail = strlen(end);
    return length >= tail && strcmp(word + length - tail, end) == 0;
}

static bool starts_with_one_of(const char *word, const char *const *list)
{
    while (*list && !starts_with(word, *list))
        list++;
    return *list != NULL;
}

static bool has_suffix(const char *path, const char *const *suffixes)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(tool_or(slash, path), '.');
    return dot && is_one_of(dot, suffixes);
}

bool cxx_is_known_suffix(const char *path)
{
    static const char *const suffixes[] = {".cpp", ".cc", ".cxx", ".c++", ".cp", ".C", ".CPP", ".c", NULL};
    return has_suffix(path, suffixes);
}

static bool is_source(const char *path, const char *language)
{
    static const char *const ours[] = {".cce", ".asc", NULL}; /* kernel sources that only the device's compiler knows */
    if (language)
        return strcmp(language, "c++") == 0;
    return cxx_is_known_suffix(path) || has_suffix(path, ours);
}

static bool is_object(const char *path)
{
    static const char *const suffixes[] = {".o", ".a", ".so", ".obj", ".lo", NULL};
    return has_suffix(path, suffixes) || strstr(path, ".so.") != NULL;
}

/* ---- the compiler's options */

static const char *const with_value[] = {"-I",
                                         "-D",
                                         "-U",
                                         "-B",
                                         "-A",
                                         "-G",
                                         "-include",
                                         "-imacros",
                                         "-isystem",
                                         "-iquote",
                                         "-idirafter",
                                         "-iprefix",
                                         "-iwithprefix",
                                         "-iwithprefixbefore",
                                         "-isysroot",
                                         "-imultilib",
                                         "-Xpreprocessor",
                                         "-Xassembler",
                                         "-Xclang",
                                         "-aux-info",
                                         "--param",
                                         "-arch",
                                         "-target",
                                         "-wrapper",
                                         "-dumpbase",
                                         "-dumpbase-ext",
                                         "-dumpdir",
                                         "-mllvm",
                                         "--sysroot",
                                         "-include-pch",
                                         "-ivfsoverlay",
                                         "-gcc-toolchain",
                                         "-framework",
                                         "--include",
                                         "--define-macro",
                                         "--undefine-macro",
                                         "--include-directory",
                                         NULL};
static const char *const linking_with_value[] = {"-L", "-l", "-Xlinker", "-u", "-T", "-z", "-e", "--library-directory",
                                                 NULL};
static const char *const linking[] = {"-shared",
                                      "-static",
                                      "-rdynamic",
                                      "-static-libgcc",
                                      "-static-libstdc++",
                                      "-s",
                                      "-nostartfiles",
                                      "-nodefaultlibs",
                                      "-static-pie",
                                      "-no-pie",
                                      "-pie",
                                      "-r",
                                      NULL};
static const char *const linking_start[] = {"-L", "-l", "-Wl,", "-fuse-ld=", NULL};
static const char *const stopping[] = {"-c",        "-S",         "-E",           "-fsyntax-only",
                                       "--compile", "--assemble", "--preprocess", NULL};
static const char *const depend_with_value[] = {"-MF", "-MT", "-MQ", NULL};
static const char *const depend[] = {"-MD", "-MMD", "-MP", "-MG", NULL};

/* What a compiler option is about: dependencies, linking, the output, or anything else. */
static enum cxx_role role_of(const char *word)
{
    if (is_one_of(word, depend_with_value) || is_one_of(word, depend) || starts_with(word, "-MF"))
        return CXX_DEPEND;
    if (is_one_of(word, linking_with_value) || is_one_of(word, linking) || starts_with_one_of(word, linking_start))
        return CXX_LINKING;
    if (starts_with(word, "-Wp,-M"))
        return CXX_DEPEND;
    if (starts_with(word, "-o"))
        return CXX_OUTPUT;
    return CXX_OPTION;
}

static bool needs_value(const char *word)
{
    return is_one_of(word, with_value) || is_one_of(word, linking_with_value) || is_one_of(word, depend_with_value) ||
           strcmp(word, "-o") == 0;
}

/* -Wp,-MD,file.d, as old build systems write it. */
static void note_wp(struct cxx_options *options, const char *word)
{
    static const char *const starts[] = {"-Wp,-MD,", "-Wp,-MMD,", NULL};
    for (const char *const *start = starts; *start; start++)
        if (starts_with(word, *start)) {
            options->writes_dependencies = true;
            options->dependencies = word + strlen(*start);
        }
}

/* What the driver of the compilers has to know about an option. */
static void note(struct cxx_options *options, const struct cxx_argument *argument)
{
    const char *word = argument->word;
    const char *macro = starts_with(word, "-D") ? tool_or(argument->value, word + 2) : "";
    options->simulates |= strcmp(macro, "__CPU_SIM") == 0 || starts_with(macro, "__CPU_SIM=");
    options->has_std |= starts_with(word, "-std=") || starts_with(word, "--std=");
    options->stops |= is_one_of(word, stopping);
    options->preprocesses |= strcmp(word, "-E") == 0 || strcmp(word, "--preprocess") == 0;
    options->only_dependencies |= strcmp(word, "-M") == 0 || strcmp(word, "-MM") == 0;
    options->writes_dependencies |= strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0;
    if (starts_with(word, "-MF"))
        options->dependencies = tool_or(argument->value, word + 3);
    if (argument->role == CXX_OUTPUT)
        options->output = tool_or(argument->value, word + 2);
    note_wp(options, word);
}

/* ---- our own options */

/* --target=a5 and --target a5 are ours; --target=x86_64-linux-gnu is clang's. */
static bool take_target(struct cxx_options *options, const char *name, bool *ours, struct tool_why *why)
{
    bool known = ptog_target_find(name) != NULL;
    *ours = known || !strchr(name, '-');
    if (known)
        options->target = name;
    return known || !*ours || tool_why(why, "unknown target '%s'; 'ptog targets' lists them", name);
}

/* Takes an option of ptog-cxx itself; *ours is false for one of the compiler. False, with *why, for one that
 * cannot be. */
static bool take_own(struct cxx_options *options, const char *word, bool *ours, struct tool_why *why)
{
    *ours = true;
    if (starts_with(word, "--target="))
        return take_target(options, word + strlen("--target="), ours, why);
    if (starts_with(word, "--compiler=")) {
        options->compiler = word + strlen("--compiler=");
        return options->compiler[0] || tool_why(why, "--compiler= needs a name or a path");
    }
    if (strcmp(word, "--ptog-launch") == 0) {
        options->launches = true;
        return true;
    }
    if (strcmp(word, "--ptog-rewrite") == 0)
        options->rewrite = true;
    else if (starts_with(word, "--ptog-"))
        return tool_why(why, "unknown option '%s'; expected --ptog-rewrite or --ptog-launch", word);
    else if (strcmp(word, "--help") == 0)
        options->help = true;
    else if (strcmp(word, "--version") == 0)
        options->version = true;
    else
        *ours = false;
    return true;
}

/* ---- the device's compiler */

/* --cce-aicore-arch=dav-c220-vec: the target, unless --target says another one. */
static void take_device_arch(struct cxx_options *options, const char *arch)
{
    static const struct {
        const char *start, *target;
    } known[] = {{"dav-c220", "a2a3"}, {"dav-c310", "a5"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (starts_with(arch, known[i].start) && !options->target)
            options->target = known[i].target;
    if (ends_with(arch, "-vec"))
        options->core = CXX_VECTOR_CORE;
    else if (ends_with(arch, "-cube"))
        options->core = CXX_CUBE_CORE;
}

/* How many words at argv[0] are options that only the device's compiler knows: they are left out, and the target is
 * taken from them. 0: it is none. */
static int take_device_option(struct cxx_options *options, char **argv, bool last)
{
    static const char *const starts[] = {"--cce-", "-Xhost-start", "-Xhost-end", NULL};
    static const char arch[] = "--cce-aicore-arch=";
    int words = starts_with_one_of(argv[0], starts);
    if (!last && strcmp(argv[0], "-mllvm") == 0 && starts_with(argv[1], "-cce-"))
        words = 2;
    if (starts_with(argv[0], arch))
        take_device_arch(options, argv[0] + strlen(arch));
    if (words > 0 && options->ignored_count++ == 0)
        options->ignored = argv[words - 1];
    return words;
}

/* ---- the whole */

static void add_option(struct cxx_options *options, struct cxx_argument argument)
{
    options->at[options->count++] = argument; /* there is room for each word */
    options->sources += argument.role == CXX_SOURCE;
    options->foreign += argument.role == CXX_FOREIGN;
}

/* Adds a file of the command line: a source to be rewritten, an object, or something else. */
static void add_input(struct cxx_options *options, const char *path, const char *language)
{
    enum cxx_role role = CXX_FOREIGN;
    if (path[0] != '@' && is_source(path, language))
        role = CXX_SOURCE;
    else if (!language && is_object(path))
        role = CXX_LINKING;
    add_option(options, (struct cxx_argument){.role = role, .word = path, .language = language});
}

/* -x c++, -xc++; "none" means by suffix again, and "cce" is C++ for the device. */
static void set_language(const char **language, const char *name)
{
    if (strcmp(name, "cce") == 0)
        name = "c++";
    *language = strcmp(name, "none") == 0 ? NULL : name;
}

bool cxx_options_read(struct cxx_options *options, int argc, char **argv, struct tool_why *why)
{
    const char *language = NULL;
    *options = (struct cxx_options){0};
    options->at = malloc(tool_max((uint64_t)argc, 1) * sizeof *options->at);
    if (!options->at)
        return tool_why(why, "out of memory");
    for (int i = 1; i < argc; i++) {
        bool ours, last = i + 1 == argc;
        if (options->launches && !options->compiler) {
            options->compiler = argv[i];
            continue;
        }
        if (!take_own(options, argv[i], &ours, why))
            return false;
        if (ours)
            continue;
        if (strcmp(argv[i], "--target") == 0 && !last && !take_target(options, argv[i + 1], &ours, why))
            return false;
        if (ours) {
            i++;
            continue;
        }
        int ignored = take_device_option(options, argv + i, last);
        if (ignored > 0) {
            i += ignored - 1;
            continue;
        }
        bool separate = needs_value(argv[i]) || strcmp(argv[i], "-x") == 0;
        if (separate && last)
            return tool_why(why, "expected a value after '%s'", argv[i]);
        if (starts_with(argv[i], "-x") && (separate || argv[i][2])) {
            set_language(&language, separate ? argv[++i] : argv[i] + 2);
        } else if (argv[i][0] != '-' || argv[i][1] == '\0') {
            add_input(options, argv[i], language);
        } else {
            struct cxx_argument argument = {.role = role_of(argv[i]), .word = argv[i]};
            if (separate)
                argument.value = argv[++i];
            note(options, &argument);
            add_option(options, argument);
        }
    }
    return true;
}
