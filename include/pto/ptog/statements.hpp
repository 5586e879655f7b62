/* pto: the statements of a C++ source: where each begins and ends. Only as much of the language is known as it takes to
 * put a line before or after one: literals, comments, directives, brackets. */
#ifndef PTO_PTOG_STATEMENTS_HPP
#define PTO_PTOG_STATEMENTS_HPP

#include <cctype>
#include <cstddef>
#include <cstring>
#include <vector>

#include <pto/ptog/file.hpp>

namespace ptog
{

struct statement {
    std::size_t start, end; /* bytes: of its first one, and after its semicolon */
    unsigned first, last;   /* lines, from 1 */
};

class statements
{
  public:
    explicit statements(const text &source) : source_(source)
    {
        while (at_ < source_.size())
            step();
    }

    /* The smallest one that is on this line; nullptr: there is none, as in a macro. */
    const statement *on(unsigned line) const
    {
        const statement *best = nullptr;
        for (const statement &s : found_)
            if (s.first <= line && line <= s.last && (!best || s.end - s.start < best->end - best->start))
                best = &s;
        return best;
    }

    /* Whether one of its words is in a list that ends with nullptr; `first`: its first word. */
    bool has_word(const statement &s, const char *const *words, bool first) const
    {
        for (std::size_t i = s.start; i < s.end; i++) {
            std::size_t from = i;
            while (i < s.end && is_letter(source_[i]))
                i++;
            for (const char *const *word = words; i > from && *word; word++)
                if (std::strlen(*word) == i - from && std::memcmp(*word, &source_[from], i - from) == 0)
                    return true;
            if (first && i > from)
                return false;
        }
        return false;
    }

    /* The blanks that its line begins with. */
    text indent(const statement &s) const
    {
        std::size_t line = s.start;
        while (line > 0 && source_[line - 1] != '\n')
            line--;
        text blanks;
        for (; line < s.start && (source_[line] == ' ' || source_[line] == '\t'); line++)
            blanks.push_back(source_[line]);
        return blanks;
    }

  private:
    struct level {
        std::size_t start;
        unsigned first, depth;
    };
    const text &source_;
    std::vector<statement> found_;
    std::vector<level> braces_; /* those that are open, and the statement that each is in */
    std::size_t at_ = 0;        /* where the scan is */
    unsigned line_ = 1;
    std::size_t start_ = 0; /* of the statement at hand; none has begun while first_ is 0 */
    unsigned first_ = 0;
    unsigned depth_ = 0;     /* of ( and [ */
    bool line_start_ = true; /* nothing but blanks on this line so far */

    static bool is_letter(char c)
    {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    }
    char ahead(std::size_t n) const
    {
        return at_ + n < source_.size() ? source_[at_ + n] : '\0';
    }
    void pass(std::size_t count)
    {
        for (; count > 0 && at_ < source_.size(); count--)
            line_ += source_[at_++] == '\n';
    }
    void begin()
    {
        if (first_ == 0) {
            start_ = at_;
            first_ = line_;
        }
    }

    void skip_comment()
    {
        bool block = ahead(1) == '*';
        pass(2);
        while (at_ < source_.size() && !(block ? ahead(0) == '*' && ahead(1) == '/' : ahead(0) == '\n'))
            pass(1);
        if (block)
            pass(2);
    }
    void skip_directive()
    {
        while (at_ < source_.size() && ahead(0) != '\n')
            pass(ahead(0) == '\\' ? 2 : 1);
    }
    void skip_literal()
    {
        char quote = ahead(0);
        bool raw = quote == '"' && at_ > 0 && source_[at_ - 1] == 'R';
        text close{')'};
        pass(1);
        if (!raw) {
            while (at_ < source_.size() && ahead(0) != quote && ahead(0) != '\n')
                pass(ahead(0) == '\\' ? 2 : 1);
            pass(ahead(0) == quote);
            return;
        }
        for (; at_ < source_.size() && ahead(0) != '('; pass(1))
            close.push_back(ahead(0));
        close.push_back('"');
        while (at_ < source_.size() &&
               (source_.size() - at_ < close.size() || std::memcmp(&source_[at_], close.data(), close.size()) != 0))
            pass(1);
        pass(close.size());
    }

    void open_brace()
    {
        braces_.push_back({start_, depth_ > 0 ? first_ : 0, depth_});
        first_ = depth_ = 0;
        pass(1);
    }
    void close_brace()
    {
        pass(1);
        first_ = depth_ = 0;
        if (braces_.empty())
            return;
        start_ = braces_.back().start; /* goes on after a lambda, and is over after a block */
        first_ = braces_.back().first;
        depth_ = braces_.back().depth;
        braces_.pop_back();
    }
    void end_statement()
    {
        pass(1);
        if (first_ > 0 && depth_ == 0) {
            found_.push_back({start_, at_, first_, line_});
            first_ = 0;
        }
    }

    void step()
    {
        char c = ahead(0);
        bool was_start = line_start_;
        line_start_ = c == '\n' || (line_start_ && std::isspace(static_cast<unsigned char>(c)));
        if (std::isspace(static_cast<unsigned char>(c)))
            return pass(1);
        if (c == '/' && (ahead(1) == '/' || ahead(1) == '*'))
            return skip_comment();
        if (c == '#' && was_start)
            return skip_directive();
        if (c == '{')
            return open_brace();
        if (c == '}')
            return close_brace();
        begin();
        if (c == ';')
            return end_statement();
        bool number = at_ > 0 && c == '\'' && is_letter(source_[at_ - 1]);
        if ((c == '"' || c == '\'') && !number)
            return skip_literal();
        depth_ += c == '(' || c == '[';
        depth_ -= depth_ > 0 && (c == ')' || c == ']');
        pass(1);
    }
};

} // namespace ptog

#endif
