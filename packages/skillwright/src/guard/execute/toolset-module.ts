// Finds the module of a toolset.

import { extname, relative } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isInside, readInside, resolveInside } from '../../base/files/index.ts';
import type { SkillCopy } from './prepare-skill.ts';

/** A located module, and the name it must export. */
export interface ToolsetModule {
  /** Relative to the skill. */
  readonly path: string;
  /** As written in the skill: `toolsets/index:MyToolset`. */
  readonly reference: string;
  readonly exported: string;
}

const endings = ['.js', '.mjs', '.ts', '.mts', '.cjs'];
const MAX_MODULE_BYTES = 8 * 1024 * 1024;

/** Finds the module of a reference. E080 when there is none, E012 when it leads out of the skill. */
export function findToolsetModule(
  { root, declared }: Pick<SkillCopy, 'root' | 'declared'>,
  reference: string,
): ToolsetModule {
  const [path, exported] = reference.split(':') as [string, string];
  const tried = endings.includes(extname(path))
    ? [path]
    : [...endings.map((ending) => path + ending), ...endings.map((ending) => `${path}/index${ending}`)];
  for (const candidate of tried) {
    const bytes = readInside(root, candidate, { maxBytes: MAX_MODULE_BYTES });
    const real = bytes === undefined ? undefined : resolveInside(root, candidate);
    if (real === undefined) continue;
    const own = relative(root, real);
    if (declared.some((grant) => grant.kind === 'write' && isInside(`/${grant.path}`, `/${own}`)))
      throw toolsetError(reference, `${own} is in a directory that the skill may change`);
    return { reference, exported, path: own };
  }
  throw toolsetError(
    reference,
    `no module '${path}': add ${endings.join(', ')} or a directory with an index`,
  );
}

/** E080 with the reason as detail. */
export function toolsetError(
  reference: string,
  why: string,
  details: { readonly help?: string } = {},
): SkillwrightError {
  return SkillwrightError.of('E080', { toolset: reference }, { detail: why, ...details });
}
