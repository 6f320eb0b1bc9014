// Searches inside one skill: how often the sections that answer a question are among the first three results.
// usage: node bench/section-retrieval.ts [--json] [--misses]

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIndex } from '../packages/skillwright/src/read/index/build-index.ts';
import { openIndex } from '../packages/skillwright/src/read/index/open-index.ts';
import { type Figure, median } from './figure.ts';
import { inWorkplace, repository } from './workplace.ts';

interface Section {
  readonly file: string;
  readonly section: string;
  readonly link: string;
}

interface Question {
  readonly question: string;
  readonly correct_chunks: readonly string[];
}

/** The module that comes with the data. */
interface SkillWriter {
  sectionsOf(): Section[];
  writeSkill(directory: string): void;
  linkOf(sections: Section[], file: string, section: string): string | undefined;
}

const DEPTH = 3;
/** Number of warm-up searches, so that the time is that of a running server. */
const WARM_UP = 5;

/** Not part of the repository; without it nothing is measured. */
const data = join(repository, '../shared/data/section-retrieval');

/** Recall and mean reciprocal rank of the first three results, and the time of a search for ten. */
export async function measureRetrieval(): Promise<Figure[]> {
  if (!existsSync(data)) return [];
  const writer = (await import(pathToFileURL(join(data, 'build-skill.mjs')).href)) as SkillWriter;
  const questions = JSON.parse(readFileSync(join(data, 'questions.json'), 'utf8')) as Question[];
  return inWorkplace((directory) => {
    const sourceDir = join(directory, 'docs');
    const indexDir = join(directory, 'runtime');
    writer.writeSkill(sourceDir);
    buildIndex({ sourceDir, indexDir, tokenizer: 'porter', now: new Date() });
    const index = openIndex({ skill: 'docs', sourceDir, indexDir });
    const sections = writer.sectionsOf();
    const answers = questions.map(({ question, correct_chunks: correct }) => {
      const links = index
        .search(question, { limit: DEPTH })
        .results.map(({ file, section }) => writer.linkOf(sections, file, section));
      const right = links.map((link) => link !== undefined && correct.includes(link));
      if (!right.includes(true) && process.argv.includes('--misses'))
        console.error(`${question}\n  ${links.join('\n  ')}`);
      const recall = right.filter(Boolean).length / correct.length;
      return { recall, reciprocalRank: right.includes(true) ? 1 / (right.indexOf(true) + 1) : 0 };
    });
    const times = Array.from({ length: WARM_UP + 1 }, () =>
      questions.map(({ question }) => {
        const start = performance.now();
        index.search(question, { limit: 10 });
        return performance.now() - start;
      }),
    );
    index.close();
    const recall = mean(answers.map((answer) => answer.recall));
    const rank = mean(answers.map((answer) => answer.reciprocalRank));
    const milliseconds = median(times.at(-1)!);
    const name = `${questions.length} questions to ${sections.length} sections`;
    return [
      {
        name: `${name}: recall at 3`,
        value: recall,
        unit: 'score',
        target: { text: 'at least 0.70', met: recall >= 0.7 },
      },
      {
        name: `${name}: mean reciprocal rank`,
        value: rank,
        unit: 'score',
        target: { text: 'at least 0.87', met: rank >= 0.87 },
      },
      {
        name: 'search for a question, warm',
        value: milliseconds,
        unit: 'ms',
        target: { text: 'under 2 ms', met: milliseconds < 2 },
      },
    ];
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

if (import.meta.main) {
  const figures = await measureRetrieval();
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures));
  else
    for (const { name, value, unit } of figures)
      console.log(`${name}: ${value.toFixed(3)}${unit === 'ms' ? ' ms' : ''}`);
}
