// Which gated skills are open: only their texts may be searched.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Judge } from '../../skill/judge/index.ts';
import type { SkillRecord } from '../catalog/index.ts';

/** The directories of the skills that have a gate which was passed. A skill that cannot be read any more is closed. */
export async function findOpened(
  skills: readonly Pick<SkillRecord, 'dir' | 'gated'>[],
  judge: Judge,
): Promise<ReadonlySet<string>> {
  const opened = new Set<string>();
  for (const { dir, gated } of skills) if (gated && (await isOpen(dir, judge))) opened.add(dir);
  return opened;
}

async function isOpen(dir: string, judge: Judge): Promise<boolean> {
  try {
    return (await judge.gateOf(dir)) === undefined;
  } catch (error) {
    if (error instanceof SkillwrightError) return false;
    throw error;
  }
}
