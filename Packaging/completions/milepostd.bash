# bash completion for milepostd(8)                                         -*- shell-script -*-

_milepostd() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  if [[ $previous == --config ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W '--config --check --version --help' -- "$current")
  fi
}
complete -F _milepostd milepostd
