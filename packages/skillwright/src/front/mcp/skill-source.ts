// The skills extension (SEP-2640): skills and their files as resources, exactly as on disk.

import { ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server';
import { DIRECTORY_MIME_TYPE, type Skill, type SkillSource } from '@modelcontextprotocol/server/ext/skills';
import type * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { compareBytes, decodeText, MAX_TEXT_BYTES, readInside, resolvePart } from '../../base/files/index.ts';
import type { IndexedFile } from '../../read/index/index.ts';
import { COMPATIBILITY_LIMIT, DESCRIPTION_LIMIT, fitsWithin, isSkillName } from '../../skill/format/index.ts';
import type { Reach } from '../../skill/judge/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { commandTable, type FrontContext, openContext, runCommand } from '../commands/index.ts';
import type { FileContents, Stamps } from './backend.ts';
import type { ServedSkill } from './server-state.ts';
import type { SkillReader } from './skill-reader.ts';

/** Entries per page of `skills/list` and of a directory. */
const PAGE_SIZE = 100;

type Page = { readonly cursor?: string };

/** The skills as resources; a URI with `#anchor` is one section of a file. */
export interface ServedSource {
  list(page: Page): ReturnType<SkillSource['list']>;
  get(uri: string): Promise<Skill | undefined>;
  read(uri: string): Promise<FileContents | undefined>;
  readDirectory(uri: string, page: Page): ReturnType<NonNullable<SkillSource['readDirectory']>>;
  listResources(): Promise<Resource[]>;
  stamp(uris: readonly string[]): Promise<Stamps>;
}

/** Dependencies of a source. */
export interface SourceOptions {
  /** Current skills. */
  readonly list: () => Promise<ServedSkill[]>;
  readonly reader: SkillReader;
  /** Context of the reader. */
  readonly front: () => Promise<FrontContext>;
  /** Called with a whole file that was read. */
  readonly served?: (dir: string, file: string, text: string) => Promise<void>;
}

/** Serves skills. */
export function createSkillSource(options: SourceOptions): ServedSource {
  const { list, reader, front } = options;
  /** How much of a skill the agent may read. */
  const reachOf = async (skill: ServedSkill, files: readonly IndexedFile[]): Promise<Reach> => {
    const { access } = await openContext(await front());
    const opened = await access.openAt(skill.dir, { operation: 'read' });
    return opened.reach(files.map(({ path }) => path));
  };
  /** Entry of a skill; undefined when it may not be read now. */
  const describe = async (skill: ServedSkill): Promise<Skill | undefined> => {
    const files = reader.files(skill.dir);
    if (files === undefined) return undefined;
    try {
      return skillEntry(skill, files, await reachOf(skill, files));
    } catch (error) {
      if (error instanceof SkillwrightError) return undefined;
      throw error;
    }
  };
  const served = async () =>
    (await list()).filter(isStandard).sort((a, b) => compareBytes(manifestUri(a), manifestUri(b)));
  /** The skill a URI points into, and the path within it; '' for the skill's own directory. */
  const locate = async (uri: string) => locateIn(await served(), uri);
  return {
    async list({ cursor }) {
      const page = paginate(await served(), { cursor, key: manifestUri });
      const entries = await Promise.all(page.items.map(describe));
      return { ...page, skills: entries.flatMap((entry) => entry ?? []) };
    },
    async get(uri) {
      const skill = (await served()).find((candidate) => manifestUri(candidate) === uri);
      return skill === undefined ? undefined : describe(skill);
    },
    async read(uri) {
      const [place = '', anchor = ''] = splitFragment(uri);
      const found = await locate(place);
      if (found === undefined || found.path === '') return undefined;
      const { skill, path } = found;
      const file = reader.files(skill.dir)?.find((candidate) => candidate.path === path);
      if (file === undefined) return undefined;
      if (anchor !== '') {
        const text = await orRefuse(async () =>
          readSection(skill.dir, { file: path, anchor }, await front()),
        );
        return { text, mimeType: 'text/markdown' };
      }
      const content = readFile(skill.dir, path);
      // Check after reading: an edit in between closes the gate again.
      const reach = await orRefuse(() => reachOf(skill, [file]));
      if (reach.allowsFile(path)) {
        if (content !== undefined && 'text' in content) await options.served?.(skill.dir, path, content.text);
        return content;
      }
      if (!reach.allowsName(path)) return undefined;
      return refuseSkill(reach.refusal(skill.label, path));
    },
    async readDirectory(uri, { cursor }) {
      const found = await locate(uri);
      const files = found === undefined ? undefined : reader.files(found.skill.dir);
      if (found === undefined || files === undefined) return undefined;
      const { allowsName } = await orRefuse(() => reachOf(found.skill, files));
      const named = files.filter(({ path }) => allowsName(path));
      const children = childrenOf(found.skill.root, found.path, named);
      if (children.length === 0) return undefined;
      const { items: resources, ...rest } = paginate(children, { cursor, key: (child) => child.uri });
      return { ...rest, resources };
    },
    async stamp(uris) {
      const skills = await served();
      const stamps: Record<string, string | null | undefined> = {};
      for (const uri of uris) {
        const found = locateIn(skills, splitFragment(uri)[0]!);
        if (found === undefined || found.path === '') continue;
        const { skill, path } = found;
        const file = reader.files(skill.dir)?.find((candidate) => candidate.path === path);
        const reach = await reachOf(skill, file === undefined ? [] : [file]).catch(ignoreRefusal);
        if (file === undefined) stamps[uri] = reach === undefined ? undefined : null;
        else stamps[uri] = reach?.allowsFile(path) ? file.sha256 : undefined;
      }
      return stamps;
    },
    listResources: async () =>
      (await served()).map((skill) => ({
        uri: manifestUri(skill),
        name: skill.name,
        description: skill.verbatim!.description as string,
        mimeType: 'text/markdown',
        size: skill.size,
      })),
  };
}

/** The full text of a section, found as `skc show` finds it. */
async function readSection(
  skill: string,
  { file, anchor }: { readonly file: string; readonly anchor: string },
  front: FrontContext,
): Promise<string> {
  const command = await commandTable.show.load();
  const input = { ...command.usersOwn, skill, file, section: [`#${anchor}`], fresh: true };
  const output = await runCommand('show', command, { input, context: { ...front, isBudgeted: false } });
  return (output as z.output<typeof command.output>).sections.map(({ content }) => content).join('\n');
}

function locateIn(
  skills: readonly ServedSkill[],
  uri: string,
): { skill: ServedSkill; path: string } | undefined {
  for (const skill of skills) {
    if (uri === skill.root) return { skill, path: '' };
    const path = uri.startsWith(`${skill.root}/`) ? decodePath(uri.slice(skill.root.length + 1)) : undefined;
    if (path !== undefined) return { skill, path };
  }
  return undefined;
}

/** A URI and its decoded fragment. */
function splitFragment(uri: string): [string, string] {
  const at = uri.indexOf('#');
  if (at < 0) return [uri, ''];
  try {
    return [uri.slice(0, at), decodeURIComponent(uri.slice(at + 1))];
  } catch {
    // A stray % is not an encoding.
    return [uri.slice(0, at), uri.slice(at + 1)];
  }
}

/** Files that may not be read have no state. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof SkillwrightError)) throw error;
}

export const manifestUri = ({ root }: ServedSkill) => `${root}/${SKILL_FILE}`;

/** Hosts reject entries that break the standard, so those skills are available through tools only. */
export function isStandard({ name, verbatim }: ServedSkill): boolean {
  if (verbatim === undefined || verbatim.name !== name || !isSkillName(name)) return false;
  const { description, compatibility = 'any', metadata = {} } = verbatim;
  return (
    isShortText(description, DESCRIPTION_LIMIT) &&
    isShortText(compatibility, COMPATIBILITY_LIMIT) &&
    typeof metadata === 'object' &&
    metadata !== null &&
    !Array.isArray(metadata) &&
    Object.values(metadata).every((value) => typeof value === 'string')
  );
}

const isShortText = (value: unknown, limit: number) =>
  typeof value === 'string' && value !== '' && fitsWithin(value, limit);

/** While a quiz locks the skill, its answers are removed from the frontmatter. */
function skillEntry(skill: ServedSkill, files: readonly IndexedFile[], reach: Reach): Skill {
  const { verbatim = {} } = skill;
  const { quiz: _, ...withoutQuiz } = verbatim;
  return {
    uri: manifestUri(skill),
    frontmatter: (reach.gate === undefined ? verbatim : withoutQuiz) as Skill['frontmatter'],
    resources: files
      .filter(({ path }) => reach.allowsName(path))
      .map(({ path, sha256, size }) => ({
        uri: fileUri(skill.root, path),
        digest: `sha256:${sha256}`,
        size,
      })),
  };
}

/** Does work whose refusal becomes a protocol error. */
export async function orRefuse<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SkillwrightError) refuseSkill(error);
    throw error;
  }
}

