// Finds and reads the evals of a skill: files in the skill, in its `evals/`, and in the `evals/` of its repository, under
// the names and in the shapes of many tools. A file that looks like evals and cannot be understood is reported.

import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type Diagnostic, diagnose, orUndefined } from '../../base/diagnostics/index.ts';
import {
  compareBytes,
  decodeText,
  isEvalFile,
  isEvalName,
  isIgnoredName,
  isInside,
  isThere,
  readInside,
} from '../../base/files/index.ts';
import { parseYaml } from '../../skill/format/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import type { EvalTask, Located, SectionQuestion, SkillEvals, TriggerQuery } from './eval-case.ts';
import { type EvalKind, readCases, type WrittenCase, type WrittenQuery } from './read-cases.ts';

/** Where `skc test --write` adds requests and questions. */
export const QUERY_FILE = 'evals/eval_queries.json';
export const QUESTION_FILE = 'evals/questions.json';

/** Larger files are not read. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Each case is a search; more than this would take minutes. */
const MAX_CASES = 1000;
/** Problems shown for one file. */
const MAX_PROBLEMS = 5;
/** Directories between a skill and its repository. */
const MAX_ABOVE = 8;

/** The skill whose evals are wanted. */
interface EvalSubject {
  readonly dir: string;
  /** Every name of it. */
  readonly names: readonly string[];
  /** Names of all skills that requests may expect; without them, no name is checked. */
  readonly known?: ReadonlySet<string> | undefined;
  /** The repository around it, and whether it has no other skill. */
  readonly repository?: { readonly dir: string; readonly isOnly: boolean } | undefined;
}

/** The cases of a skill, and the files that have some. */
export type FoundEvals = SkillEvals & {
  /** Files in the skill, relative to it. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Files around the skill that do not say which skill they are about. */
  readonly unclaimed: readonly string[];
};

/** The cases of a skill. A case that cannot be read is reported (W260) and left out; the others count. */
export function readEvals(subject: EvalSubject): FoundEvals {
  const diagnostics: Diagnostic[] = [];
  const queries: Located<TriggerQuery>[] = [];
  const questions: Located<SectionQuestion>[] = [];
  const tasks: Located<EvalTask>[] = [];
  const unclaimed: string[] = [];
  const own = findEvalFiles(subject.dir);
  for (const place of [...own.map((path) => ({ root: subject.dir, path })), ...filesAround(subject)]) {
    const source = relative(subject.dir, join(place.root, place.path)).split(sep).join('/');
    const wrong = (why: string) => diagnostics.push(diagnose('W260', { file: source, why }));
    const read = casesIn(place, wrong);
    if (read === undefined) continue;
    const isOwn = place.root === subject.dir;
    const chosen = casesAbout(read, { ...subject, isOwn, path: place.path, wrong });
    if (chosen === undefined) unclaimed.push(join(place.root, place.path));
    if (chosen === undefined) continue;
    if (chosen.length > MAX_CASES) wrong(`only the first ${MAX_CASES} of ${chosen.length} cases are run`);
    for (const { position, ...one } of chosen.slice(0, MAX_CASES)) {
      const at = { source, position };
      if (one.kind === 'query') queries.push({ ...one.query, ...at });
      else if (one.kind === 'question') questions.push({ ...one.question, ...at });
      else tasks.push({ ...one.task, ...at });
    }
  }
  return { queries, questions, tasks, files: own, diagnostics, unclaimed };
}

const FORMATS = /\.(?:jsonl?|ndjson|ya?ml|csv)$/i;
/** Files that tests write or use, under names that look like theirs. */
const OTHER =
  /result|report|output|baseline|benchmark|grading|history|schema|config|package|fixture|summary/i;

/** Paths of the files with evals in a skill, relative to it, whether or not they can be read. */
function findEvalFiles(dir: string): string[] {
  const at = (root: string) => filesIn(join(dir, root)).map((name) => `${root}${name}`);
  return [
    ...at('').filter((path) => isEvalName(path)),
    ...at('evals/'),
    ...['eval/', 'tests/', 'test/'].flatMap(at).filter((path) => isEvalName(basename(path))),
  ].filter((path) => FORMATS.test(path) && !(OTHER.test(basename(path)) && !/eval_queries/.test(path)));
}

