/* tool/cxx: ptog-cxx, a compiler for C++ with kernel launches: g++ or clang++, after kernel<<<...>>>(...) was
 * rewritten. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/ptog.h>

#include "compile.h"
#include "io/stream.h"

static const char help[] =
    "usage: ptog-cxx [--target=T] [--compiler=NAME] [OPTION]... FILE...\n"
    "       ptog-cxx --ptog-rewrite FILE...\n"
    "\n"
    "Compiles C++ with kernel launches, kernel<T><<<blocks, dynUB, stream>>>(x, y). Launches in the sources named on the\n"
    "command line are rewritten into C++; then g++ or clang++ does the rest, with the headers and the library of\n"
    "ptogather. Every OPTION that is not listed here is the compiler's.\n"
    "\n"
    "  --target=T         -DPTOG_TARGET=T: the target kernels are compiled for; 'ptog targets' lists them\n"
    "  --compiler=NAME    the compiler; else the one in PTOG_CXX, else g++, else clang++\n"
    "  --ptog-launch      the next word is the compiler, as build systems write it\n"
    "  --ptog-rewrite     print the rewritten sources, and compile nothing\n"
    "  --help, --version\n"
    "\n"
    "Added to the compiler's options: -std=c++17 unless there is a -std=; -I for the headers, which come before those of\n"
    "another PTO library; the macros of the device's compiler for the target, as __CCE_AICORE__; when linking, -lptog.\n"
    "Options of that compiler are left out with a note (-mllvm -cce-..., --cce-...); --cce-aicore-arch= chooses the target,\n"
    "and -xcce is -xc++.\n"
    "Launches in files that the sources include, next to them or along -iquote, -I, CPATH, -isystem and -idirafter, are\n"
    "rewritten, too.\n"
    "\n"
    "Exit status: the compiler's; 2 if the command line, a file or a launch is invalid.\n";

static int print_version(const struct cxx_options *options)
{
    printf("ptog-cxx %s\n", ptog_version());
    fflush(stdout);
    return cxx_ask_compiler(options, "--version");
}

/* What is linked for no target runs on host, where nobody looks for races: that is said, once. A macro of a tool chain
 * names a target, too. */
static void say_host(const struct cxx_options *options, int argc, char **argv)
{
    static const char *const named[] = {"-DPTOG_TARGET", "-D__CPU_SIM", "-DPTO_NPU_ARCH"};
    bool is_named = options->target || options->stops || options->only_dependencies || options->sources == 0;
    for (int i = 1; i < argc; i++)
        for (size_t n = 0; n < sizeof named / sizeof named[0]; n++)
            is_named = is_named || strncmp(argv[i], named[n], strlen(named[n])) == 0;
    if (!is_named)
        fputs(
            "ptog-cxx: note: no --target: the host does not check for races; use --target=a2a3 or a5, or PTOG_TARGET=a5 when the program runs\n",
            stderr);
}

/* Options that are left out are named once, so that nobody waits for their effect. */
static void say_ignored(const struct cxx_options *options)
{
    if (options->ignored_count == 1)
        fprintf(stderr, "ptog-cxx: note: ignored '%s', an option of the device's compiler\n", options->ignored);
    else if (options->ignored_count > 1)
        fprintf(stderr, "ptog-cxx: note: ignored '%s' and %zu other option%s of the device's compiler\n",
                options->ignored, options->ignored_count - 1, options->ignored_count == 2 ? "" : "s");
}

/* Does what the options ask for; the exit status. */
static int dispatch(const struct cxx_options *options, int argc, char **argv)
{
    if (options->help)
        return fputs(help, stdout) < 0;
    if (options->version)
        return print_version(options);
    if (options->rewrite)
        return cxx_print_rewritten(options);
    if (argc < 2) {
        fputs(help, stderr);
        return CXX_USAGE;
    }
    say_ignored(options);
    say_host(options, argc, argv);
    return cxx_compile(options);
}

/* ptog-cxx: reads the options, and compiles. */
int main(int argc, char **argv)
{
    struct cxx_options options;
    struct tool_why why;
    tool_streams_start();
    int status =
        cxx_options_read(&options, argc, argv, &why) ? dispatch(&options, argc, argv) : cxx_fail("%s", why.text);
    free(options.at);
    int error = tool_stdout_end();
    if (error)
        return cxx_fail("cannot write standard output: %s", strerror(error));
    return status;
}
