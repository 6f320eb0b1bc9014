// Reads the files of a skill other than SKILL.md.

import { isAbsolute, join, relative, sep } from 'node:path';
import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isDirectory, isInside, realPath, resolveInside, resolvePart } from '../../base/files/index.ts';
import type { OpenedRecord, SkillReference } from '../../read/access/index.ts';
import { neutralise } from '../../read/catalog/index.ts';
import { fileNotFound, pageText, pathInside, plainPath, readTextFile } from '../../read/gateway/index.ts';
import { SKILL_FILE, type Skill } from '../../skill/skill/index.ts';
import { ResourceList, SkillResource } from '../answers/index.ts';
import type { LoadOptions } from './session.ts';
import { method, offsetField, readsSkill, withReference } from './session-method.ts';
import { openFor, type SessionState } from './session-state.ts';

const MAX_RESOURCE_BYTES = 1024 * 1024;
const MAX_LISTED_RESOURCES = 1000;

/** The file to read, and which part of it. */
const resourceInput = withReference({
  file: z
    .string()
    .min(1)
    .describe('Path relative to the skill, or as the loaded skill lists it; a directory returns its files'),
  offset: offsetField.describe('Bytes to skip: 0, or next_offset of the previous part'),
  limit: z.int().positive().optional().describe('Maximum number of bytes; fewer may be returned'),
});
export type ResourceRequest = z.output<typeof resourceInput>;

/** The part of a file to read. */
interface ResourcePart extends Pick<ResourceRequest, 'offset' | 'limit'> {
  readonly maxBytes: number;
}

/** Reads a file or lists a directory for the model, within its reach. E062 when a quiz locks it. */
export const readResource = method({
  rpc: 'skills.read',
  summary: 'Read a text file of a skill',
  input: resourceInput,
  output: SkillResource,
  ...readsSkill,
  wire: (request, run) => run(request),
  logged: {
    command: 'open',
    served: ({ content: text, path: file, kind, offset, next_offset }) => ({
      text,
      parts: kind === 'directory' ? [] : [{ file, bytes: [offset, next_offset] }],
    }),
  },
  recorded: {
    do: 'read',
    async step(notes, { file, offset, limit, ...reference }) {
      const dir = isAbsolute(file)
        ? (await notes.known()).find((skill) => isInside(skill.dir, file))?.dir
        : undefined;
      const spelt = dir === undefined ? file : relative(dir, file);
      return { ...(await notes.portable(reference)), file: spelt, offset, limit };
    },
    got: ({ content }, { weigh }) => weigh(content, []),
    repeat: ({ do: _, got: _got, ...request }, run) => run(request),
  },
  tool: {
    name: 'skill_read',
    description:
      'Read a text file of a skill, such as one its instructions refer to. Pass a directory to list its files.',
    async answer(request, run) {
      const { content, offset, size, next_offset } = await run(request);
      if (content === '' && size > 0) return `[Nothing from there on: the file has ${size} bytes.]`;
      if (next_offset === null) return content;
      return `${content}\n\n[More to read: these are bytes ${offset} to ${next_offset} of ${size}. Continue with offset ${next_offset}.]`;
    },
  },
  async run(state: SessionState, request: ResourceRequest, how: LoadOptions = {}): Promise<SkillResource> {
    const { file, offset, limit, ...reference } = request;
    const skill = await openFor(state, reference, how);
    const part = { maxBytes: state.options.maxResourceBytes ?? MAX_RESOURCE_BYTES, offset, limit };
    const inside = relativePath(skill, file);
    const directory = directoryIn(skill, inside);
    if (directory !== undefined) {
      const files = filesIn(skill, directory).filter(await allowedFiles(skill));
      return forModel(listAsText(inside, files, part));
    }
    const resource = await readPart(skill, inside, part);
    const place = pathInside(skill.dir, inside);
    const { allowsFile, refusal } = await skill.reach([place]);
    if (!allowsFile(place)) throw refusal(skill.name, place);
    return forModel(resource);
  },
});

