// Reads cases in every shape that people write them: lists of objects under many names, texts below `should_trigger` and
// `should_not_trigger`, one table per skill.

import type * as z from 'zod';
import { isMapping } from '../../skill/format/index.ts';
import { type EvalTask, SectionQuestion, TaskCheck } from './eval-case.ts';

/** A request as its file has it. Which skill it is about may depend on where the file is. */
interface WrittenQuery {
  readonly kind: 'query';
  readonly query: string;
  /** Whether the skill should trigger, if the case says so itself. */
  readonly wanted: boolean | undefined;
  /** The skills any of which may be chosen; empty for none. Undefined if the case names none. */
  readonly expected: readonly string[] | undefined;
  readonly forbidden: readonly string[];
  /** The skill that the case is about. */
  readonly skill: string | undefined;
  readonly proposed: boolean;
  readonly isHeldOut: boolean;
}

/** A case and its place in the file, counted from 1. */
export type WrittenCase = (
  | WrittenQuery
  | { readonly kind: 'question'; readonly question: SectionQuestion }
  | { readonly kind: 'task'; readonly task: EvalTask }
) & {
  readonly position: number;
  /** The skill that the file or a table in it is about; for a task, also the one that it names itself. */
  readonly owner: string | undefined;
};

/** The kind of evals that the name of a file promises. */
export type EvalKind = 'queries' | 'questions' | 'tasks' | 'any';

/** Longer requests are not requests. */
const MAX_TEXT = 4000;
const MAX_DEPTH = 5;

