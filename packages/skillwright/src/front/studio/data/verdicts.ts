// Verdicts on all skills. They are scanned behind the pages, one at a time, and remembered across starts by the state of
// their files.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { orUndefined } from '../../../base/diagnostics/index.ts';
import { sha256, walkTree } from '../../../base/files/index.ts';
import { toolVersion } from '../../../base/version.ts';
import { ScanVerdict } from '../../../guard/scan/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { addToTable, type RememberedTable, readTable } from '../../../ship/install/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';

/** Verdicts by skill. One that is not scanned as it is now has none. */
export interface Verdicts {
  of(skill: SkillRecord): ScanVerdict | undefined;
  /** Scans a skill now. */
  scan(skill: SkillRecord): Promise<void>;
  /** Keeps the result of a scan made elsewhere. */
  note(skill: SkillRecord, verdict: ScanVerdict): void;
  /** Checks these skills soon, and scans those that changed; the first ones first. */
  check(skills: readonly SkillRecord[]): void;
  /** Resolves when nothing waits. */
  settled(): Promise<void>;
  close(): void;
}

const remembered: RememberedTable = { file: 'verdicts.json', field: 'scanned', max: 20_000 };
/** Share of the time that background scans may take. */
const BUSY_SHARE = 0.5;
/** Scans between two savings, and the least time between two checks of the same skills. */
const SAVED_AFTER = 200;
const CHECK_MS = 5000;

interface KnownVerdict {
  /** Of its SKILL.md. */
  readonly digest: string | undefined;
  /** State of all its files. */
  readonly stamp: string;
  readonly verdict: ScanVerdict;
}

/** Starts with the verdicts that are remembered. */
export function createVerdicts({ user }: Pick<Workspace, 'user'>): Verdicts {
  const known = new Map<string, KnownVerdict>();
  const before = readTable(remembered, { user });
  let fresh: [string, unknown][] = [];
  const save = (): void => {
    addToTable(remembered, { user }, fresh);
    fresh = [];
  };
  let queue: readonly SkillRecord[] = [];
  let working: Promise<void> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const keep = ({ path, dir, digest }: SkillRecord, stamp: string, verdict: ScanVerdict): void => {
    known.set(path, { digest, stamp, verdict });
    fresh.push([dir, { stamp, verdict }]);
    if (fresh.length >= SAVED_AFTER) save();
  };
  const scan = async (skill: SkillRecord): Promise<void> => {
    const { scanSkill } = await import('../../../guard/scan/scan-skill.ts');
    const stamp = stampOf(skill.dir);
    keep(skill, stamp, scanSkill(skill.dir).verdict);
  };
  const checkOne = async (skill: SkillRecord): Promise<void> => {
    const stamp = stampOf(skill.dir);
    const last = known.get(skill.path) ?? rememberedOf(before(skill.dir));
    if (last?.stamp !== stamp) await scan(skill);
    else known.set(skill.path, { stamp, verdict: last.verdict, digest: skill.digest });
  };
  const work = async (): Promise<void> => {
    for (let started = performance.now(); queue.length > 0; ) {
      const [next, ...rest] = queue;
      queue = rest;
      await checkOne(next!).catch(ignoreMissing);
      const took = performance.now() - started;
      if (took < 8) continue;
      // Requests go first.
      await wait(took * (1 / BUSY_SHARE - 1), undefined, { ref: false });
      started = performance.now();
    }
    save();
  };
  return {
    of({ path, digest }) {
      const one = known.get(path);
      return one?.digest === digest ? one?.verdict : undefined;
    },
    scan,
    note: (skill, verdict) => keep(skill, stampOf(skill.dir), verdict),
    check(skills) {
      const isNew = skills.some((skill) => known.get(skill.path)?.digest !== skill.digest);
      if (!isNew && performance.now() - checkedAt < CHECK_MS) return;
      checkedAt = performance.now();
      queue = skills;
      working ??= work().finally(() => {
        working = undefined;
      });
    },
    settled: async () => working,
    close() {
      queue = [];
      save();
    },
  };
}

function rememberedOf(value: unknown): Pick<KnownVerdict, 'stamp' | 'verdict'> | undefined {
  const { stamp, verdict } = (value ?? {}) as Partial<Record<string, unknown>>;
  const parsed = ScanVerdict.safeParse(verdict).data;
  return typeof stamp === 'string' && parsed !== undefined ? { stamp, verdict: parsed } : undefined;
}

/** The state of all files, hidden ones too, for the scanner of this version. */
function stampOf(dir: string): string {
  const files = walkTree(dir, { ignores: () => false }).entries.map(({ path }) => {
    const status = orUndefined(() => lstatSync(join(dir, path)));
    return `${path} ${status?.ino} ${status?.size} ${status?.mtimeMs} ${status?.ctimeMs}`;
  });
  return sha256([toolVersion, ...files].join('\n'));
}

/** A skill that is gone is missing from the next look. */
const ignoreMissing = () => {};
