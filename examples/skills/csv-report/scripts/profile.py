# Profiles CSV from standard input and prints JSON: rows, and for each column its type, missing and distinct values.
#
# Usage: profile.py [--delimiter CHARACTER]

import argparse
import collections
import csv
import io
import json
import math
import sys


def as_number(text):
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def profile(values):
    present = [value.strip() for value in values if value.strip()]
    numbers = [as_number(value) for value in present]
    summary = {"missing": len(values) - len(present), "distinct": len(set(present))}
    if not present:
        return {"type": "empty", **summary}
    if None in numbers:
        common = collections.Counter(present).most_common(3)
        return {"type": "text", **summary, "common": [value for value, _ in common]}
    mean = round(sum(numbers) / len(numbers), 4)
    return {"type": "number", **summary, "min": min(numbers), "max": max(numbers), "mean": mean}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--delimiter", default=",")
    options = parser.parse_args()
    text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", newline="")
    rows = list(csv.reader(text, delimiter=options.delimiter))
    if not rows:
        sys.exit("there is no data on standard input")
    header, body = rows[0], [row for row in rows[1:] if row]
    ragged = [number for number, row in enumerate(body, 2) if len(row) != len(header)]
    if ragged:
        sys.exit(f"row {ragged[0]} has {len(body[ragged[0] - 2])} values, the header has {len(header)}")
    columns = {name: profile([row[place] for row in body]) for place, name in enumerate(header)}
    json.dump({"rows": len(body), "columns": columns}, sys.stdout, indent=2)
    print()


main()