interface Context {
  /** Said by the key above: below `should_not_trigger` nothing should trigger. */
  readonly wanted: boolean | undefined;
  readonly owner: string | undefined;
  /** The list is one of cases: an entry that is not a case is a problem. */
  readonly isCases: boolean;
  readonly depth: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** The cases in a value, and what is wrong with the others. */
export function readCases(
  value: unknown,
  kind: EvalKind,
  isSkill: (name: string) => boolean = () => false,
): { readonly cases: readonly WrittenCase[]; readonly problems: readonly string[] } {
  const cases: WrittenCase[] = [];
  const problems: string[] = [];
  let position = 0;
  const takeEntry = (entry: unknown, context: Context): void => {
    const { wanted, owner, isCases } = context;
    if (typeof entry === 'string' && wanted === undefined && !isCases) return;
    position += 1;
    const fields = typeof entry === 'string' ? { query: entry } : fieldsOf(entry);
    const read =
      fields === undefined || (typeof entry === 'string' && wanted === undefined)
        ? 'not a case'
        : readCase(fields, { ...context, kind, position });
    if (typeof read !== 'string') cases.push(...read.map((one) => ({ owner, ...one, position })));
    else if (isCases) problems.push(`case ${position}: ${read}`);
    else position -= 1;
  };
  const readNode = (node: unknown, context: Context): void => {
    if (Array.isArray(node))
      for (const entry of node)
        if (isMapping(entry) && isGroup(entry)) readTable(entry, { ...context, depth: context.depth + 1 });
        else takeEntry(entry, context);
    else if (isMapping(node) && context.depth < MAX_DEPTH) {
      const fields = fieldsOf(node)!;
      const isCase =
        requestIn(fields) !== undefined &&
        (context.depth > 0 || readVerdict(fields, undefined) !== undefined || isTask(fields));
      if (isCase && !isGroup(node)) takeEntry(node, context);
      else readTable(node, context);
    }
  };
  /** An entry that has cases, instead of being one: the table of a skill, or a part of a list. */
  const isGroup = (node: Fields) =>
    (requestIn(node) === undefined || readVerdict(node, undefined) === undefined) &&
    Object.entries(node).some(
      ([key, child]) =>
        (isMapping(child) && (isSide(key) || isList(key))) ||
        (Array.isArray(child) && (isSide(key) || (isList(key) && child.some((one) => !isName(one))))),
    );
  const readTable = (node: Fields, context: Context): void => {
    const about = isMapping(node.metadata) ? skillIn(node.metadata) : undefined;
    const named = typeof node.name === 'string' && isSkill(node.name) ? node.name : undefined;
    const owner = skillIn(node) ?? about ?? named ?? context.owner;
    // Of requests that share one verdict.
    const verdict = readVerdict(node, context.wanted);
    const shared = typeof verdict === 'object' ? verdict.wanted : context.wanted;
    const hasOpposite = Object.keys(node).some((key) => sideOf(key) === false);
    for (const [key, child] of Object.entries(node)) {
      // A request as a key, and its verdict.
      if (/\s/.test(key) && (typeof child === 'boolean' || typeof child === 'string') && context.isCases)
        takeEntry([key, child], { ...context, owner, isCases: typeof child === 'boolean' });
      if (typeof child !== 'object' || child === null) continue;
      const wanted = sideOf(key) ?? (hasOpposite && ACTS.test(foldKey(key)) ? true : undefined);
      const isNamed = wanted === undefined && !isList(key);
      const isOwner =
        isNamed && (isSkill(key) || (isMapping(child) && Object.keys(child).some((one) => isSide(one))));
      const isTexts = isOwner && isSkill(key) && Array.isArray(child) && child.every(isString);
      readNode(child, {
        wanted: isTexts ? true : (wanted ?? shared),
        owner: isOwner ? key : owner,
        isCases: wanted !== undefined || isTexts || isList(key),
        depth: context.depth + 1,
      });
    }
  };
  if (kind === 'questions' && !Array.isArray(value)) return { cases, problems: ['expected a list of cases'] };
  readNode(value, { wanted: undefined, owner: undefined, isCases: kind !== 'any', depth: 0 });
  return { cases, problems };
}

const isString = (value: unknown) => typeof value === 'string';

/** A request and its verdict, or the skill for it. */
const isPair = (entry: unknown): entry is [string, boolean | string] =>
  Array.isArray(entry) &&
  entry.length === 2 &&
  isString(entry[0]) &&
  (asVerdict(entry[1]) !== undefined || (/\s/.test(entry[0]) && isName(entry[1]) && isString(entry[1])));

/** The fields of a case, with those of the objects that some tools put them in. */
function fieldsOf(entry: unknown): Fields | undefined {
  if (isPair(entry)) return { query: entry[0], expected: entry[1] };
  if (!isMapping(entry)) return undefined;
  const result = [entry.expected, entry.expect, entry.output].find(isMapping);
  return {
    ...[entry.vars, entry.input].find(isMapping),
    ...(result !== undefined && 'skill' in result ? { expected_skill: result.skill } : result),
    ...entry,
  };
}

const foldKey = (key: string) => key.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Keys of lists of cases. */
const LIST =
  /^(?:(?:trigger|eval|test|routing|activation|skill)?(?:evals?|quer(?:y|ies)|cases?|tests?|prompts?|examples?|items|scenarios?|entries|data|samples?|requests?|questions?|tasks?|triggers?|skills|groups?|suites?|sets?)|triggering|routing|activation|train(?:ing)?|validation|holdout|heldout|dev)$/;

const isList = (key: string) => LIST.test(foldKey(key));

const ACT = '(?:trigger|fire|activat|match|use|load|rout|invok|select)';
const DONE = `${ACT}(?:s|es|ed|d|e|ing|ion)?`;
const ACTS = new RegExp(`^${DONE}(?:when|for|on|quer(?:y|ies)|prompts?|examples|cases|requests)?$`);
const NEGATIVE = new RegExp(
  `^(?:(?:should|must|will|do|does|expected?)?(?:not?|non|never|dont|anti)(?:to)?(?:be)?${ACT}\\w*|(?:should|must)(?:not|nt)\\w*|(?:is|true)?(?:hard|near)?negatives?\\w*|nearmiss(?:es)?|outofscope|no|false)$`,
);
const POSITIVE = new RegExp(
  `^(?:(?:should|must|will|do|does)(?:be)?${ACT}\\w*|should|(?:is|true)?positives?\\w*|inscope|yes|true)$`,
);

/** Whether the entries below a key should trigger; undefined if it does not say. */
function sideOf(key: string): boolean | undefined {
  const folded = foldKey(key);
  return NEGATIVE.test(folded) ? false : POSITIVE.test(folded) ? true : undefined;
}

/** Whether a key, or the name of a file, says which side its requests are on. */
export const isSide = (key: string) => sideOf(key) !== undefined;

type Unplaced<Case = WrittenCase> = Case extends WrittenCase
  ? Omit<Case, 'position' | 'owner'> & { readonly owner?: string }
  : never;

/** The words of a text. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const TEXT_KEYS = words(`
  query prompt request q input user_prompt user_query user_request user_input user_message utterance message
  user text question task user_says sentence phrase
`);
const SKILL_KEYS = words('skill skill_name target_skill skill_id');

function readCase(
  entry: Fields,
  { kind, wanted: side, position }: Context & { readonly kind: EvalKind; readonly position: number },
): Unplaced[] | string {
  if (kind === 'questions' || (kind === 'any' && 'question' in entry && 'section' in entry)) {
    const parsed = SectionQuestion.safeParse(entry);
    return parsed.success ? [{ kind: 'question', question: parsed.data }] : describeIssue(parsed.error);
  }
  const query = requestIn(entry)?.trim();
  if (query === undefined) return 'it has no request (`query` or `prompt`)';
  if (query === '') return 'the request is empty';
  const verdict = readVerdict(entry, side);
  if (typeof verdict === 'string') return verdict;
  const skill = skillIn(entry);
  const given =
    verdict ?? (kind === 'queries' && skill !== undefined && !isTask(entry) ? NO_VERDICT : undefined);
  const found: Unplaced[] = [];
  if (given !== undefined && (kind !== 'tasks' || given.isExplicit)) {
    if (query.length > MAX_TEXT) return `the request is longer than ${MAX_TEXT} characters`;
    found.push({
      kind: 'query',
      query,
      wanted: given.wanted,
      expected: given.expected,
      forbidden: Object.entries(entry).flatMap(([key, value]) =>
        /^(?:forbiddenskills|distractors)$/.test(foldKey(key)) || (sideOf(key) === false && isNames(value))
          ? (namesIn(value) ?? [])
          : [],
      ),
      skill,
      proposed: entry.proposed === true,
      isHeldOut: /^(?:hold-?_?out|held-?_?out|test|valid(?:ation)?|dev|eval)$/i.test(String(entry.split)),
    });
  }
  // Of a request that should not trigger, the rest says what to do instead.
  const isMeant = given === undefined || (given.isExplicit && given.wanted !== false);
  if ((isTask(entry) && isMeant) || (kind === 'tasks' && found.length === 0)) {
    const task = readTask(entry, query, position);
    if (typeof task === 'string') return task;
    found.push({ kind: 'task', task, ...(skill === undefined ? {} : { owner: skill }) });
  }
  return found.length > 0 ? found : 'it does not say whether the skill should trigger (`should_trigger`)';
}

/** The text of a request, or the last one that a user says in a conversation. */
function requestIn(entry: Fields): string | undefined {
  const said = fieldNamed(entry, 'messages') ?? fieldNamed(entry, 'conversation') ?? entry.turns;
  const last = Array.isArray(said)
    ? said.findLast((one): one is Fields => isMapping(one) && /^(?:user|human)$/i.test(String(one.role)))
    : undefined;
  const texts = [...TEXT_KEYS.map((key) => fieldNamed(entry, key)), last?.content].filter(
    isString,
  ) as string[];
  return texts.find((text) => text.trim() !== '') ?? texts[0];
}

/** The skill that something is about. */
const skillIn = (entry: Fields): string | undefined =>
  firstText(entry, SKILL_KEYS) ?? (Array.isArray(entry.skills) ? entry.skills.find(isString) : undefined);

const isTask = (entry: Fields) => TASK_KEYS.some((key) => fieldNamed(entry, key) !== undefined);

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
    .find((value): value is string => isString(value) && (value as string).trim() !== '');
}

