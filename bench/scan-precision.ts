// False alarms of the scanner on skills that people use and nobody has reported, by halves.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { scanSkill } from '../packages/skillwright/src/guard/scan/scan-skill.ts';
import type { Figure } from './figure.ts';
import { inWorkplace, repository } from './workplace.ts';

/** Not part of the repository; without it nothing is measured. */
const archive = join(repository, '../shared/data/real-skills-whole.tar.gz');

/** Upper limits in per cent. */
const DANGER = 1;
const CAUTION = 4;

/** Danger and caution on each half of the collection: rules fitted to one half show in the other. */
export function measureScanPrecision(): Promise<Figure[]> {
  if (!existsSync(archive)) return Promise.resolve([]);
  return inWorkplace((directory) => {
    spawnSync('tar', ['xzf', archive, '-C', directory]);
    const skills = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((path) => basename(path) === 'SKILL.md')
      .map(dirname);
    const halfOf = (path: string): number => createHash('sha256').update(path).digest()[0]! & 1;
    return [0, 1].flatMap((half) => {
      const own = skills.filter((path) => halfOf(path) === half);
      const verdicts = own.map((path) => scanSkill(join(directory, path)).verdict);
      const share = (verdict: string): number =>
        (100 * verdicts.filter((each) => each === verdict).length) / own.length;
      const figure = (verdict: string, limit: number): Figure => ({
        name: `${verdict} on ${own.length} harmless skills, half ${half + 1}`,
        value: share(verdict),
        unit: '%',
        target: { text: `at most ${limit} %`, met: share(verdict) <= limit },
      });
      return [figure('danger', DANGER), figure('caution', CAUTION)];
    });
  });
}
