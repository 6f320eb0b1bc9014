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
import { type EvalKind, isSide, readCases, type WrittenCase } from './read-cases.ts';

/** Where `skc test --write` adds requests and questions. */
export const QUERY_FILE = 'evals/eval_queries.json';
export const QUESTION_FILE = 'evals/questions.json';

/** Larger files are not read. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Each case is a search; more than this would take minutes. */
const MAX_CASES = 1000;
/** Problems shown for one file. */
const MAX_PROBLEMS = 5;
const NOT_UNDERSTOOD = 'no case was understood; `skc help evals` shows the formats';
const UNCLAIMED = 'it does not say which skill it is about; add `"skill": "<name>"`';
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
  /** Problems of files around the skill, which other skills have too. */
  readonly around: readonly { readonly path: string; readonly why: string }[];
};

/** The cases of a skill. A case that cannot be read is reported (W260) and left out; the others count. */
export function readEvals(subject: EvalSubject): FoundEvals {
  const diagnostics: Diagnostic[] = [];
  const queries: Located<TriggerQuery>[] = [];
  const questions: Located<SectionQuestion>[] = [];
  const tasks: Located<EvalTask>[] = [];
  const around: { path: string; why: string }[] = [];
  /** Files beside evals may be anything; without evals, they are taken for some. */
  const strange: string[] = [];
  const names = new Set(subject.names.map(plainName));
  const isMe = (name: string) => names.has(plainName(name));
  const isKnown = (name: string) => isMe(name) || (subject.known?.has(plainName(name)) ?? false);
  const own = findEvalFiles(subject.dir);
  for (const place of [
    ...own.map((path) => ({ root: subject.dir, path })),
    ...filesAround(subject, isKnown),
  ]) {
    const path = join(place.root, place.path);
    const source = relative(subject.dir, path).split(sep).join('/');
    const isOwn = place.root === subject.dir;
    const wrong = (why: string) =>
      isOwn ? diagnostics.push(diagnose('W260', { file: source, why })) : around.push({ path, why });
    const read = casesIn(place, { wrong, isSkill: isKnown });
    if (read === undefined && isOwn && place.path.startsWith('evals/')) strange.push(source);
    if (read === undefined || read.length === 0) continue;
    const chosen = casesAbout(read, { ...subject, isOwn, path: place.path, wrong, isMe });
    if (chosen.length > MAX_CASES) wrong(`only the first ${MAX_CASES} of ${chosen.length} cases are run`);
    for (const { position, ...one } of chosen.slice(0, MAX_CASES)) {
      const at = { source, position };
      if (one.kind === 'query') queries.push({ ...one.query, ...at });
      else if (one.kind === 'question') questions.push({ ...one.question, ...at });
      else tasks.push({ ...one.task, ...at });
    }
  }
  if (queries.length + questions.length + tasks.length + diagnostics.length === 0)
    for (const file of strange) diagnostics.push(diagnose('W260', { file, why: NOT_UNDERSTOOD }));
  return { queries, questions, tasks, files: own, diagnostics, around };
}

const FORMATS = /\.(?:jsonl?|ndjson|ya?ml|csv|tsv)$/i;
/** Evals in other formats are named, not read. */
const OTHER_FORMATS = /(?:eval|trigger|quer|routing)[^/]*\.(?:jsonc|json5|toml|txt|md|xml|tsx?|m?js|py)$/i;
/** Files that tests write or use, under names that look like theirs. */
const OTHER =
  /result|report|output|baseline|benchmark|grading|history|schema|config|package|fixture|summary/i;

/** Directories of files that tasks work on. */
const MATERIAL = /^(?:files|data|assets|inputs?|workspaces?|samples?|snapshots?|skills)$/i;

