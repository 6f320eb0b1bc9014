// Plans the files of a site that publishes skills: the current index, the old one, and the files they list.

import { sha256 } from '../../base/files/index.ts';
import { archiveSkill, type PackedSkill } from './pack-skill.ts';
import { INDEX_SCHEMA } from './read-index.ts';

/** Marks an index as written by skc, so that it may be replaced. */
export const GENERATOR = 'skillwright';

/** Directories of the two conventions. */
export const CURRENT = '.well-known/agent-skills';
export const OLD = '.well-known/skills';

/** How one skill is published. */
export interface PlannedSkill {
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
