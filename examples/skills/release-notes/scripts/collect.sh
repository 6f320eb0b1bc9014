#!/bin/sh
# Prints the commits between two revisions: hash, author, subject.
set -eu
git log --no-merges --format='%h%x09%an%x09%s' "$1..${2:-HEAD}"
