// Open files that this process inherited and would pass on to its children.

import { openSync, readFileSync } from 'node:fs';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { namesIn } from '../../base/files/index.ts';

const CLOSE_ON_EXEC = 0o2000000;
const FIRST = 3;

let known: readonly number[] | undefined;

/** Inheritable descriptors above the three standard ones, in order. Looked up once: Node opens none of this kind. */
export function inheritedDescriptors(): readonly number[] {
  known ??= listDescriptors()
    .filter((descriptor) => descriptor >= FIRST && isPassedOn(descriptor))
    .sort((a, b) => a - b);
  return known;
}

let nothing: number | undefined;

/** A descriptor of /dev/null, to replace another. */
export function emptyDescriptor(): number {
  nothing ??= openSync('/dev/null', 'r+');
  return nothing;
}

function listDescriptors(): number[] {
  return namesIn(process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd').map(Number);
}

/** Whether a child would inherit a descriptor; outside Linux, assumed for all. */
function isPassedOn(descriptor: number): boolean {
  const info = orUndefined(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'));
  if (info === undefined) return process.platform !== 'linux';
  return (Number.parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? '0', 8) & CLOSE_ON_EXEC) === 0;
}
