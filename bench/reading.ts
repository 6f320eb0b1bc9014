// Tokens an agent reads until it has an answer: starting from the stub, with grep and cat, and with the whole skill.
// usage: node bench/reading.ts [--tasks]

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { estimateTokens } from '../packages/skillwright/src/base/tokens/estimate-tokens.ts';
import { readFromStub, significantWords } from '../packages/skillwright/src/make/evals/read-from-stub.ts';
import type { Figure } from './figure.ts';
import { type ReadingTask, readingTasks } from './reading-tasks.ts';
import { inWorkplace, repository, skc } from './workplace.ts';

/** Not part of the repository; without it nothing is measured. */
const archive = join(repository, '../shared/data/real-skills-whole.tar.gz');
const collection = 'claude-code-templates';

/** An agent gives up a method after this many texts. */
const PATIENCE = 5;
const GREP_LINES = 50;

interface Reading {
  readonly tokens: number;
  readonly found: boolean;
  /** Commands typed, in order. */
  readonly typed: readonly string[];
}

/** Tokens per task as a share of the whole skill, for a reader with the stub and a reader with grep. */
export function measureReading(): Promise<Figure[]> {
  if (!existsSync(archive)) return Promise.resolve([]);
  return inWorkplace(async (directory) => {
    spawnSync('tar', ['xzf', archive, '-C', directory]);
    const rows: { task: ReadingTask; stub: Reading; grep: Reading; whole: number }[] = [];
    for (const task of readingTasks) {
      const dir = join(directory, collection, task.skill);
      rows.push({
        task,
        stub: await readWithStub(task, { dir, home: join(directory, 'home') }),
        grep: readWithGrep(task, dir),
        whole: markdownOf(dir).reduce((sum, path) => sum + tokensOf(join(dir, path)), 0),
      });
    }
    if (process.argv.includes('--tasks'))
      for (const { task, stub, grep, whole } of rows)
        console.error(
          `${stub.found ? 'found' : 'LOST '} ${stub.tokens} tokens (grep ${grep.tokens}${grep.found ? '' : ' LOST'}, whole ${whole})  ${task.question}\n    ${stub.typed.join('\n    ')}`,
        );
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const lost = rows.filter(({ stub }) => !stub.found).length;
    const share = mean(rows.map(({ stub, whole }) => stub.tokens / whole));
    return [
      {
        name: 'reading tasks from the stub on, tokens / tokens of the whole skill',
        value: share,
        unit: 'ratio',
        target: { text: 'at most 0.15', met: share <= 0.15 },
      },
      {
        name: 'the same, tokens / tokens with grep and cat',
        value: mean(rows.map(({ stub, grep }) => stub.tokens / grep.tokens)),
        unit: 'ratio',
      },
      {
        name: 'the same, tokens a task',
        value: mean(rows.map(({ stub }) => stub.tokens)),
        unit: 'tokens',
        baseline: { name: 'grep and cat', value: mean(rows.map(({ grep }) => grep.tokens)), unit: 'tokens' },
      },
      {
        name: `reading tasks lost, of ${rows.length}`,
        value: lost,
        unit: 'tasks',
        target: { text: 'none', met: lost === 0 },
        baseline: {
          name: 'grep and cat',
          value: rows.filter(({ grep }) => !grep.found).length,
          unit: 'tasks',
        },
      },
    ];
  });
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

/** Reads SKILL.md as agents do, then greps for the rarest word of the question and prints the files with the most hits. */
function readWithGrep({ question, fact }: ReadingTask, dir: string): Reading {
  const skill = readFileSync(join(dir, 'SKILL.md'), 'utf8');
  let tokens = estimateTokens(skill);
  const typed: string[] = [];
  if (skill.includes(fact)) return { tokens, found: true, typed };
  const files = markdownOf(dir).map((path) => ({ path, text: readFileSync(join(dir, path), 'utf8') }));
  const holds = (text: string, word: string) => text.toLowerCase().includes(word);
  const rarest = [...significantWords(question)]
    .map((word) => ({ word, count: files.filter(({ text }) => holds(text, word)).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  const hits = files
    .map(({ path, text }) => ({
      path,
      text,
      words: rarest.filter(({ word }) => holds(text, word)).length,
      lines: text.split('\n').filter((line) => rarest[0] !== undefined && holds(line, rarest[0].word)),
    }))
    .filter(({ lines }) => lines.length > 0)
    .sort((a, b) => b.words - a.words || b.lines.length - a.lines.length);
  const printed = hits.flatMap(({ path, lines }) => lines.map((line) => `${path}:${line}`));
  typed.push(`grep -rin ${rarest[0]?.word}`);
  tokens += estimateTokens(printed.slice(0, GREP_LINES).join('\n'));
  for (const { path, text } of hits.slice(0, PATIENCE)) {
    typed.push(`cat ${path}`);
    tokens += estimateTokens(text);
    if (text.includes(fact)) return { tokens, found: true, typed };
  }
  return { tokens, found: false, typed };
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
