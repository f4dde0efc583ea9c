#!/bin/sh
# Builds the fuzzer .build/fuzz/milepost-fuzz, beside SwiftPM, whose executables bring a main of their own.
set -eu
cd "$(dirname "$0")/../.."
out=.build/fuzz
mkdir -p "$out"
# Coverage and AddressSanitizer in all modules; gold cannot link the two.
flags="-swift-version 6 -package-name milepostd -parse-as-library -O -wmo -g -sanitize=fuzzer,address
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature ExistentialAny -I $out -I Sources/CProj -I Sources/CExpat -I Sources/CGetopt"

objects=
for module in Geodesy Milepost FixFormats MarkerFiles Configuration MarkerImport Options; do
  object=$out/$module.o
  objects="$objects $object"
  # shellcheck disable=SC2046
  if [ ! -e "$object" ] || [ -n "$(find Sources/$module Tests/Fuzz/build.sh -newer "$object")" ]; then
    swiftc $flags -module-name $module -emit-module -emit-module-path "$out/$module.swiftmodule" \
      -emit-object -o "$object" $(find Sources/$module -name '*.swift')
    touch "$out/changed"
  fi
done
# With a path for its module, which swiftc would leave here.
swiftc $flags -module-name MilepostFuzz -use-ld=lld -emit-module-path "$out/MilepostFuzz.swiftmodule" \
  -emit-executable -o "$out/milepost-fuzz" Tests/Fuzz/*.swift \
  Sources/MilepostDaemon/Hooks/HookOutput.swift $objects $(pkg-config --libs proj expat)
