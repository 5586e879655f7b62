/* verify: advice, the placeholders of spec/rules.def whose words depend on the case. */
#ifndef PTOG_VERIFY_ADVICE_H
#define PTOG_VERIFY_ADVICE_H

#include "base/text.h"
#include "verify/check.h"

/* False when `name` is not advice. */
bool ptog_advice(struct ptog_text *text, const char *name, const struct ptog_check *c);

/* ---- advice_broadcast.c */

typedef void ptog_advise(struct ptog_text *text, const struct ptog_check *c);
ptog_advise ptog_advise_expand_whole, ptog_advise_expand_wants, ptog_advise_expand_tmp, ptog_advise_expand_tmp_fix;

#endif
