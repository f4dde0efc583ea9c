# bash completion for milepostctl(1)                                       -*- shell-script -*-

# Keeps the lines of standard input that begin with the current word, quoted where they have blanks.
_milepostctl_lines() {
  local line
  while IFS= read -r line; do
    [[ $line == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$line")")
  done
}

_milepostctl_presets() {
  local folder file
  for folder in ${MILEPOST_PRESETS:+"$MILEPOST_PRESETS"} /usr/local/share/milepostd/presets \
    /usr/share/milepostd/presets; do
    for file in "$folder"/*.preset; do
      [[ -e $file ]] || continue
      file=${file##*/}
      echo "${file%.preset}"
    done
  done | sort -u
}

# The roads of the marker files that the line names, or of the configured ones.
_milepostctl_roads() {
  local -a sources=()
  local index
  for ((index = 2; index < COMP_CWORD; index++)); do
    case ${COMP_WORDS[index]} in
    --markers | --config | --category)
      sources+=("${COMP_WORDS[index]}" "${COMP_WORDS[index + 1]}")
      ;;
    esac
  done
  "${COMP_WORDS[0]}" roads "${sources[@]}" 2>/dev/null | cut -f 1
}

_milepostctl() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} options='' words=''
  COMPREPLY=()

  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W 'replay import find roads --help --version' -- "$current")
    return
  fi

  case $command in
  replay) options='--config --markers --radius --jitter --help' ;;
  find)
    options='--markers --config --category --carriageway --tie --all --json --help'
    ;;
  roads) options='--markers --config --category --json --help' ;;
  import)
    options='--preset -o --output --config --dry-run --strict --help
      --road --mileage --lat --lon --carriageway --section --name --category --radius --plate --kind
      --chainage --x --y --crs --zone --where
      --format --encoding --delimiter --quote --header --skip-lines --decimal-comma
      --unit --stations --implied-decimals --hectometre-fractions --section-letters --text --scale
      --chainage-unit --merge --keep-duplicates --every --normalise-roads --rename-road'
    ;;
  *) return ;;
  esac

  case $previous in
  --config | --markers | --output | -o)
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
    ;;
  --preset)
    _milepostctl_lines < <(_milepostctl_presets)
    return
    ;;
  --tie) words='smaller larger' ;;
  --format) words='auto csv json xml' ;;
  --encoding) words='utf-8 cp950 big5hkscs shift_jis euc-kr latin-1' ;;
  --delimiter) words='auto tab' ;;
  --quote) words='none' ;;
  --header | --normalise-roads) words='yes no' ;;
  --unit | --chainage-unit) words='km m mi ft hm ch' ;;
  --stations) words='kilometres feet' ;;
  --every) words='1km 500m 1mi' ;;
  --crs) words='EPSG:3826' ;;
  --radius | --jitter | --category | --carriageway | --section | --road | --mileage | --lat | --lon | \
    --name | --plate | --kind | --chainage | --x | --y | --zone | --where | --skip-lines | \
    --implied-decimals | --scale | --rename-road)
    return
    ;;
  esac

  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  elif [[ $command == find ]]; then
    _milepostctl_lines < <(_milepostctl_roads)
  elif [[ $command == replay || $command == import ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _milepostctl milepostctl
