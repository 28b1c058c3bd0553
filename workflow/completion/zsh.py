"""Completion script for zsh."""

from __future__ import annotations

from crossbank.workflow.commands.completion import Words
from crossbank.workflow.completion.bash import look_up

SCRIPT = """\
#compdef crossbank
# Completion for crossbank in zsh, written by: crossbank completion zsh
# Put it where zsh looks for it (a folder in fpath), and write it anew after an update or when you install
# further metrics:
#   crossbank completion zsh > ~/.zfunc/_crossbank
# with these lines in ~/.zshrc: fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit

%(look_up)s
_crossbank() {
    local found separator current=$PREFIX
    local -a before
    before=("${(@)words[2,CURRENT-1]}")
    if [[ $current == --*=* ]]; then
        before+=("${current%%%%=*}")
        compset -P '*='
        current=$PREFIX
    fi
    _crossbank_words "${before[@]}"
    [[ -n $separator ]] && compset -P "*$separator"
    if [[ -n $found ]]; then
        compadd -- ${=found} || _files
    else
        _files
    fi
}

if [[ $funcstack[1] == _crossbank ]]; then
    _crossbank "$@"
else
    compdef _crossbank crossbank
fi
"""


def script(words: Words) -> str:
    """Return the script, to be put into a folder of ``fpath`` or loaded with ``source``."""
    return SCRIPT % {"look_up": look_up(words)}
