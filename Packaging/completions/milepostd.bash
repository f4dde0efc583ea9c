# bash completion for milepostd(8)                                         -*- shell-script -*-

_milepostd() {
  # bash replaces only $2, what stands behind a quote, `=` or `:`.
  local line=${COMP_LINE:0:COMP_POINT} kept file
  local value=$'[[:space:]]--config(=|[[:space:]]+)["\']?([^[:space:]"\']*)$'
  COMPREPLY=()
  if [[ ${line%"$2"} =~ $value ]]; then
    kept=${BASH_REMATCH[2]}
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do
      COMPREPLY+=("${file#"$kept"}")
    done < <(compgen -f -- "$kept$2")
  else
    mapfile -t COMPREPLY < <(compgen -W '--config --check --version --help' -- "$2")
  fi
}
complete -F _milepostd milepostd
