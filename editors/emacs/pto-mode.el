;;; pto-mode.el --- PTO kernels, with the language server of ptogather  -*- lexical-binding: t; -*-

;; Version: 0.2.0
;; Package-Requires: ((emacs "29.1"))
;; Keywords: languages

;;; Commentary:

;; Colors for .pto files.  `M-x eglot' starts `ptog lsp'.

;;; Code:

(defvar pto-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\; "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (dolist (char '(?% ?@ ?# ?! ?. ?_ ?$)) (modify-syntax-entry char "_" table))
    table)
  "Syntax of PTO text.")

(defvar pto-mode-font-lock
  '(("%[A-Za-z0-9_.$-]+" . font-lock-variable-name-face)
    ("@[A-Za-z0-9_.$-]+" . font-lock-function-name-face)
    ("![A-Za-z0-9_.$]*" . font-lock-type-face)
    ("#[A-Za-z0-9_.$]+" . font-lock-preprocessor-face)
    ("\\_<pto\\.[A-Za-z0-9_.$]+" . font-lock-builtin-face)
    ("\\_<[A-Za-z_][A-Za-z0-9_$]*\\.[A-Za-z0-9_.$]+" . font-lock-keyword-face)
    ("\\_<\\(?:PIPE\\|EVENT\\|TYPE\\)_[A-Za-z0-9_]+" . font-lock-constant-face))
  "Colors of PTO text.")

;;;###autoload
(define-derived-mode pto-mode prog-mode "PTO"
  "Major mode for PTO kernels."
  (setq-local comment-start "// ")
  (setq-local font-lock-defaults '(pto-mode-font-lock)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.pto\\'" . pto-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(pto-mode . ("ptog" "lsp"))))

(provide 'pto-mode)
;;; pto-mode.el ends here
