// Verdicts on all skills. They are scanned behind the pages, one at a time, and remembered across starts.

import { setTimeout as wait } from 'node:timers/promises';
import type { ScanVerdict } from '../../../guard/scan/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { type InstalledEntry, openVerdicts } from '../../../ship/install/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';

/** Verdicts by skill. One that is not scanned as it is now has none. */
export interface ScannedSkills {
  of(skill: SkillRecord): ScanVerdict | undefined;
  /** Keeps the result of a scan made elsewhere. */
  note(skill: SkillRecord, verdict: ScanVerdict): void;
  /** Checks these skills soon, and scans those that changed; the first ones first. */
  check(skills: readonly SkillRecord[], installed: (skill: SkillRecord) => InstalledEntry | undefined): void;
  /** Resolves when nothing waits. */
  settled(): Promise<void>;
  close(): void;
}

/** Share of the time that background scans may take. */
const BUSY_SHARE = 0.5;
/** Scans between two savings, and the least time between two checks of the same skills. */
const SAVED_AFTER = 200;
const CHECK_MS = 5000;

/** Starts with the verdicts that are remembered. */
export function scanBehind(workspace: Workspace): ScannedSkills {
  const remembered = openVerdicts(workspace);
  /** With the digest of its SKILL.md. */
  const known = new Map<string, { readonly digest: string | undefined; readonly verdict: ScanVerdict }>();
  let fresh = 0;
  let queue: readonly SkillRecord[] = [];
  let installedOf: (skill: SkillRecord) => InstalledEntry | undefined = () => undefined;
  let working: Promise<void> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const note = ({ path, dir, digest }: SkillRecord, verdict: ScanVerdict): void => {
    known.set(path, { digest, verdict });
    remembered.note(dir, verdict);
    fresh += 1;
    if (fresh % SAVED_AFTER === 0) remembered.save();
  };
  const checkOne = async (skill: SkillRecord): Promise<void> => {
    const { path, dir, digest } = skill;
    const verdict = remembered.of(dir, installedOf(skill));
    if (verdict !== undefined) known.set(path, { digest, verdict });
    else {
      const { scanSkill } = await import('../../../guard/scan/scan-skill.ts');
      note(skill, scanSkill(dir).verdict);
    }
  };
  const work = async (): Promise<void> => {
    for (let started = performance.now(); queue.length > 0; ) {
      const [next, ...rest] = queue;
      queue = rest;
      // A skill that is gone is missing from the next look.
      await checkOne(next!).catch(() => {});
      const took = performance.now() - started;
      if (took < 8) continue;
      // Requests go first.
      await wait(took * (1 / BUSY_SHARE - 1), undefined, { ref: false });
      started = performance.now();
    }
    remembered.save();
  };
  return {
    of({ path, digest }) {
      const one = known.get(path);
      return one?.digest === digest ? one?.verdict : undefined;
    },
    note,
    check(skills, installed) {
      const isNew = skills.some((skill) => known.get(skill.path)?.digest !== skill.digest);
      if (!isNew && performance.now() - checkedAt < CHECK_MS) return;
      checkedAt = performance.now();
      [queue, installedOf] = [skills, installed];
      working ??= work().finally(() => {
        working = undefined;
      });
    },
    settled: async () => working,
    close() {
      queue = [];
      remembered.save();
    },
  };
}
