/* tool: data for what the command line does not bind, so that `ptog run FILE` works with nothing given.
 *
 * How much memory a pointer needs, and what its numbers index, only the program knows. So it is run for its meaning
 * before the real run, on memory that is reserved and not filled: once with zeros, to see how far its views reach, and
 * once with a mark of its own in each integer buffer, to see which of them indices come from. Numbers are tried, too,
 * until the views and parts that they give the program lie in each other. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "io/pick.h"
#include "run.h"

#define RESERVED ((size_t)1 << 30) /* bytes of address space for each pointer; a page exists when it is touched */
#define TRIES 40                   /* of numbers */
#define MARK 0x4000                /* in 16 bits too, and no index of a real program's small table */

struct guess {
    struct ptog_slot slot;
    const char *recipe;    /* NULL: the command line says nothing of it */
    unsigned char *memory; /* RESERVED bytes */
    size_t need;           /* of them */
    int64_t number;        /* of a slot that is one */
    enum ptog_dtype dtype; /* as its views see it */
    uint64_t capacity;     /* what its numbers index; 0: nothing */
    bool scalar;           /* single numbers are loaded from it: they may be bounds of loops, and stay 0 */
};

struct guesses {
    struct guess *of;
    size_t count, room;
    bool marked;
};

/* ---- looking on ---- */

static struct guess *guess_at(struct guesses *guesses, const void *data)
{
    for (size_t i = 0; i < guesses->count; i++) {
        uintptr_t base = (uintptr_t)guesses->of[i].memory, at = (uintptr_t)data;
        if (base && at >= base && at - base < RESERVED)
            return &guesses->of[i];
    }
    return NULL;
}

static void reach(struct guesses *guesses, const void *data, uint64_t bytes, enum ptog_dtype dtype)
{
    struct guess *guess = data ? guess_at(guesses, data) : NULL;
    if (!guess)
        return;
    uint64_t end = (uint64_t)((uintptr_t)data - (uintptr_t)guess->memory) + bytes;
    if (end <= RESERVED && end > guess->need)
        guess->need = (size_t)end;
    if (dtype != PTOG_DTYPE_NONE)
        guess->dtype = dtype;
}

static uint64_t span_of(const struct ptog_tensor *view)
{
    int64_t last = 1;
    for (int d = 0; d < 5; d++)
        last += (view->shape[d] - 1) * view->stride[d];
    return (uint64_t)last * ptog_dtype_size(view->dtype);
}

/* An index tile whose first number is a mark has its numbers from the buffer of that mark. */
static void note_index(struct guesses *guesses, const struct ptog_gather_seen *seen)
{
    const struct ptog_tile *idx = seen->mgather ? &seen->mgather->idx : &seen->tgather->idx;
    size_t size = ptog_dtype_size(idx->dtype);
    uint64_t number = 0, capacity = 1;
    if (size == 0 || !seen->run->idx.data || seen->run->idx.bytes < size)
        return;
    memcpy(&number, seen->run->idx.data, size);
    if (!guesses->marked || number < MARK || number - MARK >= guesses->count)
        return;
    if (seen->mgather) {
        bool row = ptog_mgather_mode(ptog_target_find("host"), seen->mgather) == PTOG_ROW;
        const int64_t *shape = seen->mgather->table.shape;
        for (int d = row ? 3 : 0; d < (row ? 4 : 5); d++)
            capacity *= (uint64_t)shape[d];
    } else {
        capacity = (uint64_t)(seen->tgather->src.rows * seen->tgather->src.cols);
    }
    struct guess *guess = &guesses->of[number - MARK];
    if (guess->capacity == 0 || capacity < guess->capacity)
        guess->capacity = capacity;
}

static void see_gather(void *user, const struct ptog_gather_seen *seen)
{
    note_index(user, seen);
}

static void see_access(void *user, const struct ptog_access_seen *seen)
{
    struct guesses *guesses = user;
    if (!seen->insn) {
        struct guess *guess = guess_at(guesses, seen->data);
        reach(guesses, seen->data, seen->bytes, PTOG_DTYPE_NONE);
        if (guess && !seen->stores)
            guess->scalar = true;
        return;
    }
    for (int i = 0; i < seen->insn->count; i++) {
        const struct ptog_operand *operand = &seen->insn->of[i];
        const void *data = seen->insn->opcode == PTOG_TSTORE ? seen->run->dst.data : seen->run->src.data;
        if (operand->kind == PTOG_IS_VIEW)
            reach(guesses, data, span_of(&operand->view), operand->view.dtype);
    }
}

/* ---- the runs before the run ---- */

static bool is_integer(enum ptog_dtype dtype)
{
    return dtype >= PTOG_I8 && dtype <= PTOG_U64;
}

