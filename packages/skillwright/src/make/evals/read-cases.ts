// Reads cases in every shape that people write them: lists of objects under many names, texts below `should_trigger` and
// `should_not_trigger`, one table per skill.

import type * as z from 'zod';
import { isMapping } from '../../skill/format/index.ts';
import { type EvalTask, SectionQuestion, TaskCheck } from './eval-case.ts';

/** A request as its file has it. Which skill it is about may depend on where the file is. */
export interface WrittenQuery {
  readonly kind: 'query';
  readonly query: string;
  /** Whether the skill should trigger, if the case says so itself. */
  readonly wanted: boolean | undefined;
  /** The skills any of which may be chosen; empty for none. Undefined if the case names none. */
  readonly expected: readonly string[] | undefined;
  readonly forbidden: readonly string[];
  /** The skill that the case is about, or that a table or the file is about. */
  readonly skill: string | undefined;
  readonly owner: string | undefined;
  readonly proposed: boolean;
  readonly isHeldOut: boolean;
}

/** A case and its place in the file, counted from 1. */
export type WrittenCase = (
  | WrittenQuery
  | { readonly kind: 'question'; readonly question: SectionQuestion }
  | { readonly kind: 'task'; readonly task: EvalTask }
) & { readonly position: number };

/** The kind of evals that the name of a file promises. */
export type EvalKind = 'queries' | 'questions' | 'tasks' | 'any';

/** Longer requests are not requests. */
const MAX_TEXT = 4000;
const MAX_DEPTH = 4;

interface Context {
  /** Said by the key above: below `should_not_trigger` nothing should trigger. */
  readonly wanted: boolean | undefined;
  readonly owner: string | undefined;
  /** The list is one of cases: an entry that is none is a problem. */
  readonly isCases: boolean;
  readonly depth: number;
}

/** The cases in a value, and what is wrong with the others. */
export function readCases(
  value: unknown,
  kind: EvalKind,
): { readonly cases: readonly WrittenCase[]; readonly problems: readonly string[] } {
  const cases: WrittenCase[] = [];
  const problems: string[] = [];
  let position = 0;
  const takeEntry = (entry: unknown, context: Context): void => {
    const isText = typeof entry === 'string';
    if (isText && context.wanted === undefined && !context.isCases) return;
    position += 1;
    const read = isText
      ? readListed(entry, context)
      : isMapping(entry)
        ? readCase(entry, { ...context, kind, position })
        : 'not a case';
    if (typeof read !== 'string') cases.push(...read.map((one) => ({ ...one, position })));
    else if (context.isCases) problems.push(`case ${position}: ${read}`);
    else position -= 1;
  };
  const readNode = (node: unknown, context: Context): void => {
    if (Array.isArray(node)) for (const entry of node) takeEntry(entry, context);
    else if (isMapping(node) && context.depth < MAX_DEPTH) {
      const isCase =
        requestIn(node) !== undefined && (context.depth > 0 || readVerdict(node, undefined) !== undefined);
      if (isCase) takeEntry(node, context);
      else readTable(node, context);
    }
  };
  const readTable = (node: Readonly<Record<string, unknown>>, context: Context): void => {
    const owner = firstText(node, ['skill', 'skill_name', 'skillname', 'target_skill']) ?? context.owner;
    for (const [key, child] of Object.entries(node)) {
      if (typeof child !== 'object' || child === null) continue;
      const wanted = sideOf(key);
      const isNamed = wanted === undefined && isMapping(child) && Object.keys(child).some(isSide);
      readNode(child, {
        wanted: wanted ?? context.wanted,
        owner: isNamed && !LIST.test(foldKey(key)) ? key : owner,
        isCases: wanted !== undefined || LIST.test(foldKey(key)),
        depth: context.depth + 1,
      });
    }
  };
  if (kind === 'questions' && !Array.isArray(value)) return { cases, problems: ['expected a list of cases'] };
  readNode(value, { wanted: undefined, owner: undefined, isCases: kind !== 'any', depth: 0 });
  return { cases, problems };
}

const foldKey = (key: string) => key.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Keys of lists of cases. */
const LIST =
  /^(?:(?:trigger|eval|test|routing|activation)?(?:evals?|quer(?:y|ies)|cases?|tests?|prompts?|examples?|items|scenarios?|entries|data|samples?|requests?|questions?|tasks?|triggers?)|triggering|routing|activation)$/;

const NEGATIVE =
  /^(?:(?:should|must|do|does)?(?:not?|never|dont)(?:trigger|fire|activate|match|use|load|route|invoke)\w*|(?:should|must)(?:not|nt)\w*|(?:hard|near)?negatives?\w*|nearmiss(?:es)?|outofscope|non?trigger\w*|no|false)$/;
const POSITIVE =
  /^(?:(?:should|must|will|do|does)(?:trigger|fire|activate|match|use|load|route|invoke)\w*|should|positives?\w*|inscope|yes|true)$/;

