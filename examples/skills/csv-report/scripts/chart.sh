#!/usr/bin/env bash
# Draws a bar chart: adds up one column of the CSV on standard input for each value of another.
#
# Usage: chart.sh LABEL_COLUMN NUMBER_COLUMN
set -euo pipefail

if [ $# -ne 2 ]; then
  echo 'Usage: chart.sh LABEL_COLUMN NUMBER_COLUMN' >&2
  exit 64
fi

# The names reach awk as data, so no column can be called something that awk would run.
LABEL=$1 NUMBER=$2 awk -F, '
  { sub(/\r$/, "") }
  NR == 1 {
    for (i = 1; i <= NF; i++) { if ($i == ENVIRON["LABEL"]) label = i; if ($i == ENVIRON["NUMBER"]) number = i }
    if (!label || !number) { print "no such column" > "/dev/stderr"; exit 1 }
    next
  }
  NF { if (!($label in sum)) order[++count] = $label; sum[$label] += $number }
  END {
    for (i = 1; i <= count; i++) if (sum[order[i]] > most) most = sum[order[i]]
    for (i = 1; i <= count; i++) {
      bar = ""
      for (n = 0; most > 0 && n < int(sum[order[i]] / most * 40 + 0.5); n++) bar = bar "#"
      printf "%-12s %10.2f %s\n", order[i], sum[order[i]], bar
    }
  }'