/** Throws a refusal as a protocol error. */
export function refuseSkill({ code, message, help }: SkillwrightError): never {
  const way = help === undefined ? '' : `; ${help}${code === 'E062' ? ', or use skc_quiz' : ''}`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${code}: ${message}${way}`);
}

export const fileUri = (root: string, path: string) =>
  `${root}/${path.split('/').map(encodeURIComponent).join('/')}`;

/** The path a URI refers to; undefined when its spelling could lead elsewhere. */
function decodePath(encoded: string): string | undefined {
  try {
    const segments = encoded.split('/').map(decodeURIComponent);
    const isPlain = (segment: string) => segment !== '' && segment !== '.' && segment !== '..';
    return segments.every((segment) => isPlain(segment) && !/[/\\\0]/.test(segment))
      ? segments.join('/')
      : undefined;
  } catch {
    // A stray % is not an encoding.
    return undefined;
  }
}

function readFile(dir: string, path: string): FileContents | undefined {
  if (resolvePart(dir, path) === undefined) return undefined;
  const bytes = readInside(dir, path, { maxBytes: MAX_TEXT_BYTES });
  if (bytes === undefined) return undefined;
  const { text, valid } = decodeText(bytes);
  const mimeType = mimeTypeOf(path);
  return valid ? { text, mimeType } : { blob: Buffer.from(bytes).toString('base64'), mimeType };
}

/** Direct entries of a directory; empty when there is no such directory. */
function childrenOf(root: string, directory: string, files: readonly IndexedFile[]): Resource[] {
  const prefix = directory === '' ? '' : `${directory}/`;
  const children = new Map<string, Resource>();
  for (const { path, size } of files) {
    if (!path.startsWith(prefix)) continue;
    const [name, ...below] = path.slice(prefix.length).split('/') as [string, ...string[]];
    const uri = fileUri(root, prefix + name);
    children.set(
      uri,
      below.length === 0
        ? { uri, name, mimeType: mimeTypeOf(name), size }
        : { uri, name, mimeType: DIRECTORY_MIME_TYPE },
    );
  }
  return [...children.values()].sort((a, b) => compareBytes(a.uri, b.uri));
}

/** One page of sorted items; the cursor names the last item of the previous page. */
function paginate<Item>(
  items: readonly Item[],
  { cursor, key }: { cursor: string | undefined; key: (item: Item) => string },
): { items: Item[]; nextCursor?: string } {
  const after = cursor === undefined ? '' : readCursor(cursor);
  const rest = items.filter((item) => compareBytes(key(item), after) > 0);
  const page = rest.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return last === undefined || rest.length <= PAGE_SIZE
    ? { items: page }
    : { items: page, nextCursor: Buffer.from(key(last)).toString('base64url') };
}

function readCursor(cursor: string): string {
  const after = Buffer.from(cursor, 'base64url').toString();
  if (!after.startsWith('skill://'))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor');
  return after;
}

const types: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  ts: 'text/typescript',
  py: 'text/x-python',
  sh: 'application/x-sh',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  xml: 'application/xml',
  pdf: 'application/pdf',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** Media type by file extension; `application/octet-stream` if unknown. */
function mimeTypeOf(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(types, extension) ? types[extension]! : 'application/octet-stream';
}
