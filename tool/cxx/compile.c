/* tool/cxx: running the compiler. Without launches, the command line goes to the compiler as it is, with our flags. A
 * source with launches is compiled by a run of its own, from a temporary file; what remains, and the linking, is done
 * by a last run. Nothing ever passes through a shell. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "depend.h"
#include "halves.h"
#include "headers.h"
#include "io/file.h"
#include "io/pick.h"
#include "other_library.h"
#include "place.h"
#include "scratch.h"
#include "source.h"

struct job {
    const struct cxx_options *options;
    struct cxx_words strings;
    struct cxx_place place;
    struct cxx_words last;    /* options for directories that are looked into last */
    const char *compilers[3]; /* the first that exists is taken */
    const char *scratch;      /* NULL: not needed */
    struct cxx_source *sources;
    struct cxx_headers headers; /* that they include */
    bool halves;                /* a source is compiled for both kinds of core */
    size_t count, copied;       /* sources; those with a temporary file */
};

/* Prints a message of ptog-cxx to stderr, and returns the exit status for wrong usage. */
int cxx_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("ptog-cxx: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return CXX_USAGE;
}

/* ---- runs */

static void choose_compiler(struct job *job)
{
    const char *said = tool_or(job->options->compiler, getenv("PTOG_CXX"));
    bool chosen = said && said[0];
    job->compilers[0] = chosen ? said : "g++";
    job->compilers[1] = chosen ? NULL : "clang++";
}

/* Another program than the compiler. Frees its words. */
static int run_tool(struct job *job, struct cxx_words *words)
{
    struct tool_why why;
    int status = CXX_USAGE;
    bool missing, started = !words->failed && !job->strings.failed && cxx_run(words->at, &status, &missing, &why);
    if (words->failed || job->strings.failed)
        tool_why_set(&why, "out of memory");
    else if (!started && missing)
        tool_why_set(&why, "a kernel for both kinds of core needs objcopy, which is not found");
    cxx_words_free(words);
    return started ? status : cxx_fail("%s", why.text);
}

/* `words` has an empty place in front for the compiler. Frees them. */
static int run(struct job *job, struct cxx_words *words)
{
    struct tool_why why;
    int status = CXX_USAGE;
    bool started = false, missing = true;
    if (words->failed || job->strings.failed) {
        cxx_words_free(words);
        return cxx_fail("out of memory");
    }
    for (size_t i = 0; missing && job->compilers[i]; i++) {
        words->at[0] = job->compilers[i];
        started = cxx_run(words->at, &status, &missing, &why);
    }
    cxx_words_free(words);
    if (started)
        return status;
    if (missing && job->compilers[1])
        return cxx_fail("found neither g++ nor clang++; set PTOG_CXX or --compiler= to another compiler");
    return cxx_fail("%s", why.text);
}

/* The compiler's words that every call begins with: language, headers, target. */
static struct cxx_words start_words(struct job *job)
{
    struct cxx_words words = {0};
    cxx_words_add(&words, "");
    if (!job->options->has_std)
        cxx_words_add(&words, "-std=c++17");
    cxx_words_add(&words, "-I");
    cxx_words_add(&words, job->place.include);
    cxx_words_add(&words, "-idirafter"); /* headers of generated kernels, unless there are others of their name */
    cxx_words_add(&words, cxx_format(&job->strings, "%s/pto/generated", job->place.include));
    if (job->options->sources + job->options->foreign > 0) {
        cxx_words_add(&words, "-include");
        cxx_words_add(&words, cxx_format(&job->strings, "%s/pto/ptog/device_macros.hpp", job->place.include));
    }
    cxx_words_add_all(&words, job->last.at);
    if (job->options->target)
        cxx_words_add(&words, cxx_format(&job->strings, "-DPTOG_TARGET=%s", job->options->target));
    return words;
}

/* Adds an argument of the user; a directory with headers of the same names comes behind ours, and a file that is
 * included before the source may have a copy. */
static void add_argument(struct job *job, struct cxx_words *words, const struct cxx_argument *argument)
{
    const char *other = cxx_other_library_in(job->place.include, argument, &job->strings);
    if (other) {
        cxx_words_add_all(words, (const char *const[]){"-idirafter", other, NULL});
        return;
    }
    const char *copy = cxx_headers_copy_of(&job->headers, argument, job->options, job->place.include, &job->strings);
    if (copy) {
        cxx_words_add_all(words, (const char *const[]){"-include", copy, NULL});
        return;
    }
    cxx_words_add(words, argument->word);
    if (argument->value)
        cxx_words_add(words, argument->value);
}

