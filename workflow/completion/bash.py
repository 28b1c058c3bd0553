"""Completion script for bash, from version 3.2 on; zsh runs the part that looks up words, too."""

from __future__ import annotations

from crossbank.workflow.commands.completion import Words, takes_several

LOOK_UP = """\
# Finds the words that may come after some words: found, and the separator of several values in one word.
_crossbank_words() {
    local word command= flag= place=0
    found= separator=
    for word in "$@"; do
        if [[ $word == "=" ]]; then
            continue
        elif [[ -n $flag ]]; then
            flag=
            continue
        fi
        case "$command $word" in
%(taking)s
            *" -"*) ;;
%(naming)s
            *) place=$((place + 1)) ;;
        esac
    done
    if [[ -n $flag ]]; then
        case "$command $flag" in
%(values)s
        esac
        return
    elif [[ $current == -* ]]; then
        case "$command" in
%(options)s
        esac
        return
    fi
    case "$command $place" in
%(arguments)s
    esac
}
"""

SCRIPT = """\
# Completion for crossbank in bash, written by: crossbank completion bash
# Put it where bash looks for it, and write it anew after an update or when you install further metrics:
#   crossbank completion bash > ~/.local/share/bash-completion/completions/crossbank
# or load it in ~/.bashrc.

%(look_up)s
_crossbank() {
    local found separator prefix= current=${COMP_WORDS[COMP_CWORD]}
    # bash cuts --flag=value into three words.
    [[ $current == "=" ]] && current=
    _crossbank_words "${COMP_WORDS[@]:1:COMP_CWORD-1}"
    if [[ -n $separator && $current == *"$separator"* ]]; then
        prefix=${current%%"$separator"*}$separator
        current=${current##*"$separator"}
    fi
    COMPREPLY=($(compgen -P "$prefix" -W "$found" -- "$current"))
}

# Where no word fits, files do.
complete -o default -F _crossbank crossbank
"""


def script(words: Words) -> str:
    """Return the script, to be loaded with ``source``."""
    return SCRIPT % {"look_up": look_up(words)}


def look_up(words: Words) -> str:
    """A function of bash and zsh that finds the words that may come next."""
    taking, values, options, arguments, naming = [], [], [], [], []
    by_values: dict[tuple[str, bool], list[str]] = {}
    for command in words.commands:
        for option, kind in command.options:
            patterns = [f'"{command.name} {flag}"' for flag in option.option_strings]
            if option.nargs != 0:
                taking += patterns
                by_values.setdefault((kind, takes_several(option)), []).extend(patterns)
        flags = " ".join(flag for option, _ in command.options for flag in option.option_strings)
        options.append(f'            "{command.name}") found="{flags}" ;;')
        for place, kind in enumerate(command.arguments):
            if kind:
                listed = " ".join(words.lists[kind])
                arguments.append(f'        "{command.name} {place}") found="{listed}" ;;')
        if command.name:
            parent, _, own = command.name.rpartition(" ")
            naming.append(f'            "{parent} {own}") command="{command.name}" place=0 ;;')
    for (kind, several), patterns in by_values.items():
        if kind:
            separator = " separator=," if several else ""
            listed = " ".join(words.lists[kind])
            values.append(f'            {"|".join(patterns)}) found="{listed}"{separator} ;;')
    return LOOK_UP % {
        "taking": f"            {'|'.join(taking)}) flag=$word ;;",
        "naming": "\n".join(naming),
        "values": "\n".join(values),
        "options": "\n".join(options),
        "arguments": "\n".join(arguments),
    }