static void put_number(unsigned char *to, enum ptog_dtype dtype, uint64_t number)
{
    memcpy(to, &number, ptog_dtype_size(dtype));
}

static void put_marks(struct guesses *guesses)
{
    for (size_t i = 0; i < guesses->count; i++) {
        const struct guess *guess = &guesses->of[i];
        size_t size = ptog_dtype_size(guess->dtype);
        for (size_t at = 0; is_integer(guess->dtype) && size > 1 && !guess->scalar && at + size <= guess->need;
             at += size)
            put_number(guess->memory + at, guess->dtype, MARK + i);
    }
    guesses->marked = true;
}

/* Runs the program for its meaning. *fits: nothing in its text was at odds with the numbers. */
static bool look(struct guesses *guesses, const ptog_program *program, const struct ptog_execution *execution,
                 bool *fits)
{
    ptog_diags *diags = ptog_diags_new();
    if (!diags)
        return false;
    struct ptog_gather_watch watch = {.gathers = see_gather, .user = guesses, .accesses = see_access};
    struct ptog_execution meaning = *execution;
    meaning.watch = &watch;
    meaning.trace = NULL;
    meaning.progress = NULL;
    meaning.target = ptog_target_find("host");
    enum ptog_status status = ptog_program_run(program, &meaning, diags, NULL);
    *fits = true;
    for (size_t i = 0; i < ptog_diags_count(diags); i++) {
        const struct ptog_diag *diag = ptog_diags_at(diags, i);
        if (diag->severity == PTOG_ERROR && strncmp(diag->id, "text-", 5) == 0)
            *fits = false;
    }
    ptog_diags_free(diags);
    return status != PTOG_NO_MEMORY;
}

/* ---- numbers ---- */

static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void put_real(unsigned char *to, enum ptog_dtype dtype, double real)
{
    if (is_integer(dtype))
        put_number(to, dtype, (uint64_t)(int64_t)real);
    else
        put_number(to, dtype, ptog_dtype_from_real(dtype, real));
}

/* An index below `capacity`; else a small number: floating-point ones in quarters from -8 to 8, which add up exactly.
 */
static void put_random(unsigned char *to, enum ptog_dtype dtype, uint64_t capacity, uint64_t *state)
{
    uint64_t bits = draw(state) >> 16;
    if (capacity > 0 && is_integer(dtype))
        put_number(to, dtype, bits % capacity);
    else if (is_integer(dtype))
        put_number(to, dtype, bits % 100);
    else
        put_real(to, dtype, ((double)(bits % 65) - 32) / 4);
}

/* "1,2,3": the numbers, over and over. */
static double listed(const char *list, size_t i)
{
    size_t count = 1, n = 0;
    for (const char *at = list; *at; at++)
        count += *at == ',';
    const char *at = list;
    for (n = i % count; n > 0; n--)
        at = strchr(at, ',') + 1;
    return strtod(at, NULL);
}

bool run_is_recipe(const char *text)
{
    if (strcmp(text, "zeros") == 0 || strcmp(text, "arange") == 0 || strcmp(text, "random") == 0 ||
        strncmp(text, "random:", 7) == 0 || strncmp(text, "full:", 5) == 0)
        return true;
    return strchr(text, ',') && text[strspn(text, "0123456789.,-+e")] == '\0';
}

/* Fills the data of an item as its recipe says. */
static void fill(struct run_item *item, const struct guess *guess, uint64_t seed)
{
    const char *recipe = tool_or(guess->recipe, "random");
    enum ptog_dtype dtype = guess->dtype ? guess->dtype : PTOG_U8;
    size_t size = ptog_dtype_size(dtype), count = item->bytes / size;
    if (strncmp(recipe, "random:", 7) == 0)
        seed = strtoull(recipe + 7, NULL, 10);
    uint64_t state = (seed + 1) * 0x9E3779B97F4A7C15u;
    for (size_t i = 0; i < count && strcmp(recipe, "zeros") != 0; i++) {
        unsigned char *to = (unsigned char *)item->data + i * size;
        if (strcmp(recipe, "arange") == 0)
            put_real(to, dtype, (double)i);
        else if (strncmp(recipe, "full:", 5) == 0)
            put_real(to, dtype, strtod(recipe + 5, NULL));
        else if (strncmp(recipe, "random", 6) == 0)
            put_random(to, dtype, guess->capacity, &state);
        else
            put_real(to, dtype, listed(recipe, i));
    }
}

/* ---- what is not bound ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp((*(struct run_item *const *)a)->name, (*(struct run_item *const *)b)->name);
}

/* The items by name, for many of them; NULL when out of memory. */
static struct run_item **sorted(struct run_items *items, size_t *count)
{
    struct run_item **list = malloc((items->count + 1) * sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < items->count; i++)
        if (items->list[i].kind != RUN_DUMP)
            list[(*count)++] = &items->list[i];
    if (list)
        qsort(list, *count, sizeof *list, by_name);
    return list;
}