interface Verdict {
  readonly wanted: boolean | undefined;
  readonly expected: readonly string[] | undefined;
  /** The case has a verdict of its own that can be nothing else. */
  readonly isExplicit: boolean;
}

const NO_VERDICT: Verdict = { wanted: undefined, expected: undefined, isExplicit: false };

/** Keys that may have a verdict. */
const VERDICT = new RegExp(
  `^(?:(?:is|expect(?:ed|s)?)?(?:to)?(?:be)?${DONE}|expect(?:ed|ation)?|expected(?:result|action|behaviou?r)|label|type|kind|category|class|outcome|relevant)$`,
);
const DOES = new RegExp(`^${DONE}$`);
const SHOULD = new RegExp(`^should(?:not|nt)?(?:be)?(?:${DONE})?$`);
/** Keys that may name the skill to be chosen. */
const EXPECTED =
  /^(?:must|correct|expect(?:ed|s)?|wanted|gold|target|routeto)(?:skill|pick|intent|tool|route|choice)?(?:s|id|name)?$/;

/** The verdict a case expects; undefined if it names none, a text if that cannot be understood. */
function readVerdict(entry: Fields, side: boolean | undefined): Verdict | string | undefined {
  const fields = Object.entries(entry).map(([key, value]) => {
    const said = asVerdict(value);
    return { key, folded: foldKey(key), value, said, side: sideOf(key) };
  });
  const wrong = fields.find(
    ({ folded, value, said }) =>
      SHOULD.test(folded) && said === undefined && (value === null || typeof value !== 'object'),
  );
  if (wrong !== undefined)
    return `\`${wrong.key}\` is neither true nor false: ${JSON.stringify(wrong.value)}`;
  const own = fields.find((one) => one.side !== undefined && one.said !== undefined);
  const other = fields.find(({ folded, said }) => said !== undefined && VERDICT.test(folded));
  const wanted = own === undefined ? (other?.said ?? side) : own.said === own.side;
  const expected = fields
    .map((one) => ({ ...one, isSkills: one.side === true && isNames(one.value) }))
    .filter(({ folded, said, isSkills }) => isSkills || (said === undefined && EXPECTED.test(folded)))
    .map(({ folded, value, isSkills }) =>
      isNone(value)
        ? []
        : isSkills || /skill|pick/.test(folded) || isName(value)
          ? namesIn(value)
          : undefined,
    )
    .find((names) => names !== undefined);
  if (wanted === undefined && expected === undefined) return undefined;
  return { wanted, expected, isExplicit: own !== undefined || side !== undefined };
}

