/* tool/io: the order of names with numbers in them: s2 comes before s10. */
#ifndef TOOL_IO_NATURAL_H
#define TOOL_IO_NATURAL_H

/* Less than, equal to or greater than 0, as strcmp. Digits that stand together are compared as one number, everything
 * else byte by byte. Names that differ only in leading zeros (s1, s01) are in the order of strcmp. */
int tool_natural_compare(const char *a, const char *b);

#endif