static void add_input(struct cxx_words *words, const char *path, const char *language)
{
    if (language)
        cxx_words_add_all(words, (const char *const[]){"-x", language, path, "-x", "none", NULL});
    else
        cxx_words_add(words, path);
}

/* A language that is not said and not known by the suffix is C++: .cce, .asc. */
static void add_as_it_is(struct cxx_words *words, const struct cxx_argument *argument)
{
    bool tell = argument->role == CXX_SOURCE && !argument->language && !cxx_is_known_suffix(argument->word);
    add_input(words, argument->word, tell ? "c++" : argument->language);
}

static void add_library(struct job *job, struct cxx_words *words)
{
    const char *lib = job->place.lib;
    cxx_words_add_all(words, (const char *const[]){"-L", lib, "-lptog", "-Xlinker", "-rpath", "-Xlinker", lib, NULL});
}

static bool is_input(const struct cxx_argument *argument)
{
    return argument->role == CXX_SOURCE || argument->role == CXX_FOREIGN;
}

/* Everything the user said; a source that was compiled already is replaced by its object. */
static int run_all(struct job *job)
{
    const struct cxx_options *options = job->options;
    struct cxx_words words = start_words(job);
    bool inputs = false, compiles = options->foreign > 0 || job->copied < options->sources;
    for (size_t i = 0, s = 0; i < options->count; i++) {
        const struct cxx_argument *argument = &options->at[i];
        const char *object = argument->role == CXX_SOURCE && job->sources ? job->sources[s++].object : NULL;
        inputs |= is_input(argument) || argument->word[0] != '-';
        if (object)
            cxx_words_add(&words, object);
        else if (is_input(argument))
            add_as_it_is(&words, argument);
        else if (compiles || argument->role != CXX_DEPEND)
            add_argument(job, &words, argument);
    }
    if (inputs && !options->stops && !options->only_dependencies)
        add_library(job, &words);
    return run(job, &words);
}

/* ---- one input at a time */

enum how { ALONE, TO_OBJECT, FOR_CUBE };

/* #include "..." is looked for next to the user's file, and debuggers find that file. */
static void add_faithful(struct job *job, struct cxx_words *words, const struct cxx_source *source)
{
    const char *directory = cxx_directory_of(&job->strings, source->path);
    const char *shown = directory && directory[0] ? directory : "./";
    cxx_words_add(words, "-iquote");
    cxx_words_add(words, shown);
    cxx_words_add(words, cxx_format(&job->strings, "-fdebug-prefix-map=%s/=%s", source->directory, shown));
}

/* In one half of a kernel what the other half uses is not used. */
static const char *const half_words[] = {"-DPTOG_HALVES=1",
                                         "-fno-lto",
                                         "-Wno-unused-parameter",
                                         "-Wno-unused-variable",
                                         "-Wno-unused-const-variable",
                                         "-Wno-unused-but-set-variable",
                                         "-Wno-unused-but-set-parameter",
                                         "-Wno-unused-function",
                                         "-Wno-unused-local-typedefs",
                                         NULL};

/* The macros by which the headers know for which cores they are compiled; behind the user's options. */
static void add_core(struct job *job, struct cxx_words *words, struct cxx_source *source, enum cxx_core core)
{
    if (core != CXX_BOTH_CORES)
        cxx_words_add(words, cxx_format(&job->strings, "-DPTOG_CORE=%d", core));
    if (source->has_halves)
        cxx_words_add_all(words, half_words);
    if (cxx_has_waits(source))
        cxx_words_add(words, "-DPTOG_LINKED=1");
}

/* Whether an option is for this run. */
static bool is_wanted(const struct job *job, enum how how, enum cxx_role role)
{
    if (role == CXX_LINKING)
        return how == ALONE && !job->options->stops;
    if (role == CXX_DEPEND)
        return how != FOR_CUBE;
    return role == CXX_OPTION || (role == CXX_OUTPUT && how == ALONE);
}

