"""Sphinx's settings for `make docs-site`. stage.py puts this file beside the pages, and sets the variables of the environment."""

import logging
import os
import sys

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text

project = "ptogather"
copyright = "the ptogather authors"
version = release = os.environ["PTOG_VERSION"]
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
root_doc = "index"
nitpicky = False
default_role = "code"
smartquotes = False  # they would turn --option into a dash
pygments_style = "friendly"
pygments_dark_style = "native"

myst_heading_anchors = 4
suppress_warnings = ["myst.header"]

breathe_projects = {"ptog": os.environ["PTOG_DOXYGEN"]}
breathe_default_project = "ptog"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False

sys.path.insert(0, os.environ["PTOG_PYTHON"])
autodoc_member_order = "groupwise"
autodoc_typehints_format = "short"

html_theme = "furo"
html_title = f"ptogather {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}


class PtoLexer(RegexLexer):
    """PTO programs, and MLIR around them."""

    name = "PTO"
    aliases = ["mlir", "pto"]
    tokens = {
        "root": [
            (r"//.*$|^\s*[#;].*$", Comment.Single),
            (r'"[^"]*"', String),
            (r"%[\w.$-]+", Name.Variable),
            (r"@[\w.$-]+", Name.Function),
            (r"[!#]pto\b[\w.]*|!\w+", Keyword.Type),
            (r"\b(module|func\.func|func|attributes|ins|outs|return|addr|valid|sizes|offsets)\b", Keyword),
            (r"\b(pto|scf|arith|func|memref)\.[\w.]+", Name.Builtin),
            (r"\b\d[\w.]*", Number),
            (r"[=:,<>(){}\[\]-]+", Operator),
            (r"[^\S\n]+|\n|[\w.]+|.", Text),
        ],
    }


# A struct and a function, or a type and its struct, may have one name in C; Sphinx 5 warns of that.
logging.getLogger("sphinx.sphinx.domains.c").addFilter(lambda record: "Duplicate C declaration" not in str(record.msg))


def setup(app):
    app.add_lexer("mlir", PtoLexer)
    app.add_lexer("pto", PtoLexer)
    return {"parallel_read_safe": True}
