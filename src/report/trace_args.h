/* report: what a box of a timeline says when it is selected: the instruction, its place, its bytes and operands. */
#ifndef PTOG_REPORT_TRACE_ARGS_H
#define PTOG_REPORT_TRACE_ARGS_H

#include "model/events.h"
#include "report/json_writer.h"
#include "report/trace.h"

void ptog_trace_args(struct ptog_json *json, const struct ptog_period *period, const char *instruction,
                     const struct ptog_where *where, const struct ptog_trace_names *names);

#endif
