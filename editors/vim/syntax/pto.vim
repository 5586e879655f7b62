" PTO kernels: colors. The last rule that matches at a place wins.
if exists('b:current_syntax')
  finish
endif
syntax iskeyword @,48-57,_,.,$
syntax match ptoWord "\<[A-Za-z_][A-Za-z0-9_.$]*"
syntax match ptoNumber "-\?\<\%(0x\x\+\|\d\+\%(\.\d*\)\?\%([eE][+-]\?\d\+\)\?\)"
syntax match ptoElement "\<\%(f16\|bf16\|f32\|f64\|u\?i\%(1\|4\|8\|16\|32\|64\)\|index\)\>"
syntax match ptoDialect "\<[A-Za-z_][A-Za-z0-9_$]*\.[A-Za-z0-9_.$]\+"
syntax match ptoOperation "\<pto\.[A-Za-z0-9_.$]\+"
syntax match ptoConstant "\%(PIPE\|EVENT\|TYPE\)_[A-Za-z0-9_]\+"
syntax match ptoKey "\<[A-Za-z_][A-Za-z0-9_.$]*\ze\s*="
syntax match ptoAttribute "#[A-Za-z0-9_.$]*"
syntax match ptoType "![A-Za-z0-9_.$]*"
syntax match ptoSymbol "@[A-Za-z0-9_.$]\+"
syntax match ptoValue "%\%([A-Za-z0-9_.$]\|->\@!\)\+\%(#\d\+\)\?"
syntax region ptoString start=+"+ skip=+\\.+ end=+"+ oneline
syntax match ptoComment "//.*$"
syntax match ptoComment ";.*$"
highlight default link ptoWord Keyword
highlight default link ptoNumber Number
highlight default link ptoElement Type
highlight default link ptoDialect Keyword
highlight default link ptoOperation Function
highlight default link ptoConstant Constant
highlight default link ptoKey Identifier
highlight default link ptoAttribute PreProc
highlight default link ptoType Type
highlight default link ptoSymbol Function
highlight default link ptoValue Identifier
highlight default link ptoString String
highlight default link ptoComment Comment
let b:current_syntax = 'pto'
