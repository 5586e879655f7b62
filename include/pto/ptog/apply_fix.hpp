/* pto: PTOG_APPLY_FIX=out.cpp: the source with the flags and barriers that are missing. A statement over several lines
 * gets its flag before or after the whole. What stands in a macro, in a header, or alone after an if has no place for
 * one: that is said, and left to the author. */
#ifndef PTO_PTOG_APPLY_FIX_HPP
#define PTO_PTOG_APPLY_FIX_HPP

#include <cstdio>
#include <cstring>
#include <vector>

#include <ptog/diag.h>

#include <pto/ptog/page.hpp>
#include <pto/ptog/statements.hpp>

namespace ptog
{

/* The intrinsics, as words of a source. */
inline constexpr const char *intrinsic_words[] = {
#define PTOG_OP(NAME, pipe) #NAME,
#define PTOG_CALL(NAME) #NAME,
#include <pto/ptog/names.def>
    "TASSIGN", "TSYNC", "set_flag", "wait_flag", "pipe_barrier", "PtoSetWaitFlag", nullptr};
inline constexpr const char *control_words[] = {"if",     "else", "for",     "while", "do",
                                                "switch", "case", "default", nullptr};

struct insertion {
    std::size_t at = 0;
    text words;
};

class fixed_source
{
  public:
    explicit fixed_source(const char *file) : file_(file), source_(contents_of(file)), parts_(source_)
    {
    }

    /* Why a step cannot be applied; nullptr: it was, or adds nothing. */
    const char *add(const ptog_fix &step)
    {
        if (step.kind == PTOG_FIX_WORDS || step.side == PTOG_FIX_ANYWHERE)
            return "it is no line to add";
        if (!step.where.file || std::strcmp(step.where.file, file_) != 0)
            return "it is in another file";
        const statement *s = parts_.on(step.where.line);
        if (!s || !parts_.has_word(*s, intrinsic_words, false))
            return "it is in a macro";
        if (parts_.has_word(*s, control_words, true))
            return "the statement stands alone after an if, a loop or a label: give it braces first";
        put(step, *s);
        return nullptr;
    }

    bool is_there() const
    {
        return !source_.empty();
    }
    std::size_t added() const
    {
        return lines_.size();
    }

    /* All but the first `count` lines. */
    void take_back(std::size_t count)
    {
        lines_.resize(count);
    }

    void write(const char *name)
    {
        file_to_be file("PTOG_APPLY_FIX", name);
        for (std::size_t at = 0; at <= source_.size(); at++) {
            for (const insertion &line : lines_)
                if (line.at == at)
                    file.write(line.words.data(), line.words.size());
            if (at < source_.size())
                file.write(&source_[at], 1);
        }
        file.complete();
    }

  private:
    const char *file_;
    text source_;
    statements parts_;
    std::vector<insertion> lines_;

    void put(const ptog_fix &step, const statement &s)
    {
        char words[200];
        text indent = parts_.indent(s), line;
        ptog_fix_statement(&step, words, sizeof words);
        bool before = step.side == PTOG_FIX_BEFORE;
        if (!before) {
            line.push_back('\n');
            append(&line, indent.data(), indent.size());
        }
        append(line, words);
        append(line, ";");
        if (before) {
            line.push_back('\n');
            append(&line, indent.data(), indent.size());
        }
        std::size_t at = before ? s.start : s.end;
        for (const insertion &known : lines_)
            if (known.at == at && known.words == line)
                return; /* another finding asked for it */
        lines_.push_back({at, line});
    }
};

inline bool is_source(const char *file)
{
    static constexpr const char *endings[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".cce", ".asc"};
    std::size_t length = file ? std::strlen(file) : 0;
    for (const char *ending : endings)
        if (length > std::strlen(ending) && std::strcmp(file + length - std::strlen(ending), ending) == 0)
            return true;
    return false;
}

/* The source that the first fix is in; nullptr: nothing is to be added to any. */
inline const char *source_to_fix(const ptog_diags *diags)
{
    const ptog_diag *diag;
    for (std::size_t i = 0; (diag = ptog_diags_at(diags, i)) != nullptr; i++)
        for (std::size_t k = 0; k < diag->fix_count; k++)
            if (diag->fix[k].kind != PTOG_FIX_WORDS && is_source(diag->fix[k].where.file))
                return diag->fix[k].where.file;
    return nullptr;
}

/* All steps of a finding's fix, or none: half a pair of flags is worse than none. */
inline void apply_one(fixed_source &source, const ptog_diag &diag)
{
    std::size_t before = source.added();
    const char *why = nullptr;
    for (std::size_t k = 0; k < diag.fix_count && !why; k++)
        why = source.add(diag.fix[k]);
    if (!why)
        return;
    source.take_back(before);
    std::fprintf(stderr, "%s:%u: note: the fix of %s cannot be applied: %s\n", diag.where.file ? diag.where.file : "?",
                 diag.where.line, diag.id, why);
}

inline void apply_fixes(const ptog_diags *diags, const char *to)
{
    const char *file = source_to_fix(diags);
    if (!file) {
        std::fprintf(stderr, "ptog: PTOG_APPLY_FIX=%s: there is nothing to add\n", to);
        return;
    }
    fixed_source source(file);
    if (!source.is_there())
        give_up("PTOG_APPLY_FIX=%s: cannot read %s", to, file);
    const ptog_diag *diag;
    for (std::size_t i = 0; (diag = ptog_diags_at(diags, i)) != nullptr; i++)
        if (diag->fix_count > 0 && diag->severity >= PTOG_WARNING)
            apply_one(source, *diag);
    source.write(to);
    std::fprintf(stderr, "ptog: %s is %s with %zu lines added\n", to, file, source.added());
}

} // namespace ptog

#endif