/* Extents that the type leaves open are 16, as numbers are. */
static size_t bytes_of(const struct ptog_slot *slot)
{
    size_t bytes = ptog_dtype_size(slot->dtype);
    for (int d = 0; d < slot->rank && bytes < RESERVED; d++)
        bytes *= slot->shape[d] > 0 ? (size_t)slot->shape[d] : 16;
    return tool_min(bytes, RESERVED);
}

/* As if nothing had run yet. */
static void reset(struct guess *guess)
{
    const struct ptog_slot *slot = &guess->slot;
    if (guess->memory && guess->need > 0)
        madvise(guess->memory, RESERVED, MADV_DONTNEED); /* zeros again */
    guess->dtype = slot->dtype;
    guess->need = guess->capacity = 0;
    guess->scalar = false;
    if (slot->kind == PTOG_SLOT_TILE || (slot->kind != PTOG_SLOT_NUMBER && slot->rank > 0))
        guess->need = bytes_of(slot);
    if (slot->kind == PTOG_SLOT_TILE && is_integer(slot->dtype))
        guess->capacity = 1; /* a tile of the snippet itself: 0 is an index of everything */
}

static bool add_guess(struct guesses *guesses, const struct ptog_slot *slot, const char *recipe)
{
    if (!tool_reserve(&guesses->of, guesses->count + 1, &guesses->room))
        return false;
    struct guess *guess = &guesses->of[guesses->count++];
    *guess = (struct guess){.recipe = recipe, .slot = *slot};
    reset(guess);
    if (slot->kind == PTOG_SLOT_NUMBER)
        return true;
    void *memory = mmap(NULL, RESERVED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED)
        guess->memory = memory;
    return guess->memory != NULL;
}

/* Slots that are not bound, or bound to a recipe. */
static bool find_guesses(struct guesses *guesses, struct run_items *items, const ptog_program *program,
                         const char *function)
{
    struct ptog_slot slot;
    size_t count;
    struct run_item **bound = sorted(items, &count);
    bool good = bound != NULL;
    for (size_t i = 0; good && ptog_program_slot_at(program, function, i, &slot); i++) {
        struct run_item key = {.name = slot.name}, *wanted = &key;
        struct run_item **found = bsearch(&wanted, bound, count, sizeof *bound, by_name);
        bool untyped = slot.kind == PTOG_SLOT_TILE && (slot.rank == 0 || slot.dtype == PTOG_DTYPE_NONE);
        if ((found && !(*found)->recipe) || (!found && (untyped || !items->made_up)))
            continue;
        good = add_guess(guesses, &slot, found ? (*found)->recipe : NULL);
    }
    free(bound);
    return good;
}

/* Of all numbers the same, then of each another one. A block is the first of one; a floating-point number, which has a
 * type here, and an i1 are 1. */
static int64_t number_of(const struct ptog_slot *slot, int attempt, uint64_t *state)
{
    static const int64_t numbers[] = {16, 1, 0, 8, 64};
    const int count = sizeof numbers / sizeof numbers[0];
    if (strstr(slot->name, "block_idx"))
        return 0;
    if (slot->width == 1 || slot->dtype != PTOG_DTYPE_NONE || strstr(slot->name, "block_num"))
        return 1;
    if (attempt < count)
        return numbers[attempt];
    return numbers[draw(state) % (uint64_t)count];
}

static void bind(const struct guess *guess, struct ptog_binding *binding)
{
    *binding = (struct ptog_binding){.name = guess->slot.name, .data = {guess->memory, RESERVED}};
    if (guess->slot.kind == PTOG_SLOT_NUMBER) {
        binding->is_number = true;
        binding->data = (struct ptog_buf){0};
        binding->number = guess->number;
    }
    if (guess->slot.kind == PTOG_SLOT_TILE)
        binding->data.bytes = guess->need;
}

static struct run_item *item_of(struct run_items *items, const struct guess *guess)
{
    for (size_t i = 0; guess->recipe && i < items->count; i++)
        if (items->list[i].recipe == guess->recipe)
            return &items->list[i];
    struct run_item *item = run_new_item(items);
    if (item)
        items->count++;
    return item;
}

/* Names of a program go with it, and a repaired one takes its place. */
static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy)
        return strcpy(copy, text);
    return NULL;
}