/** Whether the entries below a key should trigger; undefined if it does not say. */
function sideOf(key: string): boolean | undefined {
  const folded = foldKey(key);
  return NEGATIVE.test(folded) ? false : POSITIVE.test(folded) ? true : undefined;
}

const isSide = (key: string) => sideOf(key) !== undefined;

function readListed(text: string, { wanted, owner }: Context): Unplaced[] | string {
  if (wanted === undefined) return 'not a case';
  return readQuery(text, { wanted, expected: undefined, forbidden: [], skill: undefined, owner });
}

type Unplaced<Case = WrittenCase> = Case extends WrittenCase ? Omit<Case, 'position'> : never;

function readQuery(
  query: string,
  facts: Omit<WrittenQuery, 'kind' | 'query' | 'proposed' | 'isHeldOut'>,
  marks: Pick<WrittenQuery, 'proposed' | 'isHeldOut'> = { proposed: false, isHeldOut: false },
): Unplaced[] | string {
  const text = query.trim();
  if (text === '') return 'the request is empty';
  if (text.length > MAX_TEXT) return `the request is longer than ${MAX_TEXT} characters`;
  return [{ kind: 'query', query: text, ...facts, ...marks }];
}

const TEXT_KEYS = [
  'query',
  'prompt',
  'request',
  'q',
  'input',
  'user_prompt',
  'user_query',
  'user_request',
  'user_input',
  'user_message',
  'utterance',
  'message',
  'user',
  'text',
  'question',
  'task',
];
const VERDICT_KEYS = [
  'should_trigger',
  'should_fire',
  'should_activate',
  'should_match',
  'should_load',
  'should_use',
  'should_invoke',
  'should',
  'expected_trigger',
  'expect_trigger',
  'expected_to_trigger',
  'triggers',
  'trigger',
  'activate',
  'expected_result',
  'label',
];
const EXPECTED_KEYS = [
  'expected_skill',
  'expect_skill',
  'expected_skills',
  'must_pick',
  'correct_skill',
  'expected',
  'expect',
];

type Fields = Readonly<Record<string, unknown>>;

function readCase(
  entry: Fields,
  { kind, wanted: side, owner, position }: Context & { readonly kind: EvalKind; readonly position: number },
): Unplaced[] | string {
  if (kind === 'questions' || (kind === 'any' && 'question' in entry && 'section' in entry)) {
    const parsed = SectionQuestion.safeParse(entry);
    return parsed.success ? [{ kind: 'question', question: parsed.data }] : describeIssue(parsed.error);
  }
  const text = requestIn(entry);
  if (text === undefined) return 'it has no request (`query` or `prompt`)';
  const verdict = readVerdict(entry, side);
  if (typeof verdict === 'string') return verdict;
  const isTask = TASK_KEYS.some((key) => fieldNamed(entry, key) !== undefined);
  const isQuery = verdict !== undefined && kind !== 'tasks';
  const found: Unplaced[] = [];
  if (isQuery || verdict?.isExplicit === true) {
    const skill = firstText(entry, ['skill', 'skill_name', 'target_skill']);
    const { wanted, expected } = verdict;
    const forbidden =
      namesIn(fieldNamed(entry, 'forbidden_skills') ?? fieldNamed(entry, 'distractors')) ?? [];
    const read = readQuery(
      text,
      { wanted, expected, forbidden, skill, owner },
      {
        proposed: entry.proposed === true,
        isHeldOut: /^(?:hold-?_?out|held-?_?out|test|valid(?:ation)?|dev|eval)$/i.test(String(entry.split)),
      },
    );
    if (typeof read === 'string') return read;
    found.push(...read);
  }
  // Of a request that should not trigger, the rest says what to do instead.
  const isMeant = verdict === undefined || (verdict.isExplicit && verdict.wanted !== false);
  if (kind === 'tasks' ? isMeant || found.length === 0 : isTask && isMeant) {
    const task = readTask(entry, text, position);
    if (typeof task === 'string') return task;
    found.push({ kind: 'task', task });
  }
  return found.length > 0 ? found : 'it does not say whether the skill should trigger (`should_trigger`)';
}

const requestIn = (entry: Fields) => firstText(entry, TEXT_KEYS);

/** The field under a name, however it is spelled: `should_trigger`, `shouldTrigger`, `Should Trigger`. */
function fieldNamed(entry: Fields, name: string): unknown {
  if (Object.hasOwn(entry, name)) return entry[name];
  const folded = foldKey(name);
  const key = Object.keys(entry).find((one) => foldKey(one) === folded);
  return key === undefined ? undefined : entry[key];
}

function firstText(entry: Fields, names: readonly string[]): string | undefined {
  return names
    .map((name) => fieldNamed(entry, name))
    .find((value): value is string => typeof value === 'string' && value.trim() !== '');
}

interface Verdict {
  readonly wanted: boolean | undefined;
  readonly expected: readonly string[] | undefined;
  /** The case has a verdict of its own that can be nothing else. */
  readonly isExplicit: boolean;
}

