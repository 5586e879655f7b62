" PTO kernels: files whose name ends in .pto
autocmd BufRead,BufNewFile *.pto setfiletype pto
