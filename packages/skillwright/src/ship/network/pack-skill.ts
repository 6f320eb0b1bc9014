// Packs a skill for publication: its visible files, and an archive whose bytes depend only on them.

import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, hasExecuteBit, readInside, walkTree } from '../../base/files/index.ts';
import { isSkillName, RegistryLayer, readFrontmatter } from '../../skill/format/index.ts';
import { isSafePath } from './safe-path.ts';

/** One file of a skill. */
export interface PackedFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** A skill ready to be published. */
export interface PackedSkill {
  readonly name: string;
  readonly description: string;
  /** Undefined when the frontmatter has no semantic version. */
  readonly version?: string | undefined;
  /** In bytewise order. */
  readonly files: readonly PackedFile[];
}

/** Size limit of a published skill. */
const MAX_BYTES = 100 * 1024 * 1024;

/**
 * Reads the files to publish from the skill in `dir`, without hidden files. E012 when a link leads out, E015 when a file
 * cannot be read or cannot be published under its name, E207 when it is too large.
 */
export function packSkill(dir: string): PackedSkill {
  const files: PackedFile[] = [];
  const { entries, truncated } = walkTree(dir);
  if (truncated) throw SkillwrightError.of('E207', { what: dir });
  let left = MAX_BYTES;
  for (const { path, kind, why } of entries) {
    if (kind === 'directory') continue;
    if (kind === 'escape') throw SkillwrightError.of('E012', { path });
    if (kind !== 'file') throw SkillwrightError.of('E015', { path: path || dir, why: why ?? unfit[kind] });
    if (!isSafePath(path))
      throw SkillwrightError.of('E015', { path, why: 'some systems do not allow this name' });
    const bytes = readInside(dir, path, { maxBytes: MAX_BYTES });
    if (bytes === undefined) throw SkillwrightError.of('E015', { path, why: 'removed while skc read it' });
    left -= bytes.byteLength;
    if (left < 0) throw SkillwrightError.of('E207', { what: dir });
    files.push({ path, bytes, executable: hasExecuteBit(join(dir, path)) });
  }
  return { ...readIdentity(dir, files), files };
}

const unfit = {
  'linked-directory': 'a link to a directory cannot be published',
  'broken-link': 'a link to nothing',
  special: 'not a regular file',
  unreadable: 'unreadable',
} as const;

function readIdentity(dir: string, files: readonly PackedFile[]): Omit<PackedSkill, 'files'> {
  const manifest = files.find(({ path }) => path === 'SKILL.md');
  if (manifest === undefined) throw SkillwrightError.of('E010', { path: dir });
  const { data, problems } = readFrontmatter(decodeText(manifest.bytes).text);
  if (data === undefined) {
    const { message, line } = problems[0]!;
    throw SkillwrightError.of('E014', {
      path: join(dir, 'SKILL.md'),
      why: `${message}, line ${line}`,
    });
  }
  const { name, description } = data;
  if (typeof name !== 'string' || !isSkillName(name)) throw SkillwrightError.of('E011', { field: 'name' });
  if (typeof description !== 'string' || description.trim() === '')
    throw SkillwrightError.of('E011', { field: 'description' });
  const { version } = RegistryLayer.safeParse(data).data ?? {};
  return { name, description: description.trim(), version: version === '0.0.0' ? undefined : version };
}

/** A `.tar.gz` with the files at its root. The same files make the same bytes on every machine. */
export async function archiveSkill(files: readonly PackedFile[]): Promise<Uint8Array> {
  const [{ Header, Pax }, { gzipSync }] = await Promise.all([import('tar'), import('fflate')]);
  const blocks: Uint8Array[] = [];
  const add = (bytes: Uint8Array) => {
    blocks.push(bytes);
    const rest = bytes.byteLength % BLOCK;
    if (rest > 0) blocks.push(new Uint8Array(BLOCK - rest));
  };
  for (const { path, bytes, executable } of files) {
    const header = new Header({
      path,
      mode: executable ? 0o755 : 0o644,
      uid: 0,
      gid: 0,
      size: bytes.byteLength,
      mtime: new Date(0),
      type: 'File',
    });
    const block = Buffer.alloc(BLOCK);
    // A path too long for the block goes into a header before it.
    if (header.encode(block)) add(new Pax({ path }).encode());
    add(block);
    add(bytes);
  }
  add(new Uint8Array(2 * BLOCK));
  // Compressed in JavaScript: the compressors of Node and Bun produce different bytes.
  return gzipSync(Buffer.concat(blocks), { level: 9, mtime: 0 });
}

const BLOCK = 512;