/** Paths of the files with evals in a skill, relative to it, whether or not they can be read. */
function findEvalFiles(dir: string): string[] {
  const at = (root: string) => filesIn(join(dir, root)).map((name) => `${root}${name}`);
  return [
    ...at('').filter((path) => isEvalName(path)),
    ...at('evals/'),
    ...foldersIn(join(dir, 'evals'))
      .filter((name) => !MATERIAL.test(name) && !OTHER.test(name))
      .flatMap((name) => at(`evals/${name}/`)),
    ...['eval/', 'tests/', 'test/'].flatMap(at).filter((path) => isEvalName(basename(path))),
  ].filter(
    (path) =>
      (FORMATS.test(path) || (path.startsWith('evals/') && OTHER_FORMATS.test(basename(path)))) &&
      (!OTHER.test(basename(path)) || path.includes('eval_queries')),
  );
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

/** Directories of evals around a skill; the files of the first two can be anything, so only telling names count. */
const AROUND = ['.', 'tests', 'evals', 'eval', 'tests/evals'];

/** Files with evals in directories around a skill, up to its repository. */
function filesAround({ dir, repository }: EvalSubject, isSkill: (name: string) => boolean): EvalFilePlace[] {
  if (repository === undefined || !isInside(repository.dir, dir)) return [];
  const found: EvalFilePlace[] = [];
  let above = dir;
  for (let step = 0; step < MAX_ABOVE && above !== repository.dir; step++) {
    above = dirname(above);
    // Evals of an outer skill are about that one.
    if (isThere(join(above, SKILL_FILE))) continue;
    const inside = (folder: string) => foldersIn(join(above, folder)).map((name) => `${folder}/${name}`);
    for (const folder of [...AROUND, ...inside('evals'), ...inside('evals/skills')])
      for (const name of filesIn(join(above, folder))) {
        const isEvals = /eval/.test(folder)
          ? isEvalName(name) || isSkill(name.replace(/\..*$/, ''))
          : isEvalFile(name) || /^evals\.(?:jsonl?|ya?ml)$/i.test(name);
        if (isEvals && FORMATS.test(name) && !OTHER.test(name))
          found.push({ root: above, path: folder === '.' ? name : `${folder}/${name}` });
      }
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
  { wrong, isSkill }: { wrong(why: string): void; isSkill(name: string): boolean },
): readonly WrittenCase[] | undefined {
  if (!FORMATS.test(path)) return undefined;
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
  // A list in `should_trigger.json` says no more.
  const stem = basename(path).replace(/\..*$/, '');
  const { cases, problems } = readCases(isSide(stem) ? { [stem]: value } : value, kind, isSkill);
  if (kind === 'any' && cases.length === 0) return undefined;
  for (const problem of problems.slice(0, MAX_PROBLEMS)) wrong(problem);
  if (problems.length > MAX_PROBLEMS) wrong(`${problems.length - MAX_PROBLEMS} more cases cannot be read`);
  if (cases.length === 0 && problems.length === 0) wrong(NOT_UNDERSTOOD);
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

function parseFile(path: string, written: string): unknown {
  const text = written.replace(/^\uFEFF/, '');
  if (/\.[ct]sv$/i.test(path)) return rowsOfTable(text);
  if (/\.(?:jsonl|ndjson)$/i.test(path))
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as unknown]));
  if (!/\.ya?ml$/i.test(path)) return JSON.parse(text);
  const read = parseYaml(text, { all: true });
  if (!read.ok) throw new Error(`${read.reason}, line ${read.line + 1}`);
  const documents = read.value as unknown[];
  return documents.length > 1 ? documents.flat().filter((one) => one !== null) : documents[0];
}

/** Rows of a table with a header, by its columns; quoted fields may contain separators, quotes and line ends. */
function rowsOfTable(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  const separator = /^[^,;\t\r\n]*([,;\t])/.exec(text)?.[1] ?? ',';
  const field = new RegExp(`("(?:[^"]|"")*"|[^${separator}\\r\\n]*)(${separator}|\\r?\\n|\\r|$)`, 'gy');
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    const [all, value = '', end] = match;
    rows.at(-1)!.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (all === '' || field.lastIndex >= text.length) break;
    if (end !== separator) rows.push([]);
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
  isMe(name: string): boolean;
  wrong(why: string): void;
}

/** `plugin:pdf` and `/pdf` are the skill pdf. */
const plainName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/^.*[:/]/, '');

/** Those cases of a file that are about the skill. */
function casesAbout(cases: readonly WrittenCase[], context: ChoiceContext): ChosenCase[] {
  const { isOwn, path, repository, known, names, isMe } = context;
  const isKnown = (name: string) => isMe(name) || known === undefined || known.has(plainName(name));
  const written = cases.filter((one) => one.kind === 'query');
  // A table per skill, or one skill for the whole file.
  const ownerOf = ({ owner }: WrittenCase) => (owner !== undefined && isKnown(owner) ? owner : undefined);
  const folders = path.split('/').slice(0, -1);
  const folder = folders.find(isMe) ?? folders.find((part) => known?.has(plainName(part)));
  const beginning = isOwn ? undefined : beginningOfName(basename(path), isKnown);
  const isLibrary = written.some((one) => one.expected?.length || (one.skill !== undefined && !isOwn));
  const about = isOwn
    ? names[0]
    : (folder ?? beginning ?? (repository?.isOnly && !isLibrary ? names[0] : undefined));
  const mentioned = new Set(
    cases.flatMap((one) =>
      [one.owner ?? [], ...(one.kind === 'query' ? [...(one.expected ?? []), one.skill ?? []] : [])]
        .flat()
        .map(plainName),
    ),
  );
  if (about === undefined && mentioned.size === 0) {
    context.wrong(UNCLAIMED);
    return [];
  }
  const unknown = new Map<string, number>();
  const chosen = cases.flatMap((one): ChosenCase[] => {
    if (one.kind !== 'query') return isMe(ownerOf(one) ?? about ?? '') ? [one] : [];
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
    return isNobody && [...mentioned].some(isMe) ? make(false) : [];
  });
  if (isOwn || chosen.length > 0)
    for (const [name, position] of [...unknown].slice(0, MAX_PROBLEMS))
      context.wrong(`case ${position} names the skill '${name}', which does not exist here`);
  if (isOwn && chosen.length === 0) context.wrong(`its cases are about ${[...mentioned].join(', ')}`);
  const isClaimed =
    about !== undefined || [...mentioned].some((name) => known === undefined || isKnown(name));
  if (!isClaimed) context.wrong(`it is about ${[...mentioned].join(', ')}, which does not exist here`);
  return chosen;
}

/** The skill that a file name such as `pdf-triggering.eval.json` begins with. */
function beginningOfName(name: string, isKnown: (name: string) => boolean): string | undefined {
  return [/^(.+?)[-_.](?:trigger|eval|quer|rout)/i, /^([^.]+)\./]
    .map((pattern) => pattern.exec(name)?.[1])
    .find((word) => word !== undefined && isKnown(word));
}
