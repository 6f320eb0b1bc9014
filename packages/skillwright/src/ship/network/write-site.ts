// Writes a planned site into a directory that may hold other files.

import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  isMissing,
  joinInside,
  readInside,
  removePath,
  resolveInside,
  sha256,
  systemErrorCode,
  writeError,
  writeFileAtomic,
} from '../../base/files/index.ts';
import { isMapping } from '../../skill/format/index.ts';
import { archiveSkill, type PackedSkill } from './pack-skill.ts';
import { parseJson } from './parse-json.ts';
import { INDEX_SCHEMA } from './read-index.ts';
import { isSafePath } from './safe-path.ts';

/** Marks an index as written by skc, so that it may be replaced. */
const GENERATOR = 'skillwright';

/** Directories of the two conventions. */
const CURRENT = '.well-known/agent-skills';
const OLD = '.well-known/skills';

/** How one skill is published. */
interface PlannedSkill {
  readonly name: string;
  readonly type: 'skill-md' | 'archive';
  readonly digest: string;
  /** Relative to the current index. */
  readonly url: string;
  readonly files: number;
  readonly bytes: number;
}

/** A site: paths below its root, with their content. */
export interface PlannedSite {
  readonly skills: readonly PlannedSkill[];
  /** Everything but the two indexes, in bytewise order of the skills. */
  readonly content: ReadonlyMap<string, Uint8Array>;
  /** Written after the content, the current one last. */
  readonly indexes: ReadonlyMap<string, Uint8Array>;
}

/**
 * Plans the files. Addresses in the current index contain the digest, so an index never points to content
 * that has changed since.
 */
export async function planSite(
  skills: readonly PackedSkill[],
  options: { defaultSkill?: PackedSkill | undefined } = {},
): Promise<PlannedSite> {
  const { defaultSkill } = options;
  const content = new Map<string, Uint8Array>();
  const planned: PlannedSkill[] = [];
  for (const { name, files } of skills) {
    const single = files.length === 1;
    const bytes = single ? files[0]!.bytes : await archiveSkill(files);
    const hash = sha256(bytes);
    const url = `${name}/${hash.slice(0, 16)}/${single ? 'SKILL.md' : `${name}.tar.gz`}`;
    content.set(`${CURRENT}/${url}`, bytes);
    planned.push({
      name,
      type: single ? 'skill-md' : 'archive',
      digest: `sha256:${hash}`,
      url,
      files: files.length,
      bytes: bytes.byteLength,
    });
    for (const file of files) content.set(`${OLD}/${name}/${file.path}`, file.bytes);
  }
  if (defaultSkill !== undefined) {
    const manifest = defaultSkill.files.find(({ path }) => path === 'SKILL.md')!;
    content.set(`${OLD}/default/skill.md`, manifest.bytes);
  }
  const current = {
    $schema: INDEX_SCHEMA,
    generator: GENERATOR,
    skills: skills.map(({ name, description }, index) => {
      const { type, url, digest } = planned[index]!;
      return { name, type, description, url, digest };
    }),
  };
  const old = {
    generator: GENERATOR,
    ...(defaultSkill === undefined ? {} : { default: defaultSkill.name }),
    skills: skills.map(({ name, description, files }) => ({
      name,
      description,
      files: ['SKILL.md', ...files.map(({ path }) => path).filter((path) => path !== 'SKILL.md')],
    })),
  };
  const indexes = new Map([
    [`${OLD}/index.json`, encode(old)],
    [`${CURRENT}/index.json`, encode(current)],
  ]);
  return { skills: planned, content, indexes };
}

