#!/bin/sh
# Prints the version, which Sources/Options/Version.swift holds alone.
set -eu
cd "$(dirname "$0")/.."
sed -n 's/^package let version = "\(.*\)"$/\1/p' Sources/Options/Version.swift