/** Names of the files of a directory, in order. */
function filesIn(dir: string): string[] {
  const entries = orUndefined(() => readdirSync(dir, { withFileTypes: true })) ?? [];
  return entries
    .filter((entry) => !entry.isDirectory() && !isIgnoredName(entry.name))
    .map(({ name }) => name)
    .sort(compareBytes);
}

interface EvalFilePlace {
  readonly root: string;
  readonly path: string;
}

/** Files in the `evals/` of directories around a skill, up to its repository. */
function filesAround({ dir, repository }: EvalSubject): EvalFilePlace[] {
  if (repository === undefined || !isInside(repository.dir, dir)) return [];
  const found: EvalFilePlace[] = [];
  let above = dir;
  for (let step = 0; step < MAX_ABOVE && above !== repository.dir; step++) {
    above = dirname(above);
    // Evals of an outer skill are about that one.
    if (isThere(join(above, SKILL_FILE))) continue;
    const folders = ['evals', ...foldersIn(join(above, 'evals')).map((name) => `evals/${name}`)];
    const inner = folders.includes('evals/skills')
      ? foldersIn(join(above, 'evals/skills')).map((name) => `evals/skills/${name}`)
      : [];
    for (const folder of [...folders, ...inner])
      for (const name of filesIn(join(above, folder)))
        if (FORMATS.test(name) && isEvalName(name) && !OTHER.test(name))
          found.push({ root: above, path: `${folder}/${name}` });
  }
  return found;
}

function foldersIn(dir: string): string[] {
  const entries = orUndefined(() => readdirSync(dir, { withFileTypes: true })) ?? [];
  return entries.filter((entry) => entry.isDirectory() && !isIgnoredName(entry.name)).map(({ name }) => name);
}

/** The cases of one file. Undefined for one that cannot be read, or that turns out to be something else. */
function casesIn(
  { root, path }: EvalFilePlace,
  wrong: (why: string) => void,
): readonly WrittenCase[] | undefined {
  const kind = kindOf(path);
  let value: unknown;
  try {
    const bytes = readInside(root, path, { maxBytes: MAX_BYTES });
    if (bytes === undefined) return undefined;
    value = parseFile(path, decodeText(bytes).text);
  } catch (error) {
    if (kind !== 'any') wrong((error as Error).message.replace(/\s+/g, ' '));
    return undefined;
  }
  const { cases, problems } = readCases(value, kind);
  if (kind === 'any' && cases.length === 0) return undefined;
  for (const problem of problems.slice(0, MAX_PROBLEMS)) wrong(problem);
  if (problems.length > MAX_PROBLEMS) wrong(`${problems.length - MAX_PROBLEMS} more cases cannot be read`);
  if (cases.length === 0 && problems.length === 0)
    wrong('no case was understood; `skc help evals` shows the formats');
  return cases;
}

/** The kind of evals that the name of a file promises. Elsewhere than in `evals/`, `triggers.json` may be anything. */
function kindOf(path: string): EvalKind {
  const name = basename(path).toLowerCase();
  if (path.endsWith(QUESTION_FILE)) return 'questions';
  if (/^evals?\.(?:jsonl?|ya?ml)$/.test(name)) return 'tasks';
  const isPromised = /(?:^|\/)evals?\//.test(path) || isEvalFile(path);
  return isPromised && isEvalName(name) ? 'queries' : 'any';
}

function parseFile(path: string, text: string): unknown {
  if (/\.csv$/i.test(path)) return readCsv(text);
  if (/\.(?:jsonl|ndjson)$/i.test(path))
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as unknown]));
  if (!/\.ya?ml$/i.test(path)) return JSON.parse(text);
  const read = parseYaml(text);
  if (!read.ok) throw new Error(`${read.reason}, line ${read.line + 1}`);
  return read.value;
}

/** Rows of a table with a header, by its columns; quoted fields may contain commas, quotes and line ends. */
function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  const field = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|\r|$)/gy;
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    const [all, value = '', end] = match;
    rows.at(-1)!.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (all === '' || field.lastIndex >= text.length) break;
    if (end !== ',') rows.push([]);
  }
  const [header = [], ...lines] = rows.filter((row) => row.some((value) => value !== ''));
  return lines.map((row) => Object.fromEntries(header.map((name, at) => [name.trim(), row[at] ?? ''])));
}