/* The command for the input at `place`; `source` is NULL when that is compiled as it is. */
static struct cxx_words words_for(struct job *job, enum how how, size_t place, struct cxx_source *source)
{
    struct cxx_words words = start_words(job);
    if (source)
        add_faithful(job, &words, source);
    for (size_t i = 0; i < job->options->count; i++) {
        const struct cxx_argument *argument = &job->options->at[i];
        if (i == place && source)
            add_input(&words, source->temporary, "c++");
        else if (i == place)
            add_as_it_is(&words, argument);
        else if (is_wanted(job, how, argument->role))
            add_argument(job, &words, argument);
    }
    if (source) {
        enum cxx_core first = source->has_halves ? CXX_VECTOR_CORE : job->options->core;
        add_core(job, &words, source, how == FOR_CUBE ? CXX_CUBE_CORE : first);
    }
    return words;
}

/* ---- both kinds of core */

/* -c or something like it, but no object is made: assembly, preprocessed text, nothing. */
static bool makes_no_object(const struct cxx_options *options)
{
    for (size_t i = 0; i < options->count; i++)
        if (options->at[i].role == CXX_OPTION &&
            (strcmp(options->at[i].word, "-S") == 0 || strcmp(options->at[i].word, "-E") == 0 ||
             strcmp(options->at[i].word, "-fsyntax-only") == 0))
            return true;
    return options->only_dependencies;
}

/* Whether the source at hand becomes an object by two runs of the compiler. */
static bool is_joined(const struct job *job, const struct cxx_source *source)
{
    return source->has_halves && !makes_no_object(job->options);
}

/* The object of a source for the vector cores gets that for the cube core added. `vector` is the first one, `to` the
 * object that is wanted. The exit status. */
static int join_halves(struct job *job, size_t place, struct cxx_source *source, const char *vector, const char *to)
{
    const char *names[3] = {"cube", "whole", "hidden"}, *files[3];
    for (size_t i = 0; i < 3; i++)
        files[i] = cxx_format(&job->strings, "%s.%s.o", source->temporary, names[i]);
    struct cxx_words words = words_for(job, FOR_CUBE, place, source);
    cxx_words_add_all(&words, (const char *const[]){"-c", "-o", files[0], NULL});
    int status = run(job, &words);
    struct cxx_words dissolve = {0}, hide = {0}, join = {0};
    cxx_dissolve_words(&dissolve, files[0], files[1]);
    cxx_hide_words(&hide, files[1], files[2]);
    cxx_join_words(&join, vector, files[2], to);
    if (status == 0)
        status = run(job, &dissolve);
    else
        cxx_words_free(&dissolve);
    if (status == 0)
        status = run_tool(job, &hide);
    else
        cxx_words_free(&hide);
    if (status == 0)
        status = run(job, &join);
    else
        cxx_words_free(&join);
    return status;
}

/* Puts one file behind another. False, with *why, when that fails. */
static bool append_file(const char *to, const char *from, struct tool_why *why)
{
    void *text = NULL;
    size_t size;
    if (!tool_file_read(from, UINT64_MAX, &text, &size, why))
        return false;
    FILE *file = fopen(to, "ab");
    bool done = file && fwrite(text, 1, size, file) == size;
    done = (!file || fclose(file) == 0) && done;
    free(text);
    return done || tool_why(why, "cannot write %s", to);
}

/* Of a source for both kinds of core, -E gives the text of both halves: what caches of the compiler compare has to
 * differ when only the other half was changed. */
static int preprocess_cube(struct job *job, size_t place, struct cxx_source *source)
{
    struct tool_why why;
    struct cxx_words words = words_for(job, FOR_CUBE, place, source);
    const char *to = job->options->output && strcmp(job->options->output, "-") != 0 ? job->options->output : NULL;
    const char *text = cxx_format(&job->strings, "%s.cube.ii", source->temporary);
    if (to)
        cxx_words_add_all(&words, (const char *const[]){"-o", text, NULL});
    int status = run(job, &words);
    if (status == 0 && to && !append_file(to, text, &why))
        return cxx_fail("%s", why.text);
    return status;
}

/* Whether the user says what the rules of dependencies are for. */
static bool names_rule(const struct cxx_options *options)
{
    for (size_t i = 0; i < options->count; i++)
        if (options->at[i].role == CXX_DEPEND &&
            (strncmp(options->at[i].word, "-MT", 3) == 0 || strncmp(options->at[i].word, "-MQ", 3) == 0))
            return true;
    return false;
}

