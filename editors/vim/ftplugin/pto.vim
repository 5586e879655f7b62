" PTO kernels: comments, and :make that jumps from finding to finding.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
setlocal commentstring=//\ %s comments=:// expandtab shiftwidth=2
setlocal makeprg=ptog\ check\ --format\ gcc\ %:S
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m
let b:undo_ftplugin = 'setlocal commentstring< comments< expandtab< shiftwidth< makeprg< errorformat<'
