// Verdicts of scans made by this studio. The skills of a page are scanned behind it, one at a time.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ScanResult } from '../../../guard/scan/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';

/** Verdicts by skill, until its SKILL.md changes. */
export interface Verdicts {
  of(skill: SkillRecord): ScanResult['verdict'] | undefined;
  /** Scans a skill now. */
  scan(skill: SkillRecord): Promise<ScanResult>;
  /** Keeps the result of a scan made elsewhere. */
  note(skill: SkillRecord, verdict: ScanResult['verdict']): void;
  /** Scans these skills soon, instead of those asked for before. */
  want(skills: readonly SkillRecord[]): void;
  /** Skills that wait for a scan. */
  readonly waiting: number;
  /** Resolves when nothing waits. */
  settled(): Promise<void>;
  close(): void;
}

/** Starts with no verdicts. */
export function createVerdicts(): Verdicts {
  const known = new Map<string, { readonly digest: string; readonly verdict: ScanResult['verdict'] }>();
  const verdictOf = ({ path, digest }: SkillRecord) => {
    const scanned = known.get(path);
    return scanned?.digest === digest ? scanned.verdict : undefined;
  };
  const note = ({ path, digest }: SkillRecord, verdict: ScanResult['verdict']): void => {
    known.set(path, { digest, verdict });
  };
  let queue: SkillRecord[] = [];
  let isScanning = false;
  let working: Promise<void> | undefined;
  const scan = async (skill: SkillRecord): Promise<ScanResult> => {
    const { scanSkill } = await import('../../../guard/scan/scan-skill.ts');
    const result = scanSkill(skill.dir);
    note(skill, result.verdict);
    return result;
  };
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      isScanning = true;
      // A scan takes a while, so requests go first.
      await nextTurn();
      if (verdictOf(next) === undefined) await scan(next);
      isScanning = false;
    }
  };
  return {
    of: verdictOf,
    scan,
    note,
    want(skills) {
      queue = skills.filter((skill) => verdictOf(skill) === undefined);
      working ??= work().finally(() => {
        working = undefined;
      });
    },
    get waiting() {
      return queue.length + Number(isScanning);
    },
    settled: async () => working,
    close() {
      queue = [];
    },
  };
}