/* The object that -c makes of a source. */
static const char *wanted_object(struct job *job, const struct cxx_source *source)
{
    const char *base = cxx_base_of(source->temporary), *dot = strrchr(base, '.');
    if (job->options->output)
        return job->options->output;
    return cxx_format(&job->strings, "%.*s.o", (int)(dot && dot != base ? (size_t)(dot - base) : strlen(base)), base);
}

/* ---- one source */

/* Compiles a rewritten source, and corrects the rules of dependencies that the compiler writes; the exit status. */
static int run_copied(struct job *job, enum how how, size_t place, struct cxx_source *source)
{
    struct tool_why why;
    bool depends = job->options->writes_dependencies, joined = is_joined(job, source);
    struct cxx_words words = words_for(job, joined ? TO_OBJECT : how, place, source);
    const char *to = how == ALONE && joined ? wanted_object(job, source) : NULL;
    const char *rules = depends ? cxx_depend_file(job->options, source, &job->strings) : NULL;
    if (depends && !job->options->dependencies)
        cxx_words_add_all(&words, (const char *const[]){"-MF", rules, NULL});
    if (how == TO_OBJECT) {
        source->object = cxx_format(&job->strings, "%s.o", source->temporary);
        to = source->object;
    } else if (!job->options->stops) {
        add_library(job, &words);
    }
    const char *first = joined ? cxx_format(&job->strings, "%s.vector.o", source->temporary) : to;
    if (to)
        cxx_words_add_all(&words, (const char *const[]){"-c", "-o", first, NULL});
    if (joined && depends && how == ALONE && !names_rule(job->options))
        cxx_words_add_all(&words, (const char *const[]){"-MQ", to, NULL});
    int status = run(job, &words);
    if (status == 0 && source->has_halves && job->options->preprocesses)
        status = preprocess_cube(job, place, source);
    if (status == 0 && joined)
        status = join_halves(job, place, source, first, to);
    bool fixes = status == 0 && depends && strcmp(rules, "-") != 0;
    if (fixes && !cxx_depend_fix(rules, source, &job->strings, &why))
        return cxx_fail("%s: %s", rules, why.text);
    for (size_t i = 0; fixes && i < job->headers.count; i++)
        if (job->headers.at[i]->changed && !cxx_depend_fix(rules, job->headers.at[i], &job->strings, &why))
            return cxx_fail("%s: %s", rules, why.text);
    return status;
}

/* Every input, or only those that were copied, each in a run of its own. The first status that is not 0. */
static int run_each(struct job *job, enum how how)
{
    int status = 0;
    for (size_t i = 0, s = 0; i < job->options->count; i++) {
        const struct cxx_argument *argument = &job->options->at[i];
        struct cxx_source *source = argument->role == CXX_SOURCE ? &job->sources[s++] : NULL;
        int now = 0;
        if (source && source->temporary) {
            now = run_copied(job, how, i, source);
        } else if (is_input(argument) && how == ALONE) {
            struct cxx_words words = words_for(job, how, i, NULL);
            now = run(job, &words);
        }
        if (!status)
            status = now;
    }
    return status;
}

/* ---- the whole */

/* Reads all sources of the command line; false after an error, which is reported. */
static bool read_sources(struct job *job)
{
    bool done = true;
    job->sources = calloc(job->options->sources + 1, sizeof *job->sources);
    for (size_t i = 0; job->sources && i < job->options->count; i++)
        if (job->options->at[i].role == CXX_SOURCE)
            done &= cxx_source_read(&job->sources[job->count++], job->options->at[i].word);
    if (!job->sources || !done ||
        !cxx_headers_read(&job->headers, job->sources, job->count, job->options, job->place.include, &job->strings))
        return false;
    for (size_t i = 0; i < job->count; i++) {
        struct cxx_source *source = &job->sources[i];
        source->has_halves = cxx_has_halves(source, job->options);
        source->changed |= source->has_halves || cxx_has_waits(source); /* it is compiled by a run of its own */
        job->halves |= is_joined(job, source);
    }
    return true;
}

