/* base: sinks that callers give. */
#include "base/reserved.h"

#include <ptog/report.h>

bool ptog_sink_is_usable(const struct ptog_sink *sink)
{
    return sink && sink->write && ptog_is_unreserved(sink);
}
