/* pto: the page of PTOG_REPORT=x.html: what was found, with the source of the kernel, the timeline and the figures of
 * the first device. */
#ifndef PTO_PTOG_PAGE_HPP
#define PTO_PTOG_PAGE_HPP

#include <cstdio>

#include <ptog/core.h>
#include <ptog/report.h>

#include <pto/ptog/file.hpp>

namespace ptog
{

/* The bytes of a file; empty when it cannot be read. */
inline text contents_of(const char *name)
{
    text all;
    char part[4096];
    std::FILE *file = name ? std::fopen(name, "rb") : nullptr;
    for (std::size_t n; file && (n = std::fread(part, 1, sizeof part, file)) > 0;)
        append(&all, part, n);
    if (file)
        std::fclose(file);
    return all;
}

/* The timeline of a device, with as many events as a page shows. */
struct timeline {
    text bytes;
    const ptog_sink sink{write, this, false, {}};

    static void write(void *user, const char *from, std::size_t length)
    {
        append(&static_cast<timeline *>(user)->bytes, from, length);
    }
};

struct page_device {
    ptog_device *handle = nullptr; /* NULL: no kernel ran */
    const timeline *drawn = nullptr;
    const char *file = nullptr; /* that kernels came from */
};

/* The source that most is said about: that of the first finding, or of the last kernel. */
inline const char *file_of(const ptog_diags *diags, const page_device &of)
{
    const ptog_diag *first = ptog_diags_at(diags, 0);
    return first && first->where.file ? first->where.file : of.file;
}

inline list<ptog_ub_entry> tiles_of(ptog_device *device)
{
    list<ptog_ub_entry> all;
    ptog_ub_entry entry{};
    for (std::size_t i = 0; device && ptog_device_ub_at(device, i, &entry); i++)
        all.push_back(entry);
    return all;
}

inline void render_page(const ptog_diags *diags, const settings &s, const page_device &of, const ptog_sink &sink)
{
    const char *file = file_of(diags, of);
    text source = contents_of(file);
    list<ptog_ub_entry> tiles = tiles_of(of.handle);
    ptog_stats stats{};
    ptog_page page{};
    page.name = file ? file : "no kernel";
    page.text = source.empty() ? "" : source.data();
    page.text_bytes = source.size();
    page.target = s.target;
    page.diags = diags;
    page.ran = of.handle != nullptr;
    page.unchecked = !s.sanitize;
    if (of.handle && s.target->machine != PTOG_NO_MACHINE) {
        ptog_device_stats(of.handle, &stats);
        page.stats = &stats;
        page.entries = tiles.data();
        page.entry_count = tiles.size();
        page.trace = of.drawn && !of.drawn->bytes.empty() ? of.drawn->bytes.data() : nullptr;
        page.trace_bytes = of.drawn ? of.drawn->bytes.size() : 0;
    }
    if (ptog_report_page(&page, &sink) != PTOG_OK)
        give_up("PTOG_REPORT=%s: out of memory", s.report);
}

} // namespace ptog

#endif
