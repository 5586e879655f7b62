/* tool/io: drafts, the files that do not have their name yet. None outlives its process: a signal that ends the process
 * removes them first. */
#ifndef TOOL_IO_DRAFT_H
#define TOOL_IO_DRAFT_H

#include "file.h"

/* Between the two nothing happens to a draft that the signals do not know of. */
void tool_draft_hold(void);
void tool_draft_release(void);

/* Both while held. The file stays where it is until it is removed from the list. */
void tool_draft_add(struct tool_file *file);
void tool_draft_remove(struct tool_file *file);

/* Deletes all drafts; for signal handlers, and the process ends afterwards. */
void tool_drafts_delete(void);

#endif