/* Adds a word to a hash (FNV-1a), with its end. */
static uint64_t hash_word(uint64_t hash, const char *word)
{
    for (const char *at = tool_or(word, ""); *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
    return (hash ^ 0xff) * 0x100000001b3;
}

/* The same for every run that compiles the same files in the same way; where the result goes is left out. */
static uint64_t hash_of_job(const struct job *job)
{
    char *here = realpath(".", NULL);
    uint64_t hash = hash_word(0xcbf29ce484222325, here);
    free(here);
    hash = hash_word(hash, job->options->target);
    for (size_t i = 0; i < job->options->count; i++) {
        const struct cxx_argument *argument = &job->options->at[i];
        if (argument->role == CXX_SOURCE || argument->role == CXX_OPTION)
            hash = hash_word(hash_word(hash, argument->word), argument->value);
    }
    return hash;
}

/* A source that was rewritten needs a temporary file, and so does stdin, which was read. */
static bool copy_sources(struct job *job, struct tool_why *why)
{
    bool any = false;
    for (size_t i = 0; i < job->count; i++)
        any |= job->sources[i].changed || job->sources[i].name != job->sources[i].path;
    if (!any)
        return true;
    if (!(job->scratch = cxx_scratch_make(&job->strings, hash_of_job(job), why)) ||
        !cxx_headers_write(&job->headers, job->scratch, &job->strings, why))
        return false;
    for (size_t i = 0; i < job->count; i++) {
        struct cxx_source *source = &job->sources[i];
        if (!source->changed && source->name == source->path)
            continue;
        if (!cxx_headers_rewrite(source, &job->strings))
            return tool_why(why, "out of memory");
        source->directory = cxx_scratch_inside(&job->strings, job->scratch, i, why);
        if (!source->directory || !cxx_source_write(source, &job->strings, why))
            return false;
        job->copied++;
    }
    return true;
}

/* Rewrites, compiles and links as the command line says; the exit status. */
static int run_job(struct job *job)
{
    struct tool_why why;
    size_t inputs = job->options->sources + job->options->foreign;
    if (!cxx_place_find(&job->place, &job->strings, &why))
        return cxx_fail("%s", why.text);
    if (!cxx_move_paths(job->place.include, &job->last, &job->strings) || job->last.failed || job->strings.failed)
        return cxx_fail("out of memory");
    if (!job->options->only_dependencies && !read_sources(job))
        return CXX_USAGE;
    if (!copy_sources(job, &why))
        return cxx_fail("%s", why.text);
    if (job->copied == 0)
        return run_all(job);
    if (job->options->stops && job->options->output && inputs > 1)
        return cxx_fail("-o names one output: expected one source with -c, -S or -E");
    if (job->options->stops || (inputs == 1 && !job->halves))
        return run_each(job, ALONE);
    int status = run_each(job, TO_OBJECT);
    if (status)
        return status;
    return run_all(job);
}

/* Frees the sources, and removes the temporary files. */
static void free_job(struct job *job)
{
    for (size_t i = 0; i < job->count; i++)
        cxx_source_free(&job->sources[i]);
    free(job->sources);
    cxx_headers_free(&job->headers);
    const char *scratch = job->scratch;
    cxx_scratch_remove(scratch);
    cxx_words_free(&job->last);
    cxx_strings_free(&job->strings);
}

int cxx_compile(const struct cxx_options *options)
{
    struct job job = {.options = options};
    choose_compiler(&job);
    int status = run_job(&job);
    free_job(&job);
    return status;
}

int cxx_ask_compiler(const struct cxx_options *options, const char *option)
{
    struct job job = {.options = options};
    struct tool_why why;
    int status = 0;
    bool missing = true;
    choose_compiler(&job);
    for (size_t i = 0; missing && job.compilers[i]; i++)
        cxx_run((const char *const[]){job.compilers[i], option, NULL}, &status, &missing, &why);
    return status;
}

int cxx_print_rewritten(const struct cxx_options *options)
{
    int status = options->sources > 0 ? 0 : cxx_fail("--ptog-rewrite: expected a C++ source");
    for (size_t i = 0; i < options->count; i++) {
        struct cxx_source source;
        if (options->at[i].role != CXX_SOURCE)
            continue;
        if (cxx_source_read(&source, options->at[i].word))
            fwrite(source.rewritten.text, 1, source.rewritten.size, stdout);
        else
            status = CXX_USAGE;
        cxx_source_free(&source);
    }
    return status;
}