/** The verdict a case expects; undefined if it names none, a text if that cannot be understood. */
function readVerdict(entry: Fields, side: boolean | undefined): Verdict | string | undefined {
  let wanted: boolean | undefined;
  let expected: readonly string[] | undefined;
  for (const key of VERDICT_KEYS) {
    const value = fieldNamed(entry, key);
    if (value === undefined || wanted !== undefined) continue;
    wanted = asVerdict(value);
    if (wanted === undefined && key.startsWith('should'))
      return `\`${key}\` is neither true nor false: ${JSON.stringify(value)}`;
  }
  for (const key of EXPECTED_KEYS) {
    const value = fieldNamed(entry, key);
    if (value === undefined || expected !== undefined) continue;
    const said = typeof value === 'object' ? undefined : asVerdict(value);
    if (said !== undefined && wanted === undefined) wanted = said;
    else if (isNone(value)) expected = [];
    else if (key.includes('skill') || key === 'must_pick' || isName(value)) expected = namesIn(value);
  }
  wanted ??= side;
  if (wanted === undefined && expected === undefined) return undefined;
  return {
    wanted,
    expected,
    isExplicit: fieldNamed(entry, 'should_trigger') !== undefined || side !== undefined,
  };
}

function asVerdict(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  const said = typeof value === 'string' ? foldKey(value) : '';
  if (/^(?:true|yes|y|1|(?:should|must|will)?(?:trigger|fire|activate|match)(?:s|ed)?|positive)$/.test(said))
    return true;
  if (
    /^(?:false|no|n|0|(?:should|must|will|do)?(?:not?|non|dont|never)(?:trigger|fire|activate|match)(?:s|ed)?|negative)$/.test(
      said,
    )
  )
    return false;
  return undefined;
}

const isNone = (value: unknown) =>
  value === null ||
  (typeof value === 'string' && /^(?:none|null|no[ _-]?skill|-|n\/a)?$/i.test(value.trim()));

/** A word that can be the name of a skill; a sentence cannot. */
const isName = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isName)
    : typeof value === 'string' && /^[^\s]{1,120}$/.test(value.trim());

/** Names of skills; of alternatives such as `none|pdf`, all. */
function namesIn(value: unknown): string[] | undefined {
  const list = Array.isArray(value) ? value : [value];
  const texts = list.filter((one) => typeof one === 'string');
  return texts.length < list.length && !list.every((one) => isNone(one))
    ? undefined
    : texts.flatMap((text) => text.split('|')).filter((text) => !isNone(text));
}

const TASK_KEYS = [
  'expected_output',
  'assertions',
  'expectations',
  'expected_behavior',
  'expected_behaviors',
  'check',
  'rubric',
];

function readTask(entry: Fields, prompt: string, position: number): EvalTask | string {
  const { id, expected_output: output = entry.expected, files, check: given } = entry;
  const written = ['assertions', 'expectations', 'expected_behavior', 'expected_behaviors', 'rubric'].flatMap(
    (key) => fieldNamed(entry, key) ?? [],
  );
  const parts = written.map(readAssertion);
  const contained = parts.flatMap((part) => (typeof part === 'object' ? [part.contains] : []));
  // Assertions that a program can check need no model.
  const isChecked = contained.length > 0 && contained.length === parts.length;
  const check = given === undefined && isChecked ? { contains: contained } : given;
  const parsed = TaskCheck.optional().safeParse(check ?? undefined);
  if (!parsed.success) return `check: ${describeIssue(parsed.error)}`;
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : String(position),
    prompt,
    ...(output === undefined || output === null
      ? {}
      : { expected_output: typeof output === 'string' ? output : JSON.stringify(output) }),
    files: (Array.isArray(files) ? files : []).flatMap((file: unknown) =>
      typeof file === 'string'
        ? [file]
        : isMapping(file)
          ? (firstText(file, ['path', 'name', 'file']) ?? [])
          : [],
    ),
    assertions: isChecked
      ? []
      : parts.map((part) => (typeof part === 'object' ? `The answer contains '${part.contains}'` : part)),
    ...(parsed.data === undefined ? {} : { check: parsed.data }),
  };
}

/** An assertion as a sentence, or as text that the answer must contain. */
function readAssertion(given: unknown): string | { readonly contains: string } {
  if (typeof given === 'string') return given;
  if (!isMapping(given)) return JSON.stringify(given);
  const { type, value } = given;
  if (
    /^(?:contains|includes|output_contains)$/i.test(String(type)) &&
    typeof value === 'string' &&
    value !== ''
  )
    return { contains: value };
  const said = firstText(given, [
    'text',
    'assertion',
    'description',
    'criterion',
    'expectation',
    'statement',
    'check',
    'name',
  ]);
  if (said !== undefined) return said;
  const { id: _, ...rest } = given;
  return Object.entries(rest)
    .map(([key, one]) => `${key}: ${typeof one === 'string' ? one : JSON.stringify(one)}`)
    .join(', ');
}

function describeIssue({ issues }: z.ZodError): string {
  const [{ path, message } = { path: [], message: 'not a case' }] = issues;
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}
