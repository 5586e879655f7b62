/* tool/io: one tensor of a safetensors file, read from memory: a length of eight bytes, a JSON header, and the data. */
#ifndef TOOL_IO_SAFETENSORS_H
#define TOOL_IO_SAFETENSORS_H

#include "npy.h"

/* The tensor called `name`; NULL: the only one there is. It is described as the npy file that would hold it. */
bool tool_safetensors_parse(struct tool_npy *tensor, const void *bytes, size_t size, const char *name,
                            struct tool_why *why);

#endif
