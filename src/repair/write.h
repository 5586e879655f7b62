/* repair: a program with lines added, as text. */
#ifndef PTOG_REPAIR_WRITE_H
#define PTOG_REPAIR_WRITE_H

#include "program/added.h"
#include "program/program.h"

/* The text as it was written, with the lines between its own. */
void ptog_write_program(const struct ptog_program *program, const struct ptog_added *added,
                        const struct ptog_sink *sink);

/* One half of a pair, or a barrier, as a line of a text. */
#define PTOG_LONGEST_LINE 96
void ptog_sync_line(char line[PTOG_LONGEST_LINE], const struct ptog_sync *sync, enum ptog_sync_part part);

#endif
