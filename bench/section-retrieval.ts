// Search inside one skill: how often the sections that answer a question are among the first three results.
// usage: node bench/section-retrieval.ts [--json] [--misses]

import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIndex, openIndex } from '../packages/skillwright/src/index/index.ts';

interface Section {
  readonly file: string;
  readonly section: string;
  readonly link: string;
}

interface Question {
  readonly question: string;
  readonly correct_chunks: readonly string[];
}

const depth = 3;
const data = join(import.meta.dirname, '../../shared/data/section-retrieval');

const { sectionsOf, writeSkill, linkOf } = (await import(
  pathToFileURL(join(data, 'build-skill.mjs')).href
)) as {
  sectionsOf: () => Section[];
  writeSkill: (directory: string) => void;
  linkOf: (sections: Section[], file: string, section: string) => string | undefined;
};

const questions = JSON.parse(readFileSync(join(data, 'questions.json'), 'utf8')) as Question[];
const sections = sectionsOf();
const root = realpathSync(mkdtempSync(join(tmpdir(), 'section-retrieval-')));
try {
  const sourceDir = join(root, 'docs');
  const indexDir = join(root, 'runtime');
  writeSkill(sourceDir);
  buildIndex({ sourceDir, indexDir, tokenizer: 'porter', now: new Date() });
  const index = openIndex({ skill: 'docs', sourceDir, indexDir });

  let recall = 0;
  let reciprocalRank = 0;
  const milliseconds: number[] = [];
  for (const { question, correct_chunks: correct } of questions) {
    const start = performance.now();
    const { results } = index.search(question, { limit: depth });
    milliseconds.push(performance.now() - start);
    const links = results.map(({ file, section }) => linkOf(sections, file, section));
    const isCorrect = (link: string | undefined) => link !== undefined && correct.includes(link);
    recall += links.filter(isCorrect).length / correct.length;
    const first = links.findIndex(isCorrect);
    if (first >= 0) reciprocalRank += 1 / (first + 1);
    if (first < 0 && process.argv.includes('--misses')) console.error(`${question}\n  ${links.join('\n  ')}`);
  }
  index.close();

  milliseconds.sort((a, b) => a - b);
  const figures = {
    questions: questions.length,
    sections: sections.length,
    recallAt3: Number((recall / questions.length).toFixed(4)),
    meanReciprocalRank: Number((reciprocalRank / questions.length).toFixed(4)),
    medianMilliseconds: Number((milliseconds[Math.floor(milliseconds.length / 2)] ?? 0).toFixed(3)),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures));
  else
    console.log(
      `R@3 ${figures.recallAt3.toFixed(3)}  MRR ${figures.meanReciprocalRank.toFixed(3)}  ` +
        `(${figures.questions} questions, ${figures.sections} sections, median ${figures.medianMilliseconds} ms)`,
    );
} finally {
  rmSync(root, { recursive: true, force: true });
}
