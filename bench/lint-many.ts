// Lints 20,000 small skills, compared with reading the same files.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, type Figure, median, time } from './figure.ts';
import { inWorkplace, skc, smallSkill, write } from './workplace.ts';

const SKILLS = 20_000;

/** A full run of the executable including start and output, and its peak memory. */
export function measureLint(): Promise<Figure[]> {
  return inWorkplace((directory) => {
    const files = Array.from({ length: SKILLS }, (_, number) => {
      const { name, text } = smallSkill(number);
      const path = join(directory, 'skills', name, 'SKILL.md');
      write(path, text);
      return path;
    });
    const reading = time(5, () => {
      for (const file of files) readFileSync(file);
    });
    const lint = (path: string) => {
      const start = performance.now();
      const { status, stdout } = spawnSync(skc, ['lint', path], {
        cwd: directory,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      });
      if (status !== 0) throw new Error(stdout.slice(0, 500));
      return performance.now() - start;
    };
    const whole = median(Array.from({ length: 5 }, () => lint('skills')));
    return [
      compare(`lint of ${SKILLS} skills`, whole, {
        name: 'reading the same files',
        value: reading,
        atMost: 10,
      }),
    ];
  });
}
