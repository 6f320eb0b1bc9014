// Gated skills whose quiz was passed: only their text may be searched.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Judge } from '../../skill/judge/index.ts';
import type { SkillRecord } from '../catalog/index.ts';

/** Directories of gated skills whose gate was passed. An unreadable skill counts as closed. */
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
