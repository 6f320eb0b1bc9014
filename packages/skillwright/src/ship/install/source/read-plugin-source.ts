// Reads where a marketplace says a plugin is hosted. That is untrusted: only public addresses are followed, nothing is run.

import * as z from 'zod';
import { hideSecrets, SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { PluginReference } from '../find/plugin-manifests.ts';
import type { Resolution, SkillSource } from './fetched-source.ts';
import { readGitSource } from './read-git-source.ts';
import { readSource, type SourceContext } from './read-source.ts';

const Text = z.string().min(1).max(4096);
const commit = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
const version = { ref: Text.optional(), sha: commit.optional() };

/** The supported kinds of source. */
const Elsewhere = z.discriminatedUnion('source', [
  z.looseObject({ source: z.literal('github'), repo: Text.regex(/^[\w.-]+\/[\w.-]+$/), ...version }),
  z.looseObject({ source: z.literal('url'), url: Text, ...version }),
  z.looseObject({ source: z.literal('git-subdir'), url: Text, path: Text, ...version }),
  z.looseObject({
    source: z.literal('npm'),
    package: Text,
    version: Text.optional(),
    // Absent: a package in its own registry is not followed.
    registry: z.never().optional(),
  }),
  z.looseObject({
    source: z.literal('archive'),
    url: Text,
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .optional(),
  }),
]);
type Elsewhere = z.output<typeof Elsewhere>;

/** A source, and the state it must have. */
interface PluginSource {
  readonly source: SkillSource;
  readonly resolution?: Resolution | undefined;
}

/** The source of a plugin. E210 when it cannot be followed. */
export function readPluginSource({ name, elsewhere }: PluginReference, context: SourceContext): PluginSource {
  const kind = String(elsewhere.source ?? 'unknown');
  const refuse = (why: string, help?: string) =>
    SkillwrightError.of(
      'E210',
      { source: `plugin ${name}`, why: hideSecrets(why) },
      help === undefined ? {} : { help },
    );
  if (kind === 'command') throw refuse('fetching it would run a command, which skc never does');
  const read = Elsewhere.safeParse(elsewhere);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue!.path.map(String).join('.');
    throw refuse(`its source (${kind}) is not supported${field === '' ? '' : `: ${field} is not valid`}`);
  }
  return readElsewhere(read.data, { context, refuse });
}

function readElsewhere(
  place: Elsewhere,
  reading: { context: SourceContext; refuse: (why: string, help?: string) => SkillwrightError },
): PluginSource {
  switch (place.source) {
    case 'github':
      return repository(place.repo, place, reading);
    case 'url':
      return repository(place.url, place, reading);
    case 'git-subdir':
      return repository(place.url, { ...place, subpath: place.path.replace(/^\.\//, '') }, reading);
    case 'npm': {
      const range = place.version === undefined ? '' : `@${place.version}`;
      return { source: readSource(`npm:${place.package}${range}`, reading.context) };
    }
    case 'archive': {
      const source = /^https?:/i.test(place.url) ? readSource(place.url, reading.context) : undefined;
      if (source?.kind !== 'archive') throw reading.refuse('its address is not an archive');
      const digest = place.sha256 === undefined ? undefined : `sha256:${place.sha256.toLowerCase()}`;
      return { source, ...(digest === undefined ? {} : { resolution: { digest } }) };
    }
  }
}

/** A repository on the web. A commit named by the marketplace becomes the ref, so that updates stay on it. */
function repository(
  word: string,
  { ref, sha, subpath }: { ref?: string | undefined; sha?: string | undefined; subpath?: string },
  reading: Parameters<typeof readElsewhere>[1],
): PluginSource {
  if (word.includes('#') || /^[./~]/.test(word))
    throw reading.refuse('its address is not a repository on the web');
  const part = `${sha ?? ref ?? ''}${subpath === undefined ? '' : `:${subpath}`}`;
  const source = readGitSource(part === '' ? word : `${word}#${part}`, reading);
  if (!/^https?:/.test(source.url))
    throw reading.refuse('only https repositories are followed', `if you trust it: skc install ${word}`);
  return { source };
}
