/* verify: advice, the placeholders of spec/rules.def whose words depend on the case. */
#ifndef PTOG_VERIFY_ADVICE_H
#define PTOG_VERIFY_ADVICE_H

#include "base/text.h"
#include "verify/check.h"

/* False when `name` is not advice. */
bool ptog_advice(struct ptog_text *text, const char *name, const struct ptog_check *c);

#endif
