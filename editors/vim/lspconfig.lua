-- Neovim 0.7 or newer: the language server for PTO kernels. Put this into init.lua; editors/vim is needed for the file type.
local client -- before 0.8 Neovim does not know by itself that a client runs already

local function start(config, buffer)
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  client = client or vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(buffer, client)
end

vim.api.nvim_create_autocmd('FileType', {
  pattern = 'pto',
  callback = function(args)
    start({
      name = 'ptog',
      cmd = { 'ptog', 'lsp' },
      root_dir = vim.fn.fnamemodify(args.file, ':p:h'),
      init_options = { target = '', strict = false, run = true, delay = 300 },
    }, args.buf)
  end,
})
