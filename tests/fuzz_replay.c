/* Feeds files to a fuzz target without a fuzzer: every input that once mattered is an ordinary test.
 *
 *   replay FILE...      the empty input is always fed first
 *
 * Each input lies in an allocation of its exact size, so that a sanitizer sees a read past its end. The name is printed
 * before the input is fed: when the target crashes, the last line says on what. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    uint8_t *data = NULL;
    long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (end >= 0 && fseek(file, 0, SEEK_SET) == 0)
        data = malloc(end > 0 ? (size_t)end : 1);
    if (data && fread(data, 1, (size_t)end, file) != (size_t)end) {
        free(data);
        data = NULL;
    }
    fclose(file);
    *size = data ? (size_t)end : 0;
    return data;
}

static void feed(const char *name, const uint8_t *data, size_t size)
{
    printf("%s\n", name);
    fflush(stdout);
    uint8_t *exact = malloc(size);
    if (size > 0 && !exact)
        exit(2);
    if (size > 0)
        memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(int argc, char **argv)
{
    feed("(the empty input)", NULL, 0);
    for (int i = 1; i < argc; i++) {
        size_t size;
        uint8_t *data = read_file(argv[i], &size);
        if (!data) {
            fprintf(stderr, "replay: cannot read %s\n", argv[i]);
            return 2;
        }
        feed(argv[i], data, size);
        free(data);
    }
    printf("replay: %d passed, 0 failed\n", argc);
    return 0;
}
