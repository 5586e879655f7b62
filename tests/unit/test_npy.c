/* unit: npy files and whole files: every type there and back, and headers that lie. */
#define _POSIX_C_SOURCE 200809L /* getpid */
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/array.h"

static struct tool_npy npy;
static struct tool_why why;

/* ---- there and back ---- */

static void every_type(void **state)
{
    (void)state;
    static const char *const carried[] = {"",       "int8",    "uint8", "int16",  "uint16",
                                          "int32",  "uint32",  "int64", "uint64", "float16",
                                          "uint16", "float32", "uint8", "uint8",  "uint8",
                                          "uint8",  "uint8",   "uint8", "uint8",  "uint8"};
    const int64_t shape[] = {2, 3};
    for (int dtype = 1; dtype < PTOG_DTYPE_COUNT; dtype++) {
        unsigned char file[TOOL_NPY_HEADER + 48];
        char name[24];
        size_t data = 6 * ptog_dtype_size((enum ptog_dtype)dtype);
        size_t header = tool_npy_header((char *)file, (enum ptog_dtype)dtype, 2, shape);
        for (size_t i = 0; i < data; i++)
            file[header + i] = (unsigned char)(i * 7);
        assert_int_equal(header % 64, 0);
        assert_true(tool_npy_parse(&npy, file, header + data, &why));
        assert_true(tool_npy_holds(&npy, (enum ptog_dtype)dtype));
        tool_npy_type_name(name, &npy);
        assert_string_equal(name, carried[dtype]);
        tool_npy_wanted_name(name, (enum ptog_dtype)dtype);
        assert_string_equal(name, carried[dtype]);
        assert_int_equal(npy.rank, 2);
        assert_memory_equal(npy.shape, shape, sizeof shape);
        assert_ptr_equal(npy.data, file + header);
        assert_int_equal(npy.bytes, data);
    }
}

