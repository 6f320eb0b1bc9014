// Searches inside real skills: how often a section that answers a question is among the first three results. The
// questions of the first two files were used to choose the ranking. Those of the third were written before, about other
// skills and in other words than theirs, and looked at once afterwards: do not tune on them. Those of the next two files were
// written before their ranking was looked at; their first three skills served to choose, the other three were looked at once.
// Those of the last file decided about one change, which gained five answers in the first six files and lost one here, so it
// was left out. On the first six, none of these gained more than noise: other weights, saturation and norms, words of the best
// sections or of their headings, co-occurrence (LSI), letter sequences, coverage, windows, scores of the file, of the section
// above or below, fewer sections of one place, and a ranker trained on 28 features. Synonyms of WordNet gained .03 on the
// first six and lost .05 on the last.
// usage: node bench/skill-questions.ts [--json] [--misses]

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIndex } from '../packages/skillwright/src/read/index/build-index.ts';
import { openIndex } from '../packages/skillwright/src/read/index/open-index.ts';
import type { Figure } from './figure.ts';
import { inWorkplace, repository } from './workplace.ts';

interface AskedSkill {
  /** Path in the archive. */
  readonly skill: string;
  /** `answers` are `file#heading`; any of them counts. */
  readonly questions: readonly { readonly question: string; readonly answers: readonly string[] }[];
}

const DEPTH = 3;

/** Not part of the repository; without it nothing is measured. */
const archive = join(repository, '../shared/data/real-skills-whole.tar.gz');

/** Share of questions with an answer among the first three results, and the mean reciprocal rank. */
export async function measureSkillQuestions(): Promise<Figure[]> {
  if (!existsSync(archive)) return [];
  const figures: Figure[] = [];
  for (const file of [
    'skill-questions',
    'skill-questions-chosen',
    'skill-questions-fresh',
    'skill-questions-held-out',
    'skill-questions-unseen',
    'skill-questions-tasks',
    'skill-questions-newcomer',
  ])
    figures.push(...(await measureFile(file)));
  return figures;
}

function measureFile(file: string): Promise<Figure[]> {
  const asked = JSON.parse(readFileSync(new URL(`${file}.json`, import.meta.url), 'utf8')) as AskedSkill[];
  return inWorkplace((directory) => {
    spawnSync('tar', ['xzf', archive, '-C', directory, ...asked.map(({ skill }) => skill)]);
    const ranks = asked.flatMap(({ skill, questions }) => {
      const place = { sourceDir: join(directory, skill), indexDir: join(directory, 'runtime') };
      buildIndex({ ...place, tokenizer: 'porter', now: new Date() });
      const index = openIndex({ ...place, skill });
      const found = questions.map(({ question, answers }) => {
        const { results } = index.search(question, { limit: DEPTH });
        const rank = results.findIndex(({ file, section }) => answers.includes(`${file}#${section}`));
        if (rank === -1 && process.argv.includes('--misses')) console.error(`${skill}: ${question}`);
        return rank === -1 ? 0 : 1 / (rank + 1);
      });
      index.close();
      return found;
    });
    const share = ranks.filter((rank) => rank > 0).length / ranks.length;
    const mean = ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
    const name = `${ranks.length} questions to ${asked.length} real skills (${file})`;
    return [
      { name: `${name}: answered in the first 3`, value: share, unit: 'score' },
      { name: `${name}: mean reciprocal rank`, value: mean, unit: 'score' },
    ];
  });
}

if (import.meta.main) {
  const figures = await measureSkillQuestions();
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures));
  else for (const { name, value } of figures) console.log(`${name}: ${value.toFixed(3)}`);
}
