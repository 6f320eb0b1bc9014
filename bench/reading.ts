// Tokens an agent reads until it has an answer: starting from the stub, with grep and cat, and with the whole skill.
// usage: node bench/reading.ts [--tasks]

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { estimateTokens } from '../packages/skillwright/src/base/tokens/estimate-tokens.ts';
import type { Figure } from './figure.ts';
import { type ReadingTask, readingTasks } from './reading-tasks.ts';
import { inWorkplace, repository, skc } from './workplace.ts';

/** Not part of the repository; without it nothing is measured. */
const archive = join(repository, '../shared/data/real-skills-whole.tar.gz');
const collection = 'claude-code-templates';

/** An agent gives up a method after this many texts. */
const PATIENCE = 5;
const GREP_LINES = 50;

/** Stop words, which do not help to locate an answer. */
const fillers = new Set(
  'a an and are be can does for from have how i in is it let long many me must my of on or one only should the their they this to use what when where which while whether who why with work works'.split(
    ' ',
  ),
);

interface Reading {
  readonly tokens: number;
  readonly found: boolean;
  /** Commands typed, in order. */
  readonly typed: readonly string[];
}

/** Tokens per task as a share of the whole skill, for a reader with the stub and a reader with grep. */
export function measureReading(): Promise<Figure[]> {
  if (!existsSync(archive)) return Promise.resolve([]);
  return inWorkplace((directory) => {
    spawnSync('tar', ['xzf', archive, '-C', directory]);
    const rows = readingTasks.map((task) => {
      const dir = join(directory, collection, task.skill);
      return {
        task,
        stub: readFromStub(task, { dir, home: join(directory, 'home') }),
        grep: readWithGrep(task, dir),
        whole: markdownOf(dir).reduce((sum, path) => sum + tokensOf(join(dir, path)), 0),
      };
    });
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

/** Reads the stub, then a listed section that fits the question, then the results of a search for the question. */
function readFromStub(task: ReadingTask, { dir, home }: { dir: string; home: string }): Reading {
  const env = { PATH: `${dirname(skc)}:${process.env.PATH}`, SKC_HOME: home, SKC_NO_LOG: '1' };
  const typed: string[] = [];
  const run = (command: string) => {
    typed.push(command);
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: dir, env, encoding: 'utf8' });
    return stdout + stderr;
  };
  const built = JSON.parse(
    spawnSync(skc, ['build', '.', '--stub', '--json'], { cwd: dir, env, encoding: 'utf8' }).stdout,
  ) as { built: { name: string; runtime_path: string }[] };
  const { name, runtime_path: runtime } = built.built[0]!;
  const skill = /^[\w-]+$/.test(name) ? name : quoted(name);
  let tokens = tokensOf(join(runtime, 'SKILL.md'));
  const read = (command: string) => {
    const text = run(command);
    tokens += estimateTokens(command) + estimateTokens(text);
    return text;
  };
  const result = (found: boolean): Reading => ({ tokens, found, typed });
  const wanted = wordsOf(task.question);
  const listed = headingsOf(readFileSync(join(runtime, 'SKILL.md'), 'utf8'));
  const best = closest(listed, wanted);
  if (best !== undefined && read(`skc show ${skill} --section ${quoted(best)}`).includes(task.fact))
    return result(true);
  const follow = (answer: string) =>
    commandsIn(answer)
      .slice(0, PATIENCE)
      .some((command) => read(command).includes(task.fact));
  const answer = read(`skc search ${skill} ${quoted(task.question)}`);
  if (follow(answer)) return result(true);
  const wider = /skc search .*--any$/m.exec(answer)?.[0];
  if (wider !== undefined && follow(read(wider))) return result(true);
  const outline = read(`skc outline ${skill}`);
  const heading = closest(headingsOf(outline), wanted);
  return result(
    heading !== undefined && read(`skc show ${skill} --section ${quoted(heading)}`).includes(task.fact),
  );
}

/** Reads SKILL.md as agents do, then greps for the rarest word of the question and prints the files with the most hits. */
function readWithGrep({ question, fact }: ReadingTask, dir: string): Reading {
  const skill = readFileSync(join(dir, 'SKILL.md'), 'utf8');
  let tokens = estimateTokens(skill);
  const typed: string[] = [];
  if (skill.includes(fact)) return { tokens, found: true, typed };
  const files = markdownOf(dir).map((path) => ({ path, text: readFileSync(join(dir, path), 'utf8') }));
  const holds = (text: string, word: string) => text.toLowerCase().includes(word);
  const rarest = [...wordsOf(question)]
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

function wordsOf(text: string): Set<string> {
  return new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
      (word) => !fillers.has(word) && word.length > 1,
    ),
  );
}

/** Headings listed in a stub or an outline, without the text after the dash. */
function headingsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => /^\s*(?:- |#+ )(.*)$/.exec(line)?.[1]?.split(' — ')[0]?.trim())
    .filter((heading) => heading !== undefined && heading !== '' && !heading.startsWith('...'))
    .map((heading) => heading as string);
}

/** The heading with most of the words, if it has more than half of them. */
function closest(headings: readonly string[], words: ReadonlySet<string>): string | undefined {
  const share = (heading: string) => {
    const own = wordsOf(heading);
    return [...words].filter((word) => own.has(word)).length / words.size;
  };
  const best = headings.reduce<string | undefined>(
    (found, heading) => (found === undefined || share(heading) > share(found) ? heading : found),
    undefined,
  );
  return best !== undefined && share(best) > 0.5 ? best : undefined;
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
