/* kernel.cpp with its mistake: the vector cores do not wait for the scores. */
#define WRONG
#include "kernel.cpp"
