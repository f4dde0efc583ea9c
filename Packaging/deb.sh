#!/bin/sh
# Packs what `make build` built as .build/milepostd_VERSION-REVISION_ARCH.deb; needs dpkg-dev alone.
# usage: deb.sh [REVISION]; DEBFULLNAME and DEBEMAIL name the one who builds it.
set -eu
umask 022
cd "$(dirname "$0")/.."
version=$(Packaging/version.sh)
revision=${1:-1}
debian=Packaging/debian
work=.build/deb
root=$work/root
rm -rf "$work"
mkdir -p "$work/debian" "$root/DEBIAN"

# The same date in every build of one source.
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH="$epoch"

make -s install ${BIN:+BIN="$BIN"} DESTDIR="$root" PREFIX=/usr SYSCONFDIR=/etc ZSHDIR=/usr/share/zsh/vendor-completions
find "$root/usr/share/man" -type f -exec gzip -9n {} +

maintainer=$(sed -n 's/^Maintainer: //p' $debian/control)
[ -z "${DEBEMAIL:-}" ] || maintainer="${DEBFULLNAME:-milepostd maintainers} <$DEBEMAIL>"

doc=$root/usr/share/doc/milepostd
install -D -m 644 $debian/copyright "$doc/copyright"
gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
awk -v version="$version" -v revision="$revision" \
  -v maintainer="$maintainer" -v date="$(date -u -R -d "@$epoch")" \
  -f $debian/changelog.awk CHANGELOG.md >"$work/debian/changelog"
gzip -9nc "$work/debian/changelog" >"$doc/changelog.Debian.gz"
chmod 644 "$doc"/*.gz
install -D -m 644 $debian/lintian-overrides "$root/usr/share/lintian/overrides/milepostd"

install -m 755 $debian/postinst $debian/prerm $debian/postrm "$root/DEBIAN"
echo /etc/milepostd/milepostd.conf >"$root/DEBIAN/conffiles"
(cd "$root" && find . -path ./DEBIAN -prune -o -path ./etc -prune -o -type f -printf '%P\n' |
  LC_ALL=C sort | xargs md5sum) >"$root/DEBIAN/md5sums"
chmod 644 "$root/DEBIAN/conffiles" "$root/DEBIAN/md5sums"

# Which libraries of the distribution the programs need, and since which version.
sed "s|^Maintainer: .*|Maintainer: $maintainer|" $debian/control >"$work/debian/control"
(cd "$work" && dpkg-shlibdeps -Tdebian/substvars root/usr/sbin/milepostd root/usr/bin/milepostctl &&
  dpkg-gencontrol -pmilepostd -Proot -ldebian/changelog -Tdebian/substvars -fdebian/files)

package=.build/milepostd_$version-${revision}_$(dpkg --print-architecture).deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >/dev/null
echo "$package"
