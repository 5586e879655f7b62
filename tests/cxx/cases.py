"""Sources for ptog-cxx with what they become, and wrong ones with what is said about them."""


def launch(name, arguments, between=""):
    """What name<<<arguments>>> becomes."""
    return f"::ptog::fn([&](auto &&...ptog_a) {{ {name}{between}(ptog_a...); }}).on({arguments})"


K = launch("k", "1")

# (source, what it becomes)
REWRITTEN = [
    # plain
    ("k<<<1>>>(x);", f"{K}(x);"),
    ("k<<<1, 2>>>(x);", f"{launch('k', '1, 2')}(x);"),
    ("k<<<blocks, nullptr, stream>>>(x, y);", f"{launch('k', 'blocks, nullptr, stream')}(x, y);"),
    ("  k <<< 1 >>> ( );", f"  {launch('k', ' 1 ', ' ')} ( );"),
    ("a(); k<<<1>>>(); k<<<1>>>();", f"a(); {K}(); {K}();"),
    ("if (x) k<<<1>>>(); else k<<<1>>>();", f"if (x) {K}(); else {K}();"),
    ("return k<<<1>>>();", f"return {K}();"),
    ("k<<<1>>>()", f"{K}()"),
    ("f([&] { k<<<1>>>(); });", f"f([&] {{ {K}(); }});"),
    ("k<<<f([&] { k<<<1>>>(); })>>>(x);", f"{launch('k', 'f([&] { ' + K + '(); })')}(x);"),
    ("CHECK(k<<<1>>>(x));", f"CHECK({K}(x));"),
    # names
    ("ns::k<<<1>>>(x);", f"{launch('ns::k', '1')}(x);"),
    ("::k<<<1>>>(x);", f"{launch('::k', '1')}(x);"),
    ("return ::k<<<1>>>(x);", f"return {launch('::k', '1')}(x);"),
    ("if (x) ::k<<<1>>>(x);", f"if (x) {launch('::k', '1')}(x);"),
    ("ns::k<T, 4><<<1>>>(x);", f"{launch('ns::k<T, 4>', '1')}(x);"),
    ("S<T>::template k<4><<<1>>>(x);", f"{launch('S<T>::template k<4>', '1')}(x);"),
    ("this->k<<<1>>>(x); a.b->k<T><<<1>>>(x);", f"{launch('this->k', '1')}(x); {launch('a.b->k<T>', '1')}(x);"),
    ("k<A<B<int>>><<<1>>>(x);", f"{launch('k<A<B<int>>>', '1')}(x);"),
    ("k<::ns::T><<<1>>>(x);", f"{launch('k<::ns::T>', '1')}(x);"),
    ("k<(a > b), (1 << 2)><<<1>>>(x);", f"{launch('k<(a > b), (1 << 2)>', '1')}(x);"),
    ("k<1 << 2><<<1>>>(x);", f"{launch('k<1 << 2>', '1')}(x);"),
    ("k<a < b><<<1>>>(x);", f"{launch('k<a < b>', '1')}(x);"),
    ("k<sizeof(T) < 4><<<1>>>(x);", f"{launch('k<sizeof(T) < 4>', '1')}(x);"),
    ("k<[] { return 1; }()><<<1>>>(x);", f"{launch('k<[] { return 1; }()>', '1')}(x);"),
    ("k<'>', p->q><<<1>>>(x);", "::ptog::fn([&](auto &&...ptog_a) { k<'>', p->q>(ptog_a...); }).on(1)(x);"),
    ("k_\u00e9<<<1>>>(x);", f"{launch('k_é', '1')}(x);"),
    # launch arguments
    ("k<<<N<A<int>>, 0, s>>>(x);", f"{launch('k', 'N<A<int>>, 0, s')}(x);"),
    ("k<<<N<int>>>>(x);", f"{launch('k', 'N<int>')}(x);"),
    ("k<<<N<A<int>>>>>(x);", f"{launch('k', 'N<A<int>>')}(x);"),
    ("k<<<f<A<B<int>>>(1), 0, s>>>(x);", f"{launch('k', 'f<A<B<int>>>(1), 0, s')}(x);"),
    ("k<<<a < b ? 1 : 2, 0, s>>>(x);", f"{launch('k', 'a < b ? 1 : 2, 0, s')}(x);"),
    ("k<<<a < b, c < d, e < f>>>(x);", f"{launch('k', 'a < b, c < d, e < f')}(x);"),
    ("k<<<a<b<c<d<int>>>>(x);", f"{launch('k', 'a<b<c<d<int>')}(x);"),
    ("k<<<a >> 1, b << 1, s>>>(x);", f"{launch('k', 'a >> 1, b << 1, s')}(x);"),
    ("k<<<a->b, a >= b, s>>>(x);", f"{launch('k', 'a->b, a >= b, s')}(x);"),
    ("k<<<f(1, 2, 3, 4), {1, 2}, s[1, 2]>>>(x);", f"{launch('k', 'f(1, 2, 3, 4), {1, 2}, s[1, 2]')}(x);"),
    ("k<<<M<1, 2, 3, 4>, 0, s>>>(x);", f"{launch('k', 'M<1, 2, 3, 4>, 0, s')}(x);"),
    # lines
    ("k\n<<<\n1,\n2\n>>>\n(x);", f"{launch('k', chr(10) + '1,' + chr(10) + '2' + chr(10), chr(10))}\n(x);"),
    ("k<T,\n  4><<<1>>>(x);", f"{launch('k<T,' + chr(10) + '  4>', '1')}(x);"),
    ("k<<<1>>>(x);\r\ny;\r\n", f"{K}(x);\r\ny;\r\n"),
    ("k /* << */ <<<1 /* >>> */>>> // c\n (x);", f"{launch('k', '1 /* >>> */', ' /* << */ ')} // c\n (x);"),
    ("k<<\\\n<1>\\\n>>(x);", "::ptog::fn([&](auto &&...ptog_a) { k(ptog_a...); }).on(\\\n1)\\\n(x);"),
    ("k<<<\n#ifdef A\n1\n#else\n2\n#endif\n>>>(x);", f"{launch('k', chr(10).join(['', '#ifdef A', '1', '#else', '2', '#endif', '']))}(x);"),
    ("#if 0 || A\nk<<<1>>>(x);\n#endif\n", f"#if 0 || A\n{K}(x);\n#endif\n"),
    ("k<<<{ ( }>>>(x);", f"{launch('k', '{ ( }')}(x);"),
    ("\ufeffk<<<1>>>(x);", f"\ufeff{K}(x);"),
    # names that macros make, and words of the device compiler
    ("CONCAT(run, X)<<<1>>>(x);", f"{launch('CONCAT(run, X)', '1')}(x);"),
    ("CONCAT(run, X)<T, 4><<<1>>>(x);", f"{launch('CONCAT(run, X)<T, 4>', '1')}(x);"),
    ("k<f(a) < 3><<<1>>>(x);", f"{launch('k<f(a) < 3>', '1')}(x);"),
    ("#define L(k) JOIN(k, _0)<T><<<1>>>(x)\n", f"#define L(k) {launch('JOIN(k, _0)<T>', '1')}(x)\n"),
    ("__global__ [aicore] void k();", "__global__  void k();"),
    ("__global__ [ // c\n aicore\n] void k();", "__global__  // c\n \n void k();"),
    ("__attribute__((aiv)) void k(); __attribute__((aic)) int x;", " void k();  int x;"),
    ("#define AICORE [aicore]\n", "#define AICORE \n"),
    ('asm volatile("MOV %0, SYS_CNT\\n" : "+l"(count));', " ::ptog::read_sys_cnt ( count);"),
    ('asm volatile(\n"MOV %0, SYS_CNT\\n"\n:"=l"(a));', " \n::ptog::read_sys_cnt\n(a);"),
    ('asm volatile("MOV %0, PC\\n" : "+l"(at));', " ::ptog::read_pc ( at);"),
    ('asm volatile("MOV %0, UB\\n" : "+l"(at));', 'asm volatile("MOV %0, UB\\n" : "+l"(at));'),
    # macros
    ("#define L(k) k<<<1>>>(x)\n", f"#define L(k) {K}(x)\n"),
    ("#define L(k, n) \\\n  k<<<n>>> \\\n (x)\n", f"#define L(k, n) \\\n  {launch('k', 'n')} \\\n (x)\n"),
    ("#define L(k, ...) k<<<__VA_ARGS__>>>\n", f"#define L(k, ...) {launch('k', '__VA_ARGS__')}\n"),
    ("#define L(a, b) a##_##b<<<1>>>(x)\n", f"#define L(a, b) {launch('a##_##b', '1')}(x)\n"),
    ("#define L(a) a ## 4<<<1>>>(x)\n", f"#define L(a) {launch('a ## 4', '1')}(x)\n"),
    ("# define L k<<<1>>>(x)", f"# define L {K}(x)"),
    ("%:define L k<<<1>>>(x)", f"%:define L {K}(x)"),
    ("f(\n#define L k<<<1>>>(\nx);", f"f(\n#define L {K}(\nx);"),
]

