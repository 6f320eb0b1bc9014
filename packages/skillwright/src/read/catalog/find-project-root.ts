// Where the project begins whose skills are looked for.

import { resolve } from 'node:path';
import { findMarkedRoot } from '../../skill/places/index.ts';
import type { CatalogOptions } from './catalog-options.ts';
import type { ProjectRoot } from './skill-record.ts';

/** `SKILLC_AGENTS_ROOT`, else the nearest ancestor with a marker, else the working directory. */
export function findProjectRoot(
  options: Pick<CatalogOptions, 'cwd' | 'home' | 'env' | 'markers'>,
): ProjectRoot {
  const given = options.env.SKILLC_AGENTS_ROOT;
  if (given) return { path: resolve(options.cwd, given), reason: 'environment' };
  const marked = findMarkedRoot(options, options.markers);
  return marked === undefined
    ? { path: options.cwd, reason: 'cwd' }
    : { path: marked.path, reason: 'marker', marker: marked.marker };
}