type ChosenCase = { readonly position: number } & (
  | { readonly kind: 'query'; readonly query: TriggerQuery }
  | Extract<WrittenCase, { kind: 'question' | 'task' }>
);

interface ChoiceContext extends EvalSubject {
  /** The file is in the skill. */
  readonly isOwn: boolean;
  readonly path: string;
  wrong(why: string): void;
}

/** `plugin:pdf` and `/pdf` are the skill pdf. */
const plainName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/^.*[:/]/, '');

/** Those cases of a file that are about the skill. Undefined if the file does not say which skill it is about. */
function casesAbout(cases: readonly WrittenCase[], context: ChoiceContext): ChosenCase[] | undefined {
  const { isOwn, path, repository, known } = context;
  const names = new Set(context.names.map(plainName));
  const isMe = (name: string) => names.has(plainName(name));
  const isKnown = (name: string) => isMe(name) || known === undefined || known.has(plainName(name));
  const written = cases.filter((one) => one.kind === 'query');
  // A table per skill, or one skill for the whole file.
  const ownerOf = ({ owner }: WrittenQuery) => (owner !== undefined && isKnown(owner) ? owner : undefined);
  const folder =
    path.split('/').find(isMe) ??
    path
      .split('/')
      .slice(0, -1)
      .find((part) => known?.has(plainName(part)));
  const beginning = isOwn ? undefined : beginningOfName(basename(path), known);
  const isLibrary = written.some((one) => one.expected?.length || (one.skill !== undefined && !isOwn));
  const about = isOwn
    ? [...names][0]
    : (folder ?? beginning ?? (repository?.isOnly && !isLibrary ? [...names][0] : undefined));
  const mentioned = new Set(
    written.flatMap((one) =>
      [...(one.expected ?? []), one.skill ?? [], one.owner ?? []].flat().map(plainName),
    ),
  );
  if (about === undefined && mentioned.size === 0) return undefined;
  const unknown = new Map<string, number>();
  const chosen = cases.flatMap((one): ChosenCase[] => {
    if (one.kind !== 'query') return about !== undefined && isMe(about) ? [one] : [];
    const { position, query, wanted, proposed, isHeldOut } = one;
    for (const name of [...(one.expected ?? []), one.skill ?? []].flat())
      if (!isKnown(name) && !unknown.has(name)) unknown.set(name, position);
    const make = (should: boolean, instead?: string): ChosenCase[] => [
      {
        kind: 'query',
        position,
        query: {
          query,
          should_trigger: should,
          ...(should || instead === undefined || isMe(instead) ? {} : { skill: plainName(instead) }),
          ...(proposed ? { proposed } : {}),
          ...(isHeldOut ? { isHeldOut } : {}),
        },
      },
    ];
    const expected =
      one.expected ?? (wanted === undefined && one.skill !== undefined ? [one.skill] : undefined);
    const [instead] = expected ?? [];
    const owner =
      ownerOf(one) ?? about ?? (wanted !== undefined && !expected?.length ? one.skill : undefined);
    if (owner !== undefined) {
      if (!isMe(owner)) return [];
      if (wanted === false) return make(false, instead ?? one.skill);
      if (expected === undefined) return make(wanted === true);
      return make(expected.some(isMe), instead);
    }
    if (expected?.some(isMe)) return make(wanted !== false);
    if (one.forbidden.some(isMe)) return make(false, instead);
    // Where no skill should be chosen, this one should not, if the file is about it at all.
    const isNobody = expected?.length === 0 || (wanted === false && expected === undefined);
    return isNobody && [...names].some((name) => mentioned.has(name)) ? make(false) : [];
  });
  if (isOwn || chosen.length > 0)
    for (const [name, position] of [...unknown].slice(0, MAX_PROBLEMS))
      context.wrong(`case ${position} names the skill '${name}', which does not exist here`);
  return chosen;
}

/** The skill that a file name such as `pdf-triggering.eval.json` begins with. */
function beginningOfName(name: string, known: ReadonlySet<string> | undefined): string | undefined {
  const [word] = /^(.+?)[-_.](?:trigger|eval|quer|rout)/i.exec(name)?.slice(1) ?? [];
  return word !== undefined && known?.has(plainName(word)) ? word : undefined;
}
