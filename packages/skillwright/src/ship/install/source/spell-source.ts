// Writes a source as text that parses back to the same source everywhere.

import { spellRegistrySource } from '../../network/index.ts';
import { spellAddress } from '../../protocol/index.ts';
import type { SkillSource } from './fetched-source.ts';

/** The canonical spelling of a source, for locks and messages: `readSource` parses it back. */
export function spellSource(source: SkillSource): string {
  switch (source.kind) {
    case 'path':
      return source.path;
    case 'archive':
      return source.location;
    case 'well-known':
      return source.url;
    case 'registry':
      if (source.url !== undefined) return spellRegistrySource({ ...source, url: source.url });
      return `${spellAddress(source)}${source.range === undefined ? '' : `@${source.range}`}`;
    case 'npm':
      return `npm:${source.name}${source.range === undefined ? '' : `@${source.range}`}`;
    case 'git': {
      const { url, ref = '', subpath } = source;
      const isPlain = /^(?:https?:\/\/.*\.git|ssh:\/\/.*)$/.test(url) || !/^[a-z+]+:\/\//.test(url);
      const part = subpath === undefined ? ref : `${ref}:${subpath}`;
      return `${isPlain ? '' : 'git+'}${url}${part === '' ? '' : `#${part}`}`;
    }
  }
}

/** Where a skill of a registry comes from. */
export interface RegistryOrigin {
  readonly registry: string;
  /** `@owner/name`. */
  readonly name: string;
}

/** The registry and the name in a spelled source; null for any other source. */
export function originIn(spelled: string): RegistryOrigin | null {
  const [, registry, name] = /^registry\+([^#]*)#(@[^@]*)/s.exec(spelled) ?? [];
  return registry === undefined || name === undefined ? null : { registry, name };
}

/** A spelled source as people read it: `@owner/name (https://registry/)` for a skill of a registry. */
export function showSource(spelled: string): string {
  const origin = originIn(spelled);
  return origin === null ? spelled : `${origin.name} (${origin.registry})`;
}
