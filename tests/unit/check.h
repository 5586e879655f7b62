/* unit tests: what every test program includes, in the order cmocka wants. */
#ifndef PTOG_TESTS_UNIT_CHECK_H
#define PTOG_TESTS_UNIT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ptog/ptog.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

#endif