/* The guesses become items, as if the command line had given them. */
static bool add_items(struct guesses *guesses, struct run_items *items)
{
    for (size_t i = 0; i < guesses->count; i++) {
        const struct guess *guess = &guesses->of[i];
        struct run_item *item = item_of(items, guess);
        if (!item)
            return false;
        if (!item->copy && !(item->copy = copy_of(guess->slot.name)))
            return false;
        if (!guess->recipe)
            item->name = item->copy;
        item->slot = guess->slot;
        item->kind = RUN_IN;
        if (guess->slot.kind == PTOG_SLOT_NUMBER) {
            item->kind = RUN_SET;
            item->number = guess->number;
            continue;
        }
        item->bytes = guess->need;
        item->dtype = guess->slot.dtype;
        item->file = item->data = calloc(tool_max(guess->need, 1), 1);
        if (!item->data)
            return false;
        if (guess->recipe || (!guess->scalar && !guess->slot.written))
            fill(item, guess, 7 + i);
    }
    return true;
}

static void say(const struct guesses *guesses, const char *command)
{
    size_t said = 0;
    for (size_t i = 0; i < guesses->count && said <= 12; i++) {
        const struct guess *guess = &guesses->of[i];
        if (guess->recipe)
            continue;
        fprintf(stderr, said++ == 0 ? "ptog %s: note: made up:" : ",", command);
        if (said > 12)
            fputs(" ...", stderr);
        else if (guess->slot.kind == PTOG_SLOT_NUMBER)
            fprintf(stderr, " %%%s = %lld", guess->slot.name, (long long)guess->number);
        else if (guess->capacity > 1)
            fprintf(stderr, " %%%s (indices below %llu)", guess->slot.name, (unsigned long long)guess->capacity);
        else
            fprintf(stderr, " %%%s", guess->slot.name);
    }
    if (said > 0)
        fputs("; bind data with --in NAME=FILE, numbers with --set NAME=N\n", stderr);
}

/* ---- all of it ---- */

/* What is given is not to be changed by the runs before the run: copies of it, in bindings of which the first `count`
 * own their data. */
static bool copy_given(struct ptog_binding *bindings, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        struct ptog_buf *data = &bindings[i].data;
        if (!data->data)
            continue;
        void *copy = malloc(tool_max(data->bytes, 1));
        good = good && copy;
        if (copy && data->bytes > 0)
            memcpy(copy, data->data, data->bytes);
        data->data = copy;
    }
    return good;
}

/* Runs with other numbers until they fit, or the first ones when none do; in the end with those that count. */
static bool try_numbers(struct guesses *guesses, struct ptog_binding *bindings, const ptog_program *program,
                        const struct ptog_execution *trial)
{
    uint64_t state = 7;
    clock_t start = clock();
    bool fits = false, numbers = false, good = true;
    for (int attempt = 0; good && !fits && attempt <= TRIES; attempt++) {
        for (size_t i = 0; i < guesses->count; i++) {
            struct guess *guess = &guesses->of[i];
            numbers = numbers || guess->slot.kind == PTOG_SLOT_NUMBER;
            reset(guess);
            guess->number = number_of(&guess->slot, attempt % TRIES, &state);
            bind(guess, &bindings[i]);
        }
        good = look(guesses, program, trial, &fits);
        if (!numbers)
            break;
        if (clock() - start > CLOCKS_PER_SEC && attempt < TRIES - 1) /* a long program: the first ones, then */
            attempt = TRIES - 1;
    }
    return good;
}

static bool try_out(struct guesses *guesses, struct run_items *items, const ptog_program *program,
                    const struct ptog_execution *execution)
{
    size_t given;
    struct ptog_binding *some = run_bindings(items, &given);
    struct ptog_binding *all = some ? calloc(given + guesses->count, sizeof *all) : NULL;
    struct ptog_execution trial = *execution;
    if (all && given > 0)
        memcpy(all, some, given * sizeof *all);
    bool good = all && copy_given(all, given);
    bool fits;
    trial.bindings = all;
    trial.binding_count = given + guesses->count;
    good = good && try_numbers(guesses, all + given, program, &trial);
    if (good)
        put_marks(guesses);
    good = good && look(guesses, program, &trial, &fits);
    for (size_t i = 0; all && i < given; i++)
        free(all[i].data.data);
    free(all);
    free(some);
    return good;
}

bool run_make_up(struct run_items *items, const ptog_program *program, const struct ptog_execution *execution)
{
    struct guesses guesses = {0};
    bool good = find_guesses(&guesses, items, program, execution->function);
    if (good && guesses.count > 0)
        good = try_out(&guesses, items, program, execution) && add_items(&guesses, items);
    if (good && !items->silent)
        say(&guesses, items->command);
    for (size_t i = 0; i < guesses.count; i++)
        if (guesses.of[i].memory)
            munmap(guesses.of[i].memory, RESERVED);
    free(guesses.of);
    return good || (tool_fail(items->command, "no memory to make up data in: bind it, --in NAME=FILE"), false);
}
