/* kernel.cpp with its mistake: the counter is set before the rows are stored. */
#define WRONG
#include "kernel.cpp"
