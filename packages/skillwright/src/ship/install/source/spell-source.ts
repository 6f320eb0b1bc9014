// Writes a source as text that parses back to the same source everywhere.

import { spellRegistrySource } from '../../network/index.ts';
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
      return `registry:${source.name}${source.range === undefined ? '' : `@${source.range}`}`;
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