# Not a launch: these stay as they are.
SAME = [
    "", "\n", "x", "\\", "a << b;", "a <<= 1;", "std::cout << a << b << '\\n';", "a >>= 1; b >> c;",
    "A<B<C<int>>> x;", 'char *s = "k<<<1>>>(x)";', "// k<<<1>>>(x)", "/* k<<<1>>>(x) */", "// c \\\n k<<<1>>>(x)",
    'R"(k<<<1>>>(x))"', 'R"x(k<<<)" k<<<1>>>(x))x"', 'u8R"(")" LR"(<<<)" "', "c = '<<<'; d = '\\''; e = '<<<';",
    '"\\"k<<<1>>>(x)"', '"a\\\nk<<<1>>>(x)"', '#include <k<<<1>>>(x)>\n', '#include "k<<<1>>>.h"', "#error k<<<1>>> don't",
    "#pragma k<<<1>>>(x)", "#if 0\nk<<<\n#if 1\nk<<<\n#endif\n#endif", "#if 0\n<<<<<<< HEAD\n#endif\n", "n = 1'000'000; m = 0x1'f;",
    "operator<<<T>(a, b); operator<<<>(a, b);", "a < b < c; a << < b;", "x = 'a' << 1;", "#include <a//b.h>\n#include <a/*b.h>\n",
    "\x00\x01\xff<\x80<", '"unterminated <<<', "'unterminated <<<", "/* unterminated <<<", 'R"(unterminated <<<',
    "a[aicore + 1]; __attribute__((aiv, used)) int x;", 'char *s = "[aicore]";',
    "#", "#define", "#define X", "#define X(", "#line 4 \"k<<<1>>>\"", "a-->b; a->b;", "a<:1:>; a<%1%>;",
]