function encode(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

const MAX_INDEX_BYTES = 64 * 1024 * 1024;
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

/** Lists the files of a publication in progress, so that they count as skc's own after an interruption. */
const INTENT = '.well-known/.skc-publishing.json';

/** Options for writing a site. */
interface WriteSiteOptions {
  readonly dryRun?: boolean;
  /** Called before every change to the disk, with the path. */
  readonly step?: ((path: string) => void) | undefined;
}

/**
 * Writes content first and the indexes last, each file atomically; then removes files that only the old indexes list.
 * Foreign files are neither replaced (E013) nor removed. Returns the changes, as paths below the root. An interrupted publication can be repeated,
 * even with other content.
 */
export function writeSite(root: string, site: PlannedSite, options: WriteSiteOptions = {}) {
  const before = publishedBefore(root);
  const all = new Map([...site.content, ...site.indexes]);
  const changed: [string, Uint8Array][] = [];
  for (const [path, bytes] of all) {
    const state = compareWithDisk(root, path, bytes);
    if (state === 'other' && !before.has(path))
      throw SkillwrightError.of(
        'E013',
        { path: join(root, path) },
        { help: 'skc did not publish it; move it away, or choose another directory' },
      );
    if (state !== 'same') changed.push([path, bytes]);
  }
  const removed = [...before].filter((path) => !all.has(path) && existsSync(join(root, path))).sort();
  if (!(options.dryRun ?? false) && changed.length + removed.length > 0) {
    const intent = { generator: GENERATOR, paths: [...new Set([...before, ...all.keys()])] };
    writeFileAtomic(join(root, INTENT), `${JSON.stringify(intent)}\n`);
    for (const [path, bytes] of changed) {
      options.step?.(path);
      writeFileAtomic(join(root, path), bytes);
    }
    for (const path of removed) {
      options.step?.(path);
      remove(root, path);
    }
  }
  if (!(options.dryRun ?? false)) remove(root, INTENT);
  return { written: changed.map(([path]) => path), unchanged: all.size - changed.length, removed };
}

/** Compares a file with its planned content. E012 when a link in its path leads out of the root. */
function compareWithDisk(root: string, path: string, bytes: Uint8Array): 'missing' | 'same' | 'other' {
  // The directory may be missing, but must not be a link that leads out.
  for (let part = dirname(path); part !== '.'; part = dirname(part)) resolveInside(root, part);
  if (!existsSync(root)) return 'missing';
  const found = readInside(root, path, { maxBytes: MAX_FILE_BYTES });
  return found === undefined ? 'missing' : found.equals(bytes) ? 'same' : 'other';
}

/** Paths that skc published, according to the existing indexes. */
function publishedBefore(root: string): Set<string> {
  const paths = new Set<string>();
  const add = (base: string, path: unknown) => {
    if (typeof path === 'string' && isSafePath(path)) paths.add(`${base}/${path}`);
  };
  const current = ownIndex(root, CURRENT);
  for (const { url } of current?.skills ?? []) add(CURRENT, url);
  const old = ownIndex(root, OLD);
  for (const { name, files } of old?.skills ?? [])
    for (const file of Array.isArray(files) ? files : []) add(OLD, `${String(name)}/${String(file)}`);
  if (old?.default !== undefined) add(OLD, 'default/skill.md');
  if (current !== undefined) add(CURRENT, 'index.json');
  if (old !== undefined) add(OLD, 'index.json');
  for (const path of interrupted(root)) {
    const base = [CURRENT, OLD].find((one) => path.startsWith(`${one}/`));
    if (base !== undefined) add(base, path.slice(base.length + 1));
  }
  return paths;
}

/** Paths of an interrupted publication. */
function interrupted(root: string): string[] {
  const paths = readGenerated(root, INTENT)?.paths;
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}

interface OwnIndex {
  readonly default?: unknown;
  readonly skills: readonly Readonly<Record<string, unknown>>[];
}

function ownIndex(root: string, base: string): OwnIndex | undefined {
  const index = readGenerated(root, `${base}/index.json`);
  if (!Array.isArray(index?.skills)) return undefined;
  const skills = index.skills.filter((entry) => typeof entry === 'object' && entry !== null);
  return { default: index.default, skills };
}

/** A file that skc wrote; undefined for any other. */
function readGenerated(root: string, path: string): Record<string, unknown> | undefined {
  const bytes = existsSync(root) ? readInside(root, path, { maxBytes: MAX_INDEX_BYTES }) : undefined;
  const parsed = bytes === undefined ? undefined : parseJson(bytes);
  if (parsed === undefined || parsed.problem !== undefined || !isMapping(parsed.value)) return undefined;
  return parsed.value.generator === GENERATOR ? parsed.value : undefined;
}

/** Removes a file, and parent directories that became empty. */
function remove(root: string, path: string): void {
  try {
    removePath(joinInside(root, path), { force: true });
    for (let part = dirname(path); part.split('/').length > 2; part = dirname(part)) {
      if (readdirSync(join(root, part)).length > 0) break;
      rmdirSync(join(root, part));
    }
  } catch (error) {
    // Another process removed the directory or added a file.
    if (!isMissing(error) && systemErrorCode(error) !== 'ENOTEMPTY')
      throw writeError(join(root, path), error);
  }
}