static void every_rank(void **state)
{
    (void)state;
    const int64_t shape[] = {1, 2, 3, 1, 2};
    for (int rank = 0; rank <= 5; rank++) {
        char file[TOOL_NPY_HEADER + 64] = "";
        size_t count = 1;
        for (int d = 0; d < rank; d++)
            count *= (size_t)shape[d];
        size_t header = tool_npy_header(file, PTOG_F32, rank, shape);
        assert_true(tool_npy_parse(&npy, file, header + 4 * count, &why));
        assert_int_equal(npy.rank, rank);
        assert_memory_equal(npy.shape, shape, (size_t)rank * sizeof shape[0]);
    }
    const int64_t largest[] = {0, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    char header[TOOL_NPY_HEADER];
    assert_true(tool_npy_header(header, PTOG_F8E4M3, 5, largest) <= TOOL_NPY_HEADER);
}

/* ---- headers ---- */

/* Parses a file of a version, this header, and `data` bytes of data. */
static bool parse(int version, const char *header, size_t data)
{
    static unsigned char file[4096];
    size_t length = strlen(header), start = version == 1 ? 10 : 12;
    memset(file, 0, sizeof file);
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[8] = (unsigned char)(length & 0xff);
    file[9] = (unsigned char)(length >> 8);
    memcpy(file + start, header, length);
    why.text[0] = '\0';
    return tool_npy_parse(&npy, file, start + length + data, &why);
}

static void headers_that_are_fine(void **state)
{
    (void)state;
    for (int version = 1; version <= 3; version++)
        assert_true(parse(version, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n", 24));
    assert_true(parse(1, "{\"shape\":(6L,),'fortran_order':True,'descr':'|b1'}", 6)); /* one dimension: no order */
    assert_int_equal(tool_npy_dtype(&npy), PTOG_U8);
    assert_true(parse(1, "{'descr': '<f2', 'fortran_order': True, 'shape': (1, 3, 1)}", 6));
    assert_true(parse(1, "{'descr': '=i4', 'fortran_order': False, 'shape': ()}", 4));
    assert_true(parse(1, "{'descr': '>i1', 'fortran_order': False, 'shape': (4,)}", 4)); /* one byte: no order */
    assert_true(parse(1, "{'descr': '<i4', 'fortran_order': False, 'shape': (0, 9223372036854775800)}", 0));
    assert_true(parse(1, "{'descr': '|V2', 'fortran_order': False, 'shape': (2,)}", 4)); /* how ml_dtypes saves bf16 */
    assert_true(tool_npy_holds(&npy, PTOG_BF16));
    assert_false(tool_npy_holds(&npy, PTOG_F16));
    assert_false(tool_npy_holds(&npy, PTOG_DTYPE_NONE));
    assert_int_equal(tool_npy_dtype(&npy), PTOG_DTYPE_NONE);
    assert_true(parse(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", 8));
    assert_int_equal(tool_npy_dtype(&npy), PTOG_DTYPE_NONE);
}

/* Parses a file whose data counts 0, 1, 2, ..., and compares it in the usual order with `expected`. */
static void expect_plain(const char *header, size_t data, const char *expected)
{
    unsigned char plain[32];
    assert_true(parse(1, header, data));
    for (size_t i = 0; i < data; i++)
        ((unsigned char *)npy.data)[i] = (unsigned char)i;
    tool_npy_to_plain(&npy, plain);
    assert_memory_equal(plain, expected, data);
}

static void other_orders(void **state)
{
    (void)state;
    expect_plain("{'descr': '>u2', 'fortran_order': False, 'shape': (3,)}", 6, "\1\0\3\2\5\4");
    assert_true(npy.big_endian && !npy.fortran);
    expect_plain("{'descr': '>c8', 'fortran_order': False, 'shape': ()}", 8, "\3\2\1\0\7\6\5\4");
    expect_plain("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}", 6, "\0\2\4\1\3\5");
    assert_true(npy.fortran && !npy.big_endian);
    expect_plain("{'descr': '>u2', 'fortran_order': True, 'shape': (2, 2)}", 8, "\1\0\5\4\3\2\7\6");
    expect_plain("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2, 2)}", 8, "\0\4\2\6\1\5\3\7");
    expect_plain("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3)}", 6, "\0\1\2\3\4\5");
    assert_false(npy.fortran || npy.big_endian);
    expect_plain("{'descr': '>c16', 'fortran_order': False, 'shape': ()}", 16,
                 "\7\6\5\4\3\2\1\0\17\16\15\14\13\12\11\10");
}

static void headers_that_are_not(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        size_t data;
        const char *expected;
    } cases[] = {
#define REST ", 'fortran_order': False, 'shape': (2,)}"
#define SHAPE(shape) "{'descr': '<f4', 'fortran_order': False, 'shape': " shape "}"
        {"", 0, "has an npy header that ends where '{' was expected"},
        {"[1]", 0, "has an npy header with '[1]' where '{' was expected"},
        {"{", 0, "has an npy header that ends where a string was expected"},
        {"{'descr", 0, "has an npy header with a string that does not end"},
        {"{'descr' '<f4'}", 0, "has an npy header with ''<f4'}' where ':' was expected"},
        {"{'descr': '<f4' 'shape': ()}", 0, "has an npy header with ''shape': ()}' where ',' or '}' was expected"},
        {"{'descr': '<f4'}", 0, "has an npy header without 'fortran_order'"},
        {"{'fortran_order': False, 'shape': ()}", 0, "has an npy header without 'descr'"},
        {"{'descr': '<f4', 'fortran_order': False}", 0, "has an npy header without 'shape'"},
        {"{'descr': '<f4', 'descr': '<f4'}", 0, "has an npy header with 'descr' twice"},
        {"{'colour': 1}", 0, "has an npy header with the key 'colour'; expected descr, fortran_order and shape"},
        {SHAPE("(2,)") " x", 8, "has an npy header with 'x' where its end was expected"},
        {"{'descr': '|O'" REST, 8, "holds Python objects; expected one number per element"},
        {"{'descr': [('a', '<f4')]" REST, 8, "has elements of several fields; expected one number per element"},
        {"{'descr': ('<f4', (2,))" REST, 8, "has elements of several fields; expected one number per element"},
        {"{'descr': '<U5'" REST, 8, "has elements of type '<U5'; expected integers, floats or booleans"},
        {"{'descr': '<M8[ns]'" REST, 8, "has elements of type '<M8[ns]'; expected integers, floats or booleans"},
        {"{'descr': ''" REST, 8, "has elements of type ''; expected integers, floats or booleans"},
        {"{'descr': '<f'" REST, 8, "has elements of type '<f'; expected integers, floats or booleans"},
        {"{'descr': '<f99999999999999999999'" REST, 8,
         "has elements of type '<f99999999999999999999'; expected integers, floats or booleans"},
        {"{'descr': '>c7'" REST, 14, "has elements of type '>c7'; expected integers, floats or booleans"},
        {"{'descr': '>c1'" REST, 2, "has elements of type '>c1'; expected integers, floats or booleans"},
        {"{'descr': '<i3'" REST, 6, "has elements of type '<i3'; expected integers, floats or booleans"},
        {"{'descr': '>f5'" REST, 10, "has elements of type '>f5'; expected integers, floats or booleans"},
        {"{'descr': '|b2'" REST, 4, "has elements of type '|b2'; expected integers, floats or booleans"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", 0,
         "has an npy header with '0, 'shape': ()}' where True or False was expected"},
        {SHAPE("3"), 12, "has an npy header with '3}' where a shape in parentheses was expected"},
        {SHAPE("(-1,)"), 12, "has an npy header with '-1,)}' where an extent, 0 or more, was expected"},
        {SHAPE("(2 3)"), 12, "has an npy header with '3)}' where ',' or ')' was expected"},
        {SHAPE("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"), 12,
         "has more than 32 dimensions; expected at most 32"},
        {SHAPE("(99999999999999999999999999999,)"), 12,
         "has a shape with an extent of 99999999999999999999999: too large"},
        {SHAPE("(9223372036854775800, 2)"), 12,
         "has a shape of 9223372036854775800x2: its bytes do not fit in 63 bits"},
        {SHAPE("(1000000000, 1000000000)"), 0,
         "has 0 bytes of data; expected 4000000000000000000 for 1000000000x1000000000 float32: it is truncated"},
        {SHAPE("(2, 2)"), 15, "has 15 bytes of data; expected 16 for 2x2 float32: it is truncated"},
        {SHAPE("(2, 2)"), 17, "has 17 bytes of data; expected 16 for 2x2 float32: it is too long"},
        {SHAPE("()"), 0, "has 0 bytes of data; expected 4 for () float32: it is truncated"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_false(parse(1 + (int)(i % 3), cases[i].header, cases[i].data));
        assert_string_equal(why.text, cases[i].expected);
    }
}

static void expect_bytes(const char *bytes, size_t size, const char *expected)
{
    assert_false(tool_npy_parse(&npy, bytes, size, &why));
    assert_string_equal(why.text, expected);
}

static void starts_that_are_not(void **state)
{
    (void)state;
    expect_bytes("", 0, "is empty; expected an npy file");
    expect_bytes("PK\x03", 3, "is not an npy file: it starts with 50 4b 03; expected 93 4e 55 4d 50 59");
    expect_bytes("\x93NUMPY\x01", 7, "is truncated: 7 bytes, and an npy file starts with 10 at least");
    expect_bytes("\x93NUMPY\x04\x00\x00\x00", 10, "has npy version 4.0; expected 1.0, 2.0 or 3.0");
    expect_bytes("\x93NUMPY\x02\x00\x00\x00", 10,
                 "is truncated: 10 bytes, and an npy file of version 2.0 starts with 12 at least");
    expect_bytes("\x93NUMPY\x01\x00\x10\x00{", 11, "is truncated: its npy header ends at byte 26, the file at byte 11");
    expect_bytes("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12,
                 "says that its npy header has 4294967295 bytes; expected at most 65536");
}

/* ---- files ---- */

static void files_appear_when_kept(void **state)
{
    (void)state;
    char path[64];
    const float data[] = {1, 2, 3, 4};
    struct tool_elements elements = {PTOG_F32, 2, {2, 2}, data, sizeof data};
    struct tool_file file;
    struct tool_array array;
    snprintf(path, sizeof path, "/tmp/ptog_test_npy.%ld.npy", (long)getpid());
    assert_true(tool_array_write(&file, path, &elements, &why));
    assert_false(tool_array_read(&array, path, &why)); /* not yet */
    tool_file_drop(&file);
    assert_false(tool_array_read(&array, path, &why)); /* never */
    assert_true(tool_array_write(&file, path, &elements, &why));
    assert_true(tool_file_keep(&file, &why));
    assert_true(tool_array_read(&array, path, &why));
    assert_int_equal(array.bytes, sizeof data);
    assert_memory_equal(array.data, data, sizeof data);
    free(array.file);
    assert_int_equal(remove(path), 0);
}

static void files_that_cannot_be(void **state)
{
    (void)state;
    struct tool_file file;
    struct tool_array array;
    void *bytes;
    size_t size;
    const struct tool_elements elements = {PTOG_F32, 1, {1}, "abcd", 4};
    assert_false(tool_file_read(".", 100, &bytes, &size, &why));
    assert_string_equal(why.text, "is a directory");
    assert_false(tool_file_read("/dev/zero", 1000, &bytes, &size, &why));
    assert_string_equal(why.text, "has more than 1000 bytes, the most that can be read");
    assert_false(tool_array_read(&array, "no/such.npy", &why));
    assert_null(array.file);
    assert_string_equal(why.text, "cannot be read: No such file or directory");
    assert_false(tool_array_write(&file, "no/such.npy", &elements, &why));
    assert_string_equal(why.text, "cannot be written: No such file or directory");
    assert_false(tool_array_write(&file, ".", &elements, &why));
    assert_string_equal(why.text, "cannot be written: Is a directory");
    assert_false(tool_array_write(&file, "/dev/full", &elements, &why));
    assert_string_equal(why.text, "cannot be written: No space left on device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type),
        cmocka_unit_test(every_rank),
        cmocka_unit_test(headers_that_are_fine),
        cmocka_unit_test(other_orders),
        cmocka_unit_test(headers_that_are_not),
        cmocka_unit_test(starts_that_are_not),
        cmocka_unit_test(files_appear_when_kept),
        cmocka_unit_test(files_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
