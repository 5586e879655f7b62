"""Random C++ for ptog-cxx: well-formed sources together with what they become, and mere soup."""

from cases import launch

NAMES = ["k", "ns::k", "::k", "kernel", "a::b::c", "this->k", "obj.k"]
TYPES = ["int", "float", "A<int>", "A<B<int>>", "ns::T", "::T", "A<B<C<int>>>", "(1 << 2)", "(a > b)", "4", "'>'", "sizeof(T)"]
VALUES = ["1", "n", "nullptr", "0x1'0", "f(1, 2)", "N<int>::value", "a + b", "(a < b)", "x[1]", "f<A<int>>(2)", '"<<<"', "'<'",
          "a >> 1", "a << 2", "sizeof(A<B<int>>)", "a->b", "/* >>> */ 1", "1 // >>>\n", "[&] { return 1; }()", 'R"(>>>)"']
FILLER = ["a << b;", "a <<= 1;", "a >>= 1;", '"k<<<1>>>(x)";', "// k<<<1>>>(x)\n", "/* k<<<1>>>\n(x) */", "'\\'';", "'\"';", "x;",
          'R"(k<<<1>>>(x))";', 'R"ab()" k<<<1>>>)ab";', "A<B<C<int>>> v;", "\n", "\r\n", "\t", "{", "}", "if (a < b) {}", "1'000;",
          "\n#include <a<<<b>\n", "\n#if 0\nk<<<\n#endif\n", "operator<<<T>(a);", "for (;;) {}", "\n#error don't\n", "x \\\n ;"]
SOUP = ["<", "<<", "<<<", ">", ">>", ">>>", "k", "k<", "T", "(", ")", "[", "]", "{", "}", ",", ";", "::", ".", "->", "##", "#", "\n", " ",
        "\\\n", "\\ \r\n", "\\", "/*", "*/", "//", '"', "'", 'R"(', ')"', 'R"x(', ')x"', "1", "1'0", "operator", "template", "return",
        "\n#define L ", "\n#define L(a) ", "\n#if 0\n", "\n#endif\n", "\n#else\n", "\n#include ", "<:", ":>", "<%", "%>", "%:", "\\u",
        "k<<<1>>>(x)", "k<T><<<1, 2>>>(x)", "\xff", "\x00", "\r", "=", "<=", ">=", "<=>", "u8R", "1e", "+", "-", "\xef\xbb\xbf"]


def draw_launch(random):
    name = random.choice(NAMES)
    if random.random() < 0.5:
        name += "<" + ", ".join(random.choice(TYPES) for _ in range(random.randint(1, 3))) + ">"
    arguments = ", ".join(random.choice(VALUES) for _ in range(random.randint(1, 3)))
    between = random.choice(["", "", " ", "\n", " /* <<< */ "])
    call = random.choice(["(x)", "()", "(a << 1,\n b)", " (f(x), \")\")", "\n(')')"])
    return f"{name}{between}<<<{arguments}>>>{call};", f"{launch(name, arguments, between)}{call};"


def draw_source(random):
    """(source, what it becomes)."""
    source = become = ""
    for _ in range(random.randint(1, 12)):
        if random.random() < 0.4:
            piece, made = draw_launch(random)
        else:
            piece = made = random.choice(FILLER)
        if random.random() < 0.1 and "\n" not in piece and "//" not in piece:
            piece, made = f"\n#define M {piece}\n", f"\n#define M {made}\n"
        source, become = source + piece + " ", become + made + " "
    return source, become


def draw_soup(random):
    return "".join(random.choice(SOUP) for _ in range(random.randint(1, 24)))
