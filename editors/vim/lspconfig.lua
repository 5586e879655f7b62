-- Neovim 0.8 or newer: the language server for PTO kernels. Put this into init.lua; editors/vim is needed for the file type.
vim.api.nvim_create_autocmd('FileType', {
  pattern = 'pto',
  callback = function(args)
    vim.lsp.start({
      name = 'ptog',
      cmd = { 'ptog', 'lsp' },
      root_dir = vim.fs.dirname(args.file),
      init_options = { target = '', strict = false, run = true, delay = 300 },
    })
  end,
})