function asVerdict(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  const said = typeof value === 'string' ? foldKey(value) : '';
  if (/^(?:y|1|hit)$/.test(said) || POSITIVE.test(said) || DOES.test(said)) return true;
  return /^(?:n|0|miss|skip|ignore)$/.test(said) || NEGATIVE.test(said) ? false : undefined;
}

const isNone = (value: unknown) =>
  value === null ||
  (typeof value === 'string' && /^(?:none|null|no[ _-]?skill|-|n\/a)?$/i.test(value.trim()));

/** A word that can be the name of a skill; a sentence cannot. */
const isName = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isName)
    : typeof value === 'string' && /^[^\s]{1,120}$/.test(value.trim());

const isNames = (value: unknown) => Array.isArray(value) && isName(value);

/** Names of skills; of alternatives such as `none|pdf`, all. */
function namesIn(value: unknown): string[] | undefined {
  const list = Array.isArray(value) ? value : [value];
  const texts = list.filter((one) => typeof one === 'string');
  return texts.length < list.length && !list.every((one) => isNone(one))
    ? undefined
    : texts.flatMap((text) => text.split('|')).filter((text) => !isNone(text));
}

const ASSERTION_KEYS = words(
  'assertions expectations expected_behavior expected_behaviors expected_behaviour rubric success_criteria criteria',
);
const TASK_KEYS = ['expected_output', 'check', ...ASSERTION_KEYS];

function readTask(entry: Fields, prompt: string, position: number): EvalTask | string {
  const { id, expected_output: output = entry.expected, files, check: given } = entry;
  const written = ASSERTION_KEYS.flatMap((key) => fieldNamed(entry, key) ?? []);
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

const STATEMENT_KEYS = words('text assertion description criterion expectation statement check name');

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
  const said = firstText(given, STATEMENT_KEYS);
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
