// Sources a registry may mirror: public git repositories over https, and sites with a well-known index.

import { type FetchContext, readSource, type SkillSource } from 'skillwright/ship';
import { defaultConfig, openWorkspace } from 'skillwright/skill';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';

/** Sources that can be mirrored. */
export type MirrorSource = Extract<SkillSource, { kind: 'git' | 'well-known' }>;

/** A context that reads nothing of this machine: an empty home, no configuration, no credentials. */
export async function fetchContext(
  { settings }: Pick<Registry, 'settings'>,
  { directory, signal }: { readonly directory: string; readonly signal: AbortSignal },
): Promise<FetchContext> {
  const place = { cwd: directory, home: directory, env: { PATH: process.env.PATH, HOME: directory } };
  return {
    ...place,
    workspace: await openWorkspace(place),
    config: {
      network: { ...defaultConfig.network, allow_private: [...settings.mirrorAllowPrivate] },
      registry: defaultConfig.registry,
    },
    signal,
    progress: () => {},
    stagingDir: directory,
    isForeign: true,
  };
}

/** Parses the address of a mirror. Fails for anything but a repository over http(s) or a site. */
export function readMirrorSource(text: string, context: FetchContext): MirrorSource {
  let source: SkillSource;
  if (!/^(?:git\+)?https?:\/\//i.test(text.trim()))
    throw new Failure('bad_request', 'a mirror is the https address of a git repository or of a site');
  try {
    source = readSource(text, context);
  } catch (error) {
    throw new Failure('bad_request', error instanceof Error ? error.message : String(error));
  }
  if (source.kind !== 'git' && source.kind !== 'well-known')
    throw new Failure('bad_request', 'a mirror is the https address of a git repository or of a site');
  return source;
}
