"""What a shell makes of lines at whose end the tab key is pressed, typed on a terminal.

usage: complete.py SHELL COMPLETIONS LINE...   prints each line as the key has left it
"""
import os
import pty
import re
import select
import signal
import sys
import tempfile
import time

# Esc S shows the line between STX and ETX, and empties it.
SETUP = {
    "bash": r"""
for file in "$COMPLETIONS"/*.bash; do source "$file"; done
shown() { printf '\2%s\3' "$READLINE_LINE"; READLINE_LINE=; }
bind -x '"\eS": shown'
PS1='@ready@'
""",
    "zsh": r"""
fpath=("$COMPLETIONS" $fpath)
autoload -Uz compinit && compinit -u -D
setopt no_auto_list no_beep
shown() { print -rn -- $'\2'$BUFFER$'\3'; BUFFER=; zle reset-prompt }
zle -N shown; bindkey '\eS' shown
PS1='@ready@'
""",
}
PATIENCE_S = 60


def start(shell, folder):
    """The shell on a new terminal: its process, and the terminal's other side."""
    name = ".zshrc" if shell == "zsh" else "rc"
    with open(os.path.join(folder, name), "w") as file:
        file.write(SETUP[shell])
    options = {
        "bash": ["--noprofile", "--rcfile", os.path.join(folder, name), "-i"],
        "zsh": ["-d", "-i"],
    }
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(ZDOTDIR=folder, TERM="vt100")
        os.execvp(shell, [shell] + options[shell])
    return pid, terminal


def read_until(terminal, pattern):
    """The match of the pattern, once the shell has written it."""
    text, end = "", time.monotonic() + PATIENCE_S
    while not (match := re.search(pattern, text, re.DOTALL)):
        if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
            sys.exit(f"waited for {pattern!r}; so far: {text!r}")
        text += os.read(terminal, 4096).decode(errors="replace")
    return match


shell, os.environ["COMPLETIONS"] = sys.argv[1:3]
with tempfile.TemporaryDirectory() as folder:
    pid, terminal = start(shell, folder)
    try:
        read_until(terminal, "@ready@")
        for line in sys.argv[3:]:
            os.write(terminal, f"{line}\t\x1bS".encode())
            print(read_until(terminal, "\x02(.*)\x03.*@ready@")[1])
    finally:
        os.kill(pid, signal.SIGKILL)
