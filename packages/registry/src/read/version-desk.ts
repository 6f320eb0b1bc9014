// The desk of a registry, where versions are read with the tools of skc.

import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { openReadingDesk, type ReadingDesk } from 'skillwright/mcp';
import type { Registry } from '../registry.ts';

const desks = new WeakMap<Registry, { readonly desk: ReadingDesk; readonly cache: string }>();

/** The desk, opened at the first read, and the directory of unpacked versions. */
export function versionDesk(registry: Registry): { readonly desk: ReadingDesk; readonly cache: string } {
  const known = desks.get(registry);
  if (known !== undefined) return known;
  const place = join(registry.settings.data, 'cache');
  mkdirSync(join(place, 'versions'), { recursive: true, mode: 0o700 });
  mkdirSync(join(place, 'home'), { recursive: true, mode: 0o700 });
  const cache = realpathSync.native(join(place, 'versions'));
  const desk = openReadingDesk({ home: realpathSync.native(join(place, 'home')), now: registry.now });
  const opened = { desk, cache };
  desks.set(registry, opened);
  return opened;
}

/** Closes the indexes it holds open. */
export function closeDesk(registry: Registry): void {
  desks.get(registry)?.desk.close();
  desks.delete(registry);
}
