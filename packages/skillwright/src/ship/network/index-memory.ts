// Remembers the index of each skill as the registry last sent it, for conditional requests, and to notice an index that
// goes back.

import { join } from 'node:path';
import * as z from 'zod';
import { orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import { readRegularFile, sha256, writeFileAtomic } from '../../base/files/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { SkillIndex } from '../protocol/index.ts';
import { forgettingCommand, registryMemory } from './registry-memory.ts';

/** The last answer for an address. */
interface RememberedIndex {
  readonly etag: string;
  readonly body: string;
}

/** Remembered indexes of one registry. */
export interface IndexMemory {
  /** Undefined when nothing can be asked for conditionally. */
  read(url: string): RememberedIndex | undefined;
  /** E241 when the index is older than the remembered one, or lacks one of its versions. */
  keep(
    url: string,
    fresh: { readonly index: SkillIndex; readonly etag: string | undefined; readonly body: string },
  ): void;
}

/** A client without a home directory remembers nothing. */
export const noMemory: IndexMemory = { read: () => undefined, keep: () => {} };

const Remembered = z.object({
  url: z.string(),
  etag: z.string().nullable(),
  body: z.string(),
  updated: z.iso.datetime(),
  versions: z.record(z.string(), z.string()),
});

const MAX_BYTES = 20 * 1024 * 1024;

/** The memory of a registry, next to the newest checkpoint of its log. */
export function openIndexMemory(
  workspace: Pick<Workspace, 'user'>,
  registry: { readonly url: string; readonly key?: string | undefined },
): IndexMemory {
  const dir = registryMemory(registry, workspace);
  const fileOf = (url: string) => join(dir, `index-${sha256(url).slice(0, 32)}.json`);
  const readAt = (url: string) =>
    orUndefined(() => {
      const bytes = readRegularFile(fileOf(url), { maxBytes: MAX_BYTES });
      const known = bytes && Remembered.safeParse(JSON.parse(bytes.toString('utf8'))).data;
      return known?.url === url ? known : undefined;
    });
  return {
    read(url) {
      const known = readAt(url);
      return known?.etag == null ? undefined : { etag: known.etag, body: known.body };
    },
    keep(url, { index, etag, body }) {
      const known = readAt(url);
      const versions = Object.fromEntries(index.versions.map((one) => [one.version, one.document]));
      if (known !== undefined) checkAdvance(index, { known, versions, registry: registry.url });
      try {
        const text = JSON.stringify({ url, etag: etag ?? null, body, updated: index.updated, versions });
        writeFileAtomic(fileOf(url), text);
      } catch (error) {
        // A cache: without it the next request is not conditional.
        if (!(error instanceof SkillwrightError)) throw error;
      }
    },
  };
}

function checkAdvance(
  { name, updated }: SkillIndex,
  {
    known,
    versions,
    registry,
  }: { known: z.output<typeof Remembered>; versions: Record<string, string>; registry: string },
): void {
  const refuse = (why: string) =>
    SkillwrightError.of(
      'E241',
      { skill: name, why },
      {
        help: `ask the people who run it; if they restored a backup: ${forgettingCommand(registry)}`,
        data: { skill: name, why },
      },
    );
  if (Date.parse(updated) < Date.parse(known.updated))
    throw refuse(`it is of ${updated}, and you have seen the one of ${known.updated}`);
  for (const [version, document] of Object.entries(known.versions)) {
    const now = Object.hasOwn(versions, version) ? versions[version] : undefined;
    if (now === undefined) throw refuse(`version ${version} is missing`);
    if (now !== document) throw refuse(`version ${version} has another document`);
  }
}
