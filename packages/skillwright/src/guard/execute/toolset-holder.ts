// Holds a toolset and restarts its process when it ends, as long as the skill is the trusted one.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { findClosedParts, prepareSkill } from './prepare-skill.ts';
import { type AccessContext, type SkillGrants, skillAccess } from './skill-access.ts';
import { findToolsetModule, toolsetError } from './toolset-module.ts';
import { startToolset, type ToolsetProcess, type ToolsetRun } from './toolset-process.ts';

/** After this many crashes in a row, a toolset is not restarted. */
const MAX_FAILURES = 3;

/** A toolset. */
export type ToolsetHolder = Exclude<Awaited<ReturnType<typeof holdToolset>>, SkillwrightError>;

/** Starts and holds a toolset of the skill with this digest; the reason when that fails. */
export async function holdToolset(
  { dir }: Pick<SkillGrants, 'dir'>,
  {
    reference,
    digest,
    run,
  }: {
    readonly reference: string;
    readonly digest: string;
    readonly run: Omit<ToolsetRun, 'access' | 'afterwards'> & AccessContext;
  },
) {
  const start = async () => {
    const closed = await findClosedParts(dir, run);
    const skill = prepareSkill(dir, { home: run.home, sandbox: run.sandbox, bound: true, closed });
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
      /** The process, restarted when it has ended. E080 when that fails, or it has ended too often. */
      async process(): Promise<ToolsetProcess> {
        const waited = current;
        const known = await waited.catch(() => undefined);
        if (!isActive) throw toolsetError(reference, 'it is no longer active');
        if (known?.isAlive()) return known;
        // Several calls may find it dead at the same time: the first one restarts it.
        if (current === waited) {
          if (failures >= MAX_FAILURES) throw toolsetError(reference, `it ended ${failures} times in a row`);
          failures += 1;
          current = start();
        }
        return current;
      },
      /** Resets the crash count after an answer. */
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
