// Files of a version, for those who may read it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VersionTexts } from 'skillwright/pages';
import type { SkillAddress, VersionFile } from 'skillwright/registry-protocol';
import { isGatedSkill } from 'skillwright/skill';
import { type Caller, notFound } from '../../access/index.ts';
import { Failure } from '../../base/index.ts';
import { type OpenVersion, openVersion } from '../../reading/index.ts';
import type { Registry } from '../../registry.ts';
import { looksLikeText } from '../page-headers.ts';

/** Larger files are offered as downloads. */
const MAX_SHOWN = 2 * 1024 * 1024;

/** Opens a version whose text may be shown: the quiz of a locked skill is taken where it is installed. */
export async function openReadable(
  registry: Registry,
  caller: Caller,
  address: SkillAddress & { readonly version: string },
): Promise<OpenVersion> {
  const opened = await openVersion(registry, caller, address);
  if (isGatedSkill(opened.skill.dir))
    throw new Failure('forbidden', 'a quiz locks this skill: install it to take the quiz');
  return opened;
}

/** The bytes of one file of the version's own list. */
export function readVersionFile({ skill }: OpenVersion, files: readonly VersionFile[], path: string): Buffer {
  if (!files.some((file) => file.path === path)) throw notFound();
  return readFileSync(join(skill.dir, path));
}

/** Text of a file; undefined when it is not text or too large. */
export function decodedText(bytes: Buffer): string | undefined {
  return bytes.length > MAX_SHOWN || !looksLikeText(bytes) ? undefined : new TextDecoder().decode(bytes);
}

/** All files of a version, as comparing needs them. */
export function versionTexts(opened: OpenVersion, files: readonly VersionFile[]): VersionTexts {
  return new Map(
    files.map(({ path, digest }) => [
      path,
      { digest, text: decodedText(readVersionFile(opened, files, path)) ?? null },
    ]),
  );
}
