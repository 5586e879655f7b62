/* tool/io: the order of names with numbers in them. */
#include "natural.h"

#include <stddef.h>
#include <string.h>

static const char digits[] = "0123456789";

/* The numbers at *a and *b, of any length; steps behind both. */
static int compare_numbers(const char **a, const char **b)
{
    const char *x = *a + strspn(*a, "0"), *y = *b + strspn(*b, "0");
    size_t n = strspn(x, digits), m = strspn(y, digits);
    *a = x + n;
    *b = y + m;
    if (n != m)
        return n < m ? -1 : 1;
    return memcmp(x, y, n);
}

int tool_natural_compare(const char *a, const char *b)
{
    const char *x = a, *y = b;
    while (*x && *y) {
        int order = 0;
        if (strspn(x, digits) > 0 && strspn(y, digits) > 0)
            order = compare_numbers(&x, &y);
        else
            order = (unsigned char)*x++ - (unsigned char)*y++;
        if (order != 0)
            return order;
    }
    if (*x || *y)
        return *x ? 1 : -1;
    return strcmp(a, b);
}
