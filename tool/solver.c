/* tool: Z3 as the solver of ptog prove (struct ptog_prove_options.solve), if its library is installed: it is loaded
 * when it is needed first. */
#include "solver.h"

#include <dlfcn.h>
#include <string.h>

#define LIBRARY "libz3.so.4" /* of Debian's package libz3-4 */

/* The address sanitizer ends a C program when a library that was loaded later throws an exception, as Z3 does. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define CANNOT_LOAD 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__
#define CANNOT_LOAD 1
#endif
#ifndef CANNOT_LOAD
#define CANNOT_LOAD 0
#endif

/* What is used of z3_api.h. */
struct z3_functions {
    void (*global_param_set)(const char *, const char *);
    void *(*mk_config)(void);
    void *(*mk_context)(void *config);
    void (*del_config)(void *config);
    void (*del_context)(void *context);
    void (*set_error_handler)(void *context, void (*handler)(void *, int));
    const char *(*eval)(void *context, const char *script);
};

static bool find_function(void *library, const char *name, void *to)
{
    void *at = dlsym(library, name);
    memcpy(to, &at, sizeof at);
    return at != NULL;
}

/* Finds the functions of Z3 that are used; false when one is missing. */
static bool find_functions(void *library, struct z3_functions *z3)
{
    return find_function(library, "Z3_global_param_set", &z3->global_param_set) &&
           find_function(library, "Z3_mk_config", &z3->mk_config) &&
           find_function(library, "Z3_mk_context", &z3->mk_context) &&
           find_function(library, "Z3_del_config", &z3->del_config) &&
           find_function(library, "Z3_del_context", &z3->del_context) &&
           find_function(library, "Z3_set_error_handler", &z3->set_error_handler) &&
           find_function(library, "Z3_eval_smtlib2_string", &z3->eval);
}

/* An error shows as an answer that is neither "sat" nor "unsat". */
static void ignore_error(void *context, int error)
{
    (void)context, (void)error;
}

bool solver_open(struct solver *solver)
{
    if (!CANNOT_LOAD && !solver->library && !solver->is_missing)
        solver->library = dlopen(LIBRARY, RTLD_NOW);
    solver->is_missing = !solver->library;
    return !solver->is_missing;
}

/* The answer to a script, in a fresh context that knows nothing of those before; the library is loaded for the first
 * one. NULL: it is not installed. */
const char *solver_answer(void *user, const char *script)
{
    struct solver *solver = user;
    struct z3_functions z3;
    if (!solver_open(solver) || !find_functions(solver->library, &z3))
        return NULL;
    if (solver->context)
        z3.del_context(solver->context);
    else
        z3.global_param_set("rlimit", "4000000"); /* steps of one question, some seconds at most */
    void *config = z3.mk_config();
    solver->context = z3.mk_context(config);
    z3.del_config(config);
    if (!solver->context)
        return NULL;
    z3.set_error_handler(solver->context, ignore_error);
    return z3.eval(solver->context, script);
}

void solver_close(struct solver *solver)
{
    struct z3_functions z3;
    if (solver->context && find_functions(solver->library, &z3))
        z3.del_context(solver->context);
    solver->context = NULL;
}
