// A free name for what has to step aside.

import { lstatSync } from 'node:fs';

/** `<path>.bak-<time>`, with a number when that is taken. */
export function backupName(path: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  for (let attempt = 0; ; attempt++) {
    const name = `${path}.bak-${time}${attempt === 0 ? '' : `-${attempt}`}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}
