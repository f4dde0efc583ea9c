# Makes a Debian changelog of CHANGELOG.md's headings:
#   awk -v version= -v revision= -v maintainer= -v date= -f changelog.awk CHANGELOG.md
# What is [Unreleased] is the version that Version.swift names, of the given date.
function rfc2822(day,   command, line) {
  command = "date -u -R -d " day
  command | getline line
  close(command)
  return line
}
/^## \[[^]]+\]/ {
  name = substr($0, 5, index($0, "]") - 5)
  when = date
  if (name == "Unreleased") name = version
  else if (match($0, /[0-9]+-[0-9]+-[0-9]+$/)) when = rfc2822(substr($0, RSTART))
  if (seen[name]++) next
  printf "milepostd (%s-%s) unstable; urgency=medium\n\n", name, name == version ? revision : 1
  printf "  * New release; changelog.gz tells what is new.\n\n -- %s  %s\n\n", maintainer, when
}
