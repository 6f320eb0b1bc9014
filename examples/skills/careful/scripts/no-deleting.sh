#!/bin/sh
# Blocks a command that deletes. The event is JSON on standard input.
if grep -Eq '"command":"([^"]*[;&| ])?rm ' ; then
  echo 'Move files to old/ instead of deleting them.' >&2
  exit 2
fi
