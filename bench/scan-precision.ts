// False alarms of the scanner on skills that people use and nobody has reported, by halves, and what it finds in skills that
// were written from published reports.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ScanVerdict } from '../packages/skillwright/src/guard/scan/finding.ts';
import { scanSkill } from '../packages/skillwright/src/guard/scan/scan-skill.ts';
import families from '../packages/skillwright/test/scan-samples/families.json' with { type: 'json' };
import fresh from '../packages/skillwright/test/scan-samples/fresh-families.json' with { type: 'json' };
import type { Figure } from './figure.ts';
import { inWorkplace, repository, write } from './workplace.ts';

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

/** Counts of a set of malicious or harmless skills by verdict. */
type Counts = Readonly<Record<ScanVerdict, number>>;

/** Recall, false alarms and macro-F1 on the families, from danger on and from caution on. */
export function measureScanRecall(): Promise<Figure[]> {
  return inWorkplace((directory) => {
    const count = (name: string, set: object): Counts => {
      const counts = { clean: 0, caution: 0, danger: 0 };
      for (const skills of Object.values(set))
        for (const [own, files] of Object.entries(skills)) {
          const skill = join(directory, name, String(counts.clean + counts.caution + counts.danger), own);
          for (const [path, text] of Object.entries(files as object)) write(join(skill, path), String(text));
          counts[scanSkill(skill).verdict]++;
        }
      return counts;
    };
    return Object.entries({ families, fresh }).flatMap(([name, { malicious, harmless }]) => {
      const sets = {
        malicious: count(`${name}-malicious`, malicious),
        harmless: count(`${name}-harmless`, harmless),
      };
      return (['danger', 'caution'] as const).flatMap((from) => {
        const flagged = ({ danger, caution }: Counts): number =>
          from === 'danger' ? danger : danger + caution;
        const total = ({ clean, caution, danger }: Counts): number => clean + caution + danger;
        const [found, alarms] = [flagged(sets.malicious), flagged(sets.harmless)];
        const [missed, passed] = [total(sets.malicious) - found, total(sets.harmless) - alarms];
        const score = (hits: number): number => (2 * hits) / (2 * hits + alarms + missed);
        const recall = (100 * found) / (found + missed);
        const rate = (100 * alarms) / (alarms + passed);
        const macro = (score(found) + score(passed)) / 2;
        const [wanted, limit] = from === 'danger' ? [50, DANGER] : [70, CAUTION];
        return [
          {
            name: `${name}: ${from} or above on ${found + missed} malicious skills`,
            value: recall,
            unit: '%',
            target: { text: `at least ${wanted} %`, met: recall >= wanted },
          },
          {
            name: `${name}: ${from} or above on ${alarms + passed} harmless look-alikes`,
            value: rate,
            unit: '%',
            target: { text: `at most ${limit} %`, met: rate <= limit },
          },
          {
            name: `${name}: macro-F1 from ${from} on`,
            value: macro,
            unit: 'score',
            target: { text: 'at least 0.70', met: macro >= 0.7 },
          },
        ] satisfies Figure[];
      });
    });
  });
}
