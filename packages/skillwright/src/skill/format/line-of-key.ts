// Finds the line of a field. Parses the YAML again, so that files without faults do not pay for line numbers.

import { EVENT_ID, type Event, getScalarValue, parseEvents } from 'js-yaml';
import { orUndefined } from '../../base/diagnostics/index.ts';
import type { Frontmatter } from './frontmatter.ts';
import { countLineEnds, offsetOf, YAML_DEPTH_LIMIT } from './parse-yaml.ts';
import { repairYaml } from './repair-yaml.ts';

/**
 * The 1-based line of the file with the key or list item at `path`, or of its closest ancestor that exists.
 * Undefined when even the first key is missing.
 */
export function lineOfKey(frontmatter: Frontmatter, path: readonly (string | number)[]): number | undefined {
  const reading = readEvents(frontmatter);
  if (reading === undefined) return undefined;
  let offset: number | undefined;
  let node = 1;
  for (const step of path) {
    const child = findChild(reading, { node, step });
    if (child === undefined) break;
    offset = child.offset ?? offset;
    node = child.node;
  }
  return offset === undefined ? undefined : 2 + countLineEnds(reading.text, offset);
}

interface Reading {
  readonly text: string;
  readonly events: readonly Event[];
}

const readings = new WeakMap<Frontmatter, Reading | undefined>();

/** The YAML as events, parsed once for all keys; the repaired text when it needed repair. */
function readEvents(frontmatter: Frontmatter): Reading | undefined {
  if (!readings.has(frontmatter)) {
    const { yaml } = frontmatter;
    readings.set(frontmatter, readYaml(yaml) ?? readYaml(repairYaml(yaml)?.text));
  }
  return readings.get(frontmatter);
}

function readYaml(text: string | undefined): Reading | undefined {
  if (text === undefined) return undefined;
  return orUndefined(() => ({ text, events: parseEvents(text, { maxDepth: YAML_DEPTH_LIMIT }) }));
}

function findChild(
  { events, text }: Reading,
  { node, step }: { node: number; step: string | number },
): { offset: number | undefined; node: number } | undefined {
  const parent = events[node];
  let found: { offset: number | undefined; node: number } | undefined;
  if (parent?.type === EVENT_ID.MAPPING) {
    for (let at = node + 1; events[at]!.type !== EVENT_ID.POP; ) {
      const key = events[at]!;
      const value = afterNode(events, at);
      // The last of several equal keys counts, for the line as for the value.
      if (key.type === EVENT_ID.SCALAR && getScalarValue(text, key) === String(step)) {
        found = { offset: offsetOf(key), node: value };
      }
      at = afterNode(events, value);
    }
  } else if (parent?.type === EVENT_ID.SEQUENCE) {
    let index = 0;
    for (let at = node + 1; events[at]!.type !== EVENT_ID.POP; at = afterNode(events, at)) {
      if (index++ === step) found = { offset: offsetOf(events[at]!), node: at };
    }
  }
  return found;
}

/** Index of the event after the node that starts at `at`. */
function afterNode(events: readonly Event[], at: number): number {
  let depth = 0;
  for (let index = at; index < events.length; index++) {
    const { type } = events[index]!;
    if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth++;
    else if (type === EVENT_ID.POP) depth--;
    if (depth === 0) return index + 1;
  }
  return events.length;
}
