# bash completion for milepostctl(1)                                       -*- shell-script -*-

# The words of the line up to the cursor; bash has split them at `=` and `:` too.
_milepostctl_words() {
  local rest=$COMP_LINE index
  words=()
  for ((index = 0; index <= COMP_CWORD; index++)); do
    if ((index == 0)) || [[ $rest == [[:space:]]* ]]; then
      words+=('')
      rest=${rest#"${rest%%[![:space:]]*}"}
    fi
    words[-1]+=${COMP_WORDS[index]}
    rest=${rest#"${COMP_WORDS[index]}"}
  done
}

# Takes the quotes off a word: what it means becomes value, the quote that it leaves open becomes open,
# and kept the length of what stands before the part that bash replaces.
_milepostctl_unquote() {
  local word=$1 index char before
  value='' open='' kept=0
  for ((index = 0; index < ${#word}; index++)); do
    char=${word:index:1}
    if [[ -n $open && $char == "$open" ]]; then
      open='' kept=$before
    elif [[ -z $open && $char == [\'\"] ]]; then
      open=$char before=$kept kept=${#value}
    elif [[ $char == \\ && $open != \' && ! ($open == \" && ${word:index + 1:1} != [\\\"\$\`]) ]]; then
      ((++index))
      value+=${word:index:1}
    else
      value+=$char
      if [[ -z $open && ${COMP_WORDBREAKS-} == *"$char"* ]]; then
        kept=${#value}
        # It replaces an `@` too, which could begin a host.
        [[ $char == @ ]] && ((kept -= 1))
      fi
    fi
  done
}

# Offers the lines of standard input that go on from the current word, quoted as it is.
_milepostctl_lines() {
  local line
  while IFS= read -r line; do
    [[ $line == "$current"* ]] || continue
    line=$stem$line
    line=${line:kept}
    case $open in
    \') line=${line//\'/"'\''"} ;;
    \") line=$(sed 's/[\\"$`]/\\&/g' <<<"$line") ;;
    *) line=$(printf '%q' "$line") ;;
    esac
    COMPREPLY+=("$line")
  done
}

# Offers files; bash quotes them.
_milepostctl_files() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    file=$stem$file
    COMPREPLY+=("${file:kept}")
  done < <(compgen -f -- "$current")
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
  local index value open kept
  for ((index = 2; index < ${#words[@]} - 1; index++)); do
    _milepostctl_unquote "${words[index]}"
    case $value in
    --markers | --config | --category)
      sources+=("$value")
      _milepostctl_unquote "${words[++index]}"
      sources+=("${value/#'~/'/"${HOME-}/"}")
      ;;
    --markers=* | --config=* | --category=*) sources+=("$value") ;;
    esac
  done
  _milepostctl_unquote "${words[0]}"
  "${value/#'~/'/"${HOME-}/"}" roads "${sources[@]}" 2>/dev/null | cut -f 1
}

_milepostctl() {
  local -a words
  local value open kept current previous stem='' command options='' choices=''
  COMPREPLY=()
  _milepostctl_words
  _milepostctl_unquote "${words[-1]}"
  current=$value command=${words[1]}

  if ((${#words[@]} == 2)); then
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

  # An option and its value are two words, or one.
  case $current in
  --*=*) previous=${current%%=*} stem=$previous= ;;
  -o?*) previous=-o stem=-o ;;
  *) previous=${words[-2]} ;;
  esac
  current=${current#"$stem"}

  case $previous in
  --config | --markers | --output | -o)
    _milepostctl_files
    return
    ;;
  --preset)
    _milepostctl_lines < <(_milepostctl_presets)
    return
    ;;
  --tie) choices='smaller larger' ;;
  --format) choices='auto csv json xml' ;;
  --encoding) choices='utf-8 cp950 big5hkscs shift_jis euc-kr latin-1' ;;
  --delimiter) choices='auto tab' ;;
  --quote) choices='none' ;;
  --header | --normalise-roads) choices='yes no' ;;
  --unit | --chainage-unit) choices='km m mi ft hm ch' ;;
  --stations) choices='kilometres feet' ;;
  --every) choices='1km 500m 1mi' ;;
  --crs) choices='EPSG:3826' ;;
  --radius | --jitter | --category | --carriageway | --section | --road | --mileage | --lat | --lon | \
    --name | --plate | --kind | --chainage | --x | --y | --zone | --where | --skip-lines | \
    --implied-decimals | --scale | --rename-road)
    return
    ;;
  esac

  if [[ -n $choices ]]; then
    _milepostctl_lines < <(printf '%s\n' $choices)
  elif [[ -n $stem ]]; then
    return
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  elif [[ $command == find ]]; then
    _milepostctl_lines < <(_milepostctl_roads)
  elif [[ $command == replay || $command == import ]]; then
    _milepostctl_files
  fi
}
complete -F _milepostctl milepostctl
