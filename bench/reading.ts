// Tokens an agent reads until it has an answer: starting from the stub, with grep and cat, and with the whole skill.
// usage: node bench/reading.ts [--tasks]

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { estimateTokens } from '../packages/skillwright/src/base/tokens/estimate-tokens.ts';
import { readFromStub, significantWords } from '../packages/skillwright/src/make/evals/read-from-stub.ts';
import type { Figure } from './figure.ts';
import { type ReadingTask, tunedTasks, unseenTasks } from './reading-tasks.ts';
import { inWorkplace, repository, skc } from './workplace.ts';

/** Not part of the repository; without it nothing is measured. */
const archive = join(repository, '../shared/data/real-skills-whole.tar.gz');
const collection = 'claude-code-templates';

/** An agent gives up a method after this many texts. */
const PATIENCE = 5;
const GREP_LINES = 50;
/** Lines that grep prints after a match. */
const CONTEXT = 12;

interface Reading {
  readonly tokens: number;
  readonly found: boolean;
  /** Commands typed, in order. */
  readonly typed: readonly string[];
}

interface Row {
  readonly task: ReadingTask;
  readonly stub: Reading;
  readonly grep: Reading;
  /** Tokens of all Markdown of the skill. */
  readonly whole: number;
}

/** A skill that is worth a stub. */
const LARGE = 4000;

/** Tokens of a reader with the stub, as a share of the whole skill and of the tokens of a reader with grep. */
export function measureReading(): Promise<Figure[]> {
  if (!existsSync(archive)) return Promise.resolve([]);
  return inWorkplace(async (directory) => {
    spawnSync('tar', ['xzf', archive, '-C', directory]);
    const read = async (task: ReadingTask): Promise<Row> => {
      const dir = join(directory, collection, task.skill);
      return {
        task,
        stub: await readWithStub(task, { dir, home: join(directory, 'home') }),
        grep: readWithGrep(task, dir),
        whole: markdownOf(dir).reduce((sum, path) => sum + tokensOf(join(dir, path)), 0),
      };
    };
    const sets = [
      { name: 'reading tasks', tasks: tunedTasks },
      { name: 'reading tasks on unseen skills', tasks: unseenTasks },
    ];
    const figures: Figure[] = [];
    for (const { name, tasks } of sets) {
      const rows: Row[] = [];
      for (const task of tasks) rows.push(await read(task));
      if (process.argv.includes('--tasks')) printTasks(rows);
      figures.push(...figuresOf(name, rows));
    }
    return figures;
  });
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const total = (rows: readonly Row[], reader: 'stub' | 'grep') =>
  rows.reduce((sum, row) => sum + row[reader].tokens, 0);

function figuresOf(name: string, rows: readonly Row[]): Figure[] {
  const lost = rows.filter(({ stub }) => !stub.found).length;
  const share = mean(rows.map(({ stub, whole }) => stub.tokens / whole));
  const large = rows.filter(({ whole }) => whole > LARGE);
  const grepped = total(large, 'stub') / total(large, 'grep');
  return [
    {
      name: `${name} from the stub on, tokens / tokens of the whole skill`,
      value: share,
      unit: 'ratio',
      target: { text: 'at most 0.15', met: share <= 0.15 },
    },
    {
      name: `${name}, tokens / tokens with a good grep, skills over ${LARGE} tokens`,
      value: grepped,
      unit: 'ratio',
      target: { text: 'at most 0.6', met: grepped <= 0.6 },
      baseline: { name: 'a good grep', value: total(large, 'grep') / large.length, unit: 'tokens' },
    },
    {
      name: `${name} lost, of ${rows.length}`,
      value: lost,
      unit: 'tasks',
      target: { text: 'none', met: lost === 0 },
      baseline: { name: 'grep', value: rows.filter(({ grep }) => !grep.found).length, unit: 'tasks' },
    },
  ];
}

function printTasks(rows: readonly Row[]): void {
  for (const { task, stub, grep, whole } of rows)
    console.error(
      `${stub.found ? 'found' : 'LOST '} ${stub.tokens} tokens (grep ${grep.tokens}${grep.found ? '' : ' LOST'}, whole ${whole})  ${task.question}\n    ${stub.typed.join('\n    ')}`,
    );
}

/** The scripted reader of `skc test`, with the commands an agent would type and their cost. */
async function readWithStub(
  { question, fact }: ReadingTask,
  { dir, home }: { dir: string; home: string },
): Promise<Reading> {
  const env = { PATH: `${dirname(skc)}:${process.env.PATH}`, SKC_HOME: home, SKC_NO_LOG: '1' };
  const typed: string[] = [];
  const run = async (command: string) => {
    typed.push(command);
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: dir, env, encoding: 'utf8' });
    return stdout + stderr;
  };
  const built = JSON.parse(
    spawnSync(skc, ['build', '.', '--stub', '--json'], { cwd: dir, env, encoding: 'utf8' }).stdout,
  ) as { built: { name: string; runtime_path: string }[] };
  const { name, runtime_path: runtime } = built.built[0]!;
  const skill = /^[\w-]+$/.test(name) ? name : quoted(name);
  const { tokens, found } = await readFromStub(question, {
    isAnswer: (text) => text.includes(fact),
    world: {
      stub: readFileSync(join(runtime, 'SKILL.md'), 'utf8'),
      show: (section) => run(`skc show ${skill} --section ${quoted(section)}`),
      outline: () => run(`skc outline ${skill}`),
      async search(words) {
        const text = await run(`skc search ${skill} ${quoted(words)}`);
        return { text, reads: commandsIn(text).map((command) => () => run(command)) };
      },
    },
  });
  return { tokens: tokens + typed.reduce((sum, command) => sum + estimateTokens(command), 0), found, typed };
}

