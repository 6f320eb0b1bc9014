// A toolset whose process is replaced when it has ended, as long as the skill is the one that was trusted.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { prepareSkill } from './prepare-skill.ts';
import { type AccessContext, type SkillGrants, skillAccess } from './skill-access.ts';
import { findToolsetModule, toolsetError } from './toolset-module.ts';
import { startToolset, type ToolsetProcess, type ToolsetRun } from './toolset-process.ts';

/** After so many ends without an answer in between, a toolset stays dead. */
const MAX_FAILURES = 3;

/** A toolset. */
export interface ToolsetHolder {
  readonly reference: string;
  readonly tools: ToolsetProcess['tools'];
  /** The process, started again when it has ended. E080 when it cannot be, or has ended too often. */
  process(): Promise<ToolsetProcess>;
  /** It has proved to be alive. */
  answered(): void;
  deactivate(): Promise<void>;
}

/** What is held, and the digest of the skill it must come from. */
export interface HeldToolset {
  readonly reference: string;
  readonly digest: string;
  readonly run: Omit<ToolsetRun, 'access' | 'afterwards'> & AccessContext;
}

/** Starts a toolset for good; the reason when that fails. */
export async function holdToolset(
  { dir }: Pick<SkillGrants, 'dir'>,
  { reference, digest, run }: HeldToolset,
): Promise<ToolsetHolder | SkillwrightError> {
  const start = async () => {
    const skill = prepareSkill(dir, { home: run.home, sandbox: run.sandbox, bound: true });
    try {
      if (skill.digest !== digest) throw toolsetError(reference, 'the skill changed while it was loaded');
      const module = findToolsetModule(skill, reference);
      return await startToolset(module, {
        ...run,
        access: skillAccess(skill, run),
        afterwards: skill.remove,
      });
    } catch (error) {
      skill.remove();
      throw error;
    }
  };
  try {
    const first = await start();
    let current: Promise<ToolsetProcess> = Promise.resolve(first);
    let failures = 0;
    let isActive = true;
    return {
      reference,
      tools: first.tools,
      async process() {
        const waited = current;
        const known = await waited.catch(() => undefined);
        if (!isActive) throw toolsetError(reference, 'it has been deactivated');
        if (known?.isAlive()) return known;
        // Several calls may find it dead at the same time: the first of them starts it.
        if (current === waited) {
          if (failures >= MAX_FAILURES) throw toolsetError(reference, `it ended ${failures} times in a row`);
          failures += 1;
          current = start();
        }
        return current;
      },
      answered() {
        failures = 0;
      },
      async deactivate() {
        isActive = false;
        await (await current.catch(() => undefined))?.stop();
      },
    };
  } catch (error) {
    if (error instanceof SkillwrightError) return error;
    throw error;
  }
}