export const listResources = method({
  rpc: 'skills.resources',
  summary: 'List the files of a skill, or of one directory of it',
  input: withReference({
    directory: z.string().optional().describe('List only this directory of the skill'),
    limit: z.int().positive().optional().describe('Maximum number of files; default 1,000'),
  }),
  output: ResourceList,
  ...readsSkill,
  wire: ({ directory, limit, ...reference }, run) => run(reference, { directory, limit }),
  async run(
    state: SessionState,
    reference: SkillReference,
    options: LoadOptions & {
      readonly directory?: string | undefined;
      readonly limit?: number | undefined;
    } = {},
  ): Promise<ResourceList> {
    const { directory, limit = MAX_LISTED_RESOURCES, ...how } = options;
    const skill = await openFor(state, reference, how);
    const files = filesIn(skill, directory).filter(await allowedFiles(skill));
    return { files: files.slice(0, limit), total: files.length, truncated: files.length > limit };
  },
});

/**
 * Reads a text file of a skill. E012 when the path leads out of the skill, E021 with similar names when there is no such
 * file, E015 when it is not text. SKILL.md is loaded, not read: its frontmatter may hold text the model must not see.
 */
async function readPart(skill: OpenedRecord, path: string, part: ResourcePart): Promise<SkillResource> {
  const { dir } = skill;
  if (resolveInside(dir, path) === realPath(join(dir, SKILL_FILE)))
    throw SkillwrightError.of('E021', { file: path }, { help: 'load the skill to get its SKILL.md' });
  try {
    return { path, kind: 'file', ...cutResource(readTextFile(dir, path), part) };
  } catch (error) {
    if (!(error instanceof SkillwrightError) || error.code !== 'E021' || error.help !== undefined)
      throw error;
    const { allowsName } = await skill.reach(skill.files());
    throw fileNotFound(path, skill.files().filter(allowsName));
  }
}

const forModel = (resource: SkillResource) => ({ ...resource, content: neutralise(resource.content) });

/** Names of the files that may be listed. */
export async function allowedFiles(skill: OpenedRecord): Promise<(path: string) => boolean> {
  return (await skill.reach(skill.files())).allowsName;
}

/** A loaded skill lists its files by absolute path, so those are accepted; other absolute paths are not. */
export function relativePath({ dir }: Pick<Skill, 'dir'>, path: string): string {
  return path.startsWith(dir + sep) ? path.slice(dir.length + 1) : path;
}

/** The directory a path refers to, ending in `/`, or empty for the skill itself; undefined for a file. */
function directoryIn({ dir }: Skill, path: string): string | undefined {
  if (path === '') return undefined;
  const real = path === '.' ? realPath(dir) : resolvePart(dir, plainPath(path));
  if (real === undefined || !isDirectory(real)) return undefined;
  const inside = real === realPath(dir) ? '' : pathInside(dir, path);
  return inside === '' ? '' : `${inside}/`;
}

/** The files of a directory as text. E021 when none may be listed. */
function listAsText(path: string, files: readonly string[], part: ResourcePart): SkillResource {
  if (files.length === 0)
    throw SkillwrightError.of('E021', { file: path }, { help: 'the directory has no files' });
  return { path, kind: 'directory', ...cutResource(`${files.join('\n')}\n`, { ...part, atLines: true }) };
}

const cutResource = (
  text: string,
  { maxBytes, offset, limit = maxBytes, ...how }: ResourcePart & { atLines?: true },
) => pageText(text, { offset, limit: Math.min(limit, maxBytes), ...how });

/** Paths of the files of a skill or of one directory in it, in bytewise order, without SKILL.md. */
function filesIn(skill: Skill, directory = ''): string[] {
  const prefix = directory === '' ? '' : `${directory.replace(/\/+$/, '')}/`;
  return skill.files().filter((path) => path !== SKILL_FILE && path.startsWith(prefix));
}