# (source, line, column, words of the message)
WRONG = [
    ("k<<<1, 2;", 1, 2, "unterminated launch: expected '>>>' before ';'"),
    ("k<<<1", 1, 2, "unterminated launch: expected '>>>' before the end of the file"),
    ("\n\n  k<<<1)", 3, 4, "expected '>>>' before ')'"),
    ("k<<<1, f(2>>>(x);", 1, 9, "unterminated launch: '(' is not closed"),
    ("k<<<1 k<<<1>>>(x);", 1, 2, "expected '>>>' before '<<<'"),
    ("#define L k<<<1\n", 1, 12, "expected '>>>' before the end of the macro"),
    ("k<<<1>>>;", 1, 9, "expected '(' and the kernel's arguments after '>>>'"),
    ("k<<<1>>>[x];", 1, 9, "expected '('"),
    ("k<<<1>>>(x;", 1, 9, "expected ')' after the kernel's arguments"),
    ("k<<<>>>(x);", 1, 2, "a launch argument is missing"),
    ("k<<<1, , s>>>(x);", 1, 2, "a launch argument is missing"),
    ("k<<<1, 2, >>>(x);", 1, 2, "a launch argument is missing"),
    ("k<<<1, 2, 3, 4>>>(x);", 1, 2, "expected 1 to 3 launch arguments, <<<blocks, dynUB, stream>>>, not 4"),
    ("(*fp)<<<1>>>(x);", 1, 5, "not supported: a launch of an expression; name it first"),
    ("table[i]<<<1>>>(x);", 1, 8, "not supported: a launch of an expression"),
    ("f().k<<<1>>>(x);", 1, 3, "not supported: a launch of an expression"),
    ("t<::><<<1>>>(x);", 1, 4, "not supported: a launch of an expression"),
    ("k<<<1>>>>(x);", 1, 9, "expected '('"),
    ("<<<1>>>(x);", 1, 1, "expected the kernel's name before '<<<'"),
    ("return <<<1>>>(x);", 1, 8, "expected the kernel's name before '<<<'"),
    ("a; 4<<<1>>>(x);", 1, 5, "expected the kernel's name before '<<<'"),
    ("k><<<1>>>(x);", 1, 3, "expected the kernel's name before '<<<'"),
    ("#define CFG <<<1>>>\n", 1, 13, "expected the kernel's name before '<<<'"),
    ("#include operator\n<<<1>>>(x);", 2, 1, "expected the kernel's name before '<<<'"),
    ("a <<<= b;", 1, 3, "expected '>>>' before ';'"),
]
