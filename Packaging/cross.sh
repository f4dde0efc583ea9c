#!/bin/sh
# Builds the package for arm64 on an amd64 machine, with Debian's own Swift, and runs the demo with it
# under emulation; prints the package's name. Needs root, mmdebstrap and qemu-user-static.
# usage: cross.sh FOLDER [REVISION]
# The first run makes two Debian systems in FOLDER, from the mirror that this machine's apt uses (MIRROR= names
# another): tools (amd64, sid: the compiler) and target (arm64, trixie: the libraries to build against).
# Remove tools to have both made anew, target for that one alone.
set -eu
usage="usage: cross.sh FOLDER [REVISION]"
folder=$(realpath -m "${1:?$usage}")
revision=${2:-1}
tools=$folder/tools
target=$folder/target
packed=var/cache/swift-arm64
cd "$(dirname "$0")/.."

fail() {
  echo "cross.sh: $1" >&2
  exit 1
}

check() {
  [ "$(id -u)" = 0 ] || fail "root is needed, to make systems and to enter them (sudo make cross)"
  [ "$(dpkg --print-architecture)" = amd64 ] || fail "this is no amd64 machine (on arm64: make deb)"
  command -v mmdebstrap >/dev/null || fail "mmdebstrap is not there (apt install mmdebstrap)"
  emulator=/proc/sys/fs/binfmt_misc/qemu-aarch64
  # F: the emulator is found from within another root too.
  grep -qs '^enabled' $emulator && grep -qs '^flags:.*F' $emulator ||
    fail "the kernel runs no arm64 programs (apt install qemu-user-static; for a container, on its host)"
}

# A system is there as a whole or not at all, and what was built belongs to who called sudo.
finish() {
  rm -rf --one-file-system "$tools.part" "$target.part" "$settings"
  [ -z "${SUDO_UID:-}" ] || [ ! -d .build ] || chown -R "$SUDO_UID:$SUDO_GID" .build
}

# usage: make_system SUITE DIRECTORY OPTION-OF-MMDEBSTRAP...
make_system() {
  suite=$1
  directory=$2
  shift 2
  mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' \
    'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1)}
  [ -n "$mirror" ] || fail "this machine's apt knows no mirror of Debian (apt-get update, or MIRROR=)"
  # What this machine's apt needs to reach the mirror, and is lenient about.
  apt-config dump --format '%F "%v";%n' |
    grep -i '^Acquire::\(Check-Date\|Check-Valid-Until\|Retries\|.*::Proxy\)' >"$settings" || true
  rm -rf --one-file-system "$directory"
  mmdebstrap --variant=apt --aptopt="$settings" "$@" "$suite" "$directory" "deb $mirror $suite main" >&2 ||
    fail "Debian $suite could not be made in $folder"
}

# The compiler, and the same release's runtime for arm64.
make_tools() {
  echo "making $tools: a download of 1.2 GB" >&2
  make_system sid "$tools.part" --architectures=amd64,arm64 --include=swiftlang,libc6-dev,make,pkg-config
  mkdir -p "$tools.part/$packed" "$tools.part/src" "$tools.part/sysroot"
  chroot "$tools.part" sh -ec 'cd "/$1" && apt-get update -qq &&
    apt-get download -qq -o APT::Sandbox::User=root swiftlang:arm64 libswiftlang:arm64' sh "$packed" >&2 ||
    fail "Debian's Swift for arm64 could not be had"
  version=$(chroot "$tools.part" dpkg-query -W -f '${source:Version}' swiftlang)
  [ -n "$(find "$tools.part/$packed" -name "swiftlang_${version}[_+]*")" ] ||
    fail "Debian has Swift $version for amd64, but not for arm64: $(ls "$tools.part/$packed")"
  write_sdk "$tools.part/sdk/arm64.artifactbundle"
  echo "$version" >"$tools.part/swift-version"
  rm -rf --one-file-system "$tools"
  mv "$tools.part" "$tools"
}

# What `swift build --swift-sdk arm64` is to use.
write_sdk() {
  mkdir -p "$1/arm64"
  cat >"$1/info.json" <<END
{"schemaVersion": "1.0", "artifacts": {"arm64": {"type": "swiftSDK", "version": "1", "variants": [{"path": "arm64"}]}}}
END
  cat >"$1/arm64/swift-sdk.json" <<END
{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {
  "sdkRootPath": "/sysroot", "swiftResourcesPath": "/sysroot/usr/lib/swift",
  "swiftStaticResourcesPath": "/sysroot/usr/lib/swift_static", "toolsetPaths": ["toolset.json"]}}}
END
  cat >"$1/arm64/toolset.json" <<END
{"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}}
END
}

make_target() {
  echo "making $target: slow, as it is done under emulation" >&2
  make_system trixie "$target.part" --architectures=arm64 \
    --include=libsystemd-dev,libsqlite3-dev,libproj-dev,libexpat1-dev,libstdc++-14-dev,make,dpkg-dev
  mkdir -p "$target.part/src"
  unpack "$tools/$packed"/swiftlang_*.deb 'swift/*' 'swift_static/*' 'clang/*'
  unpack "$tools/$packed"/libswiftlang_*.deb 'swift/*'
  cp "$tools/swift-version" "$target.part"
  rm -rf --one-file-system "$target"
  mv "$target.part" "$target"
}

# usage: unpack PACKAGE PATTERN...: these of Swift's folders become the target's, in /usr/lib.
unpack() {
  package=$1
  shift
  for pattern; do
    dpkg-deb --fsys-tarfile "$package" | tar x -C "$target.part/usr/lib" --strip-components=5 \
      --exclude='*/swift/host/*' --exclude='*/swift/pm/*' --wildcards "./usr/libexec/swift/lib/$pattern"
  done
}

# usage: within SYSTEM COMMAND: runs a shell command in the sources within a system, whose mounts end with it.
within() {
  unshare --mount sh -ec '
    mount --bind . "$1/src"
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    [ ! -d "$1/sysroot" ] || mount --bind "$3" "$1/sysroot"
    exec chroot "$1" env -i PATH=/usr/libexec/swift/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
      DEBFULLNAME="${DEBFULLNAME:-}" DEBEMAIL="${DEBEMAIL:-}" SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
      sh -ec "cd /src; $2"' sh "$1" "$2" "$target"
}

check
settings=$(mktemp)
trap finish EXIT
trap 'exit 130' INT TERM
mkdir -p "$folder"
[ -d "$tools" ] || make_tools
cmp -s "$tools/swift-version" "$target/swift-version" || make_target

# git is not in the systems. The one who calls sudo owns the sources, which git would else refuse to read.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -c safe.directory='*' log -1 --format=%ct 2>/dev/null ||
  stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH
within "$tools" "export PKG_CONFIG_SYSROOT_DIR=/sysroot
  export PKG_CONFIG_PATH=/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:/sysroot/usr/share/pkgconfig
  make build PACKAGES= TEST_PACKAGES= \
    SWIFTFLAGS='--swift-sdks-path /sdk --swift-sdk arm64 --scratch-path .build/arm64'" >&2
package=$(within "$target" "BIN=.build/arm64/release Packaging/deb.sh '$revision'")
within "$target" "Config/demo/demo.sh .build/arm64/release" >&2
echo "$package"
