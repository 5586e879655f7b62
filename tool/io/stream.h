/* tool/io: stdout and stderr that survive interrupted and partial writes. stdio drops its buffer when a write returns
 * EINTR; these streams write through tool_sys_write. */
#ifndef TOOL_IO_STREAM_H
#define TOOL_IO_STREAM_H

/* Replaces stdout and stderr. Call it first: nothing may have been printed. stdout is buffered by lines on a terminal,
 * stderr always: a diagnostic is many small pieces, and one call for each line is enough. */
void tool_streams_start(void);

/* Writes what is left and closes stdout. 0, or the errno of the first write that failed. */
int tool_stdout_end(void);

#endif
