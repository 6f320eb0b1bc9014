// Completions: skills, their files and sections in URIs, and choices named in the hint of a prompt's argument. Offers
// only what a model may read.

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { commandTable, type FrontContext, openContext } from '../commands/index.ts';
import { argumentsOf, findPrompt } from './prompts.ts';
import type { ServedSkill } from './server-state.ts';
import type { SkillReader } from './skill-reader.ts';
import { fileUri, isStandard, manifestUri } from './skill-source.ts';

/** The argument being typed. */
export interface CompletionRequest {
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
}

/** Completions: the first hundred, and the total. */
export interface Completion {
  readonly values: string[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** Sources of completions. */
interface CompletionOptions {
  readonly skills: readonly ServedSkill[];
  readonly reader: SkillReader;
  readonly front: FrontContext;
}

/** The only template of the skills extension. */
const TEMPLATE = 'skill://{+path}';
const SCHEME = 'skill://';

/** Maximum set by the protocol. */
const MAX_VALUES = 100;

/** Completes an argument of a prompt or a resource path. Invalid params when there is no such prompt or template. */
export async function completeReference(
  { ref, argument }: CompletionRequest,
  options: CompletionOptions,
): Promise<Completion> {
  const found =
    ref.type === 'ref/prompt'
      ? completeArgument(ref.name, argument, options)
      : await completePath(ref.uri, argument, options);
  return { values: found.slice(0, MAX_VALUES), total: found.length, hasMore: found.length > MAX_VALUES };
}

function completeArgument(
  name: string,
  argument: CompletionRequest['argument'],
  { skills }: CompletionOptions,
): string[] {
  const skill = findPrompt(skills, name);
  const names = argumentsOf(skill);
  if (!names.includes(argument.name))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Prompt ${name} has no argument ${argument.name}`,
    );
  const slots = readHint(skill.frontmatter['argument-hint']);
  if (names.length > 1 || argument.name !== 'arguments')
    return startingWith(slots[names.indexOf(argument.name)] ?? [], argument.value);
  // The whole line is one argument; complete its last word.
  const words = argument.value.split(/\s+/);
  const last = words.at(-1)!;
  const before = argument.value.slice(0, argument.value.length - last.length);
  return startingWith(slots[words.length - 1] ?? [], last).map((word) => before + word);
}

/** Choices for each position of a hint: `[patch|minor] <file>` has two for the first and none for the second. */
function readHint(hint: unknown): string[][] {
  if (typeof hint !== 'string') return [];
  return (hint.match(/\[[^\]]*\]|<[^>]*>|\S+/g) ?? []).map((slot) => {
    const words = slot.replace(/^[[<]|[\]>]$/g, '').split('|');
    return words.length < 2 ? [] : words.map((word) => word.trim()).filter((word) => word !== '');
  });
}

async function completePath(
  uri: string,
  { name, value }: CompletionRequest['argument'],
  options: CompletionOptions,
): Promise<string[]> {
  if (uri !== TEMPLATE || name !== 'path')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Resource template ${uri} has no ${name}`);
  const skills = options.skills.filter(isStandard);
  const typed = `${SCHEME}${value}`;
  const inside = skills.find(({ root }) => typed.startsWith(`${root}/`));
  if (inside === undefined)
    return skills
      .filter((skill) => manifestUri(skill).startsWith(typed) || skill.name.startsWith(value))
      .map((skill) => manifestUri(skill).slice(SCHEME.length));
  const [file = '', anchor] = value.split('#', 2);
  const files = await namedFiles(inside, options);
  const found =
    anchor === undefined
      ? files.map((path) => fileUri(inside.root, path).slice(SCHEME.length))
      : (await anchorsIn(inside, { file, files, options })).map(
          (one) => `${file}#${encodeURIComponent(one)}`,
        );
  return startingWith(found, value);
}

/** Files of a skill that a model may read. */
async function namedFiles({ dir }: ServedSkill, { reader, front }: CompletionOptions): Promise<string[]> {
  const files = (reader.files(dir) ?? []).map(({ path }) => path);
  return orNothing(async () => {
    const { access } = await openContext(front);
    const opened = await access.openAt(dir, { operation: 'read' });
    const { allowsFile } = await opened.reach(files);
    return files.filter(allowsFile);
  });
}

/** Anchors of the sections of a file. */
async function anchorsIn(
  { dir, root }: ServedSkill,
  { file, files, options }: { file: string; files: readonly string[]; options: CompletionOptions },
): Promise<string[]> {
  const path = files.find((candidate) => fileUri(root, candidate) === `${SCHEME}${file}`);
  if (path === undefined) return [];
  return orNothing(async () => {
    const command = await commandTable.outline.load();
    const front = { ...options.front, isBudgeted: false, report: () => {}, note: () => {} };
    const { access } = await openContext(front);
    const skill = await access.openAt(dir, { operation: 'read' });
    const context = Object.assign(await openContext(front), { skill });
    const { headings } = await command.run(
      command.input.parse({ ...command.usersOwn, skill: dir, file: path }),
      context,
    );
    return headings.map(({ anchor }) => anchor);
  });
}

/** Unreadable files have no completions. */
async function orNothing(work: () => Promise<string[]>): Promise<string[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SkillwrightError) return [];
    throw error;
  }
}

const startingWith = (values: readonly string[], typed: string) =>
  values.filter((value) => value.startsWith(typed));
