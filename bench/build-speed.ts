// Build speed: throughput of the index, and the cost of a build when little or nothing changed.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSkill } from '../packages/skillwright/src/make/compile/build-skill.ts';
import { compare, type Figure, median, time } from './figure.ts';
import { inWorkplace, paragraph, write } from './workplace.ts';

const FILES = 500;

/** One skill with 500 references of a few kilobytes. */
export function measureBuild(): Promise<Figure[]> {
  return inWorkplace((directory) => {
    const source = join(directory, 'big');
    const files = [join(source, 'SKILL.md')];
    write(
      files[0]!,
      '---\nname: big\ndescription: A large skill. Use when size matters.\n---\n\n# Big\n\nText.\n',
    );
    for (let number = 0; number < FILES; number++) {
      const sections = Array.from(
        { length: 20 },
        (_, index) => `## Part ${number}.${index}\n\n${paragraph(number * 20 + index, 90)}.\n`,
      );
      files.push(join(source, `references/chapter-${number}.md`));
      write(files.at(-1)!, `# Chapter ${number}\n\n${sections.join('\n')}`);
    }
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    const build = (name: string) =>
      buildSkill(source, {
        base: { dir: join(directory, name), project: undefined },
        home: directory,
        tokenizer: 'porter',
        force: false,
        now: new Date(),
      });
    const full = median([1, 2, 3].map((round) => time(1, () => build(`runtime-${round}`))));
    const statAndRead = time(5, () => {
      for (const file of files) {
        statSync(file);
        readFileSync(file);
      }
    });
    build('runtime-1');
    const unchanged = time(9, () => build('runtime-1'));
    let edit = 0;
    const changed = median(
      Array.from({ length: 9 }, () => {
        edit += 1;
        writeFileSync(files[250]!, `# Changed\n\n## Edit ${edit}\n\n${paragraph(edit, 400)}.\n`);
        return time(1, () => build('runtime-1'));
      }),
    );
    const baseline = { name: `stat and read of its ${FILES + 1} files`, value: statAndRead, atMost: 1.5 };
    const throughput = bytes / 1e6 / (full / 1000);
    return [
      {
        name: 'indexing Markdown',
        value: throughput,
        unit: 'MB/s',
        target: { text: 'at least 10 MB/s', met: throughput >= 10 },
      },
      compare('build of an unchanged skill', unchanged, baseline),
      compare('build with one changed file', changed, baseline),
    ];
  });
}