/**
 * Reads SKILL.md as agents do, then greps for the rarest words of the question with some lines around, and as a last resort
 * prints the files with the most hits.
 */
function readWithGrep({ question, fact }: ReadingTask, dir: string): Reading {
  const skill = readFileSync(join(dir, 'SKILL.md'), 'utf8');
  let tokens = estimateTokens(skill);
  const typed: string[] = [];
  const take = (command: string, text: string): boolean => {
    typed.push(command);
    tokens += estimateTokens(command) + estimateTokens(text);
    return text.includes(fact);
  };
  const result = (found: boolean): Reading => ({ tokens, found, typed });
  if (skill.includes(fact)) return result(true);
  const files = markdownOf(dir).map((path) => ({ path, text: readFileSync(join(dir, path), 'utf8') }));
  const countOf = (word: string, text: string) => text.toLowerCase().split(word).length - 1;
  const rarest = [...significantWords(question)]
    .map((word) => ({ word, count: files.reduce((sum, { text }) => sum + countOf(word, text), 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .map(({ word }) => word);
  for (const word of rarest.slice(0, PATIENCE)) {
    const command = `grep -rin -A ${CONTEXT} --include='*.md' ${word} . | head -${GREP_LINES}`;
    if (take(command, spawnSync('sh', ['-c', command], { cwd: dir, encoding: 'utf8' }).stdout))
      return result(true);
  }
  const wordsIn = (text: string) => rarest.filter((word) => countOf(word, text) > 0).length;
  const best = files.toSorted((a, b) => wordsIn(b.text) - wordsIn(a.text));
  for (const { path, text } of best.slice(0, PATIENCE)) if (take(`cat ${path}`, text)) return result(true);
  return result(false);
}

/** Commands that a text offers to paste. */
function commandsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => /\bskc (?:show|open) .*$/.exec(line)?.[0])
    .filter((command) => command !== undefined);
}

function markdownOf(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !path.split('/').some((part) => part.startsWith('.')),
  );
}

const tokensOf = (path: string) => estimateTokens(readFileSync(path, 'utf8'));

/** Quotes a word for the shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

if (import.meta.main)
  for (const { name, value, baseline } of await measureReading())
    console.log(
      `${name}: ${value.toFixed(3)}${baseline === undefined ? '' : ` (${baseline.name}: ${baseline.value.toFixed(0)})`}`,
    );
