/* verify: messages with the actual values in them. */
#ifndef PTOG_VERIFY_MESSAGE_H
#define PTOG_VERIFY_MESSAGE_H

#include "base/text.h"
#include "verify/check.h"

/* Writes `template` with its {placeholders} replaced: {target}, {mode}, ... for the instruction; {dst.valid},
 * {o.dtype}, ... for an operand, where {o} is the one the rule was asked for. An unknown placeholder stays as it is. */
void ptog_message(struct ptog_text *text, const char *template, const struct ptog_check *c, enum ptog_operand_name o);

#endif
