// What a skill may ask for beyond its sandbox, in the words of `metadata.sandbox`: `network write(out) env(TOKEN)`.

import { isMapping } from '../../skill/format/index.ts';
import { sandboxVariables } from './sandbox-variables.ts';

/** One thing a skill asks for. */
export type Grant =
  | { readonly kind: 'network' }
  /** A directory of the skill, relative to it. */
  | { readonly kind: 'write'; readonly path: string }
  /** A variable of the user's environment. */
  | { readonly kind: 'env'; readonly name: string };

/** What a text asks for, and what in it means nothing. */
export interface ReadGrants {
  readonly grants: readonly Grant[];
  readonly problems: readonly string[];
}

/** What the frontmatter of a skill declares. */
export function declaredGrants(frontmatter: Readonly<Record<string, unknown>>): ReadGrants {
  const { metadata } = frontmatter;
  const value = isMapping(metadata) ? metadata.sandbox : undefined;
  if (value === undefined || value === null) return { grants: [], problems: [] };
  if (typeof value === 'string') return readGrants(value);
  return { grants: [], problems: ['metadata.sandbox must be text'] };
}

/** Reads a list of grants. */
export function readGrants(text: string): ReadGrants {
  const found = new Map<string, Grant>();
  const problems: string[] = [];
  for (const [word, kind, inner] of text.matchAll(/([^\s()]+)(?:\(([^()]*)\))?|\S/g)) {
    const values = inner?.split(',').map((value) => value.trim()) ?? [];
    const read = kind !== undefined && Object.hasOwn(readers, kind) ? readers[kind]?.(values) : undefined;
    if (read === undefined) problems.push(`'${word}' is none of network, write(directory), env(NAME)`);
    else if (typeof read === 'string') problems.push(`'${word}': ${read}`);
    else for (const grant of read) found.set(spellGrant(grant), grant);
  }
  return { grants: [...found.values()], problems };
}

/** The grant as it is written. */
export function spellGrant(grant: Grant): string {
  if (grant.kind === 'network') return 'network';
  return grant.kind === 'write' ? `write(${grant.path})` : `env(${grant.name})`;
}

/** Values to grants; a text says why they are none. */
type Reader = (values: readonly string[]) => Grant[] | string;

const readers: Readonly<Record<string, Reader | undefined>> = {
  network: (values) => (values.length === 0 ? [{ kind: 'network' }] : 'it takes no value'),
  write(values) {
    if (values.length === 0) return 'it needs a directory of the skill';
    const grants: Grant[] = [];
    for (const value of values) {
      const segments = value.replace(/^\.\//, '').replace(/\/+$/, '').split('/');
      const isPlain = segments.every((segment) => /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ .+@=-]*$/u.test(segment));
      if (!isPlain) return 'it must be a visible directory of the skill';
      if (codeDirectories.has(segments[0]!.toLowerCase())) return 'a skill may not change its own code';
      grants.push({ kind: 'write', path: segments.join('/') });
    }
    return grants;
  },
  env(values) {
    if (values.length === 0) return 'it needs the name of a variable';
    if (!values.every((value) => /^[A-Za-z_]\w{0,127}$/.test(value))) return 'that is no name of a variable';
    const taken = values.find((value) => Object.hasOwn(sandboxVariables, value) || steering.test(value));
    if (taken !== undefined) return `${taken} is the sandbox's own`;
    return values.map((name) => ({ kind: 'env', name }));
  },
};

/** In small letters, because there are file systems that do not tell them apart. */
const codeDirectories: ReadonlySet<string> = new Set([
  'scripts',
  'toolsets',
  'hooks',
  'skill.md',
  'node_modules',
]);

/** What tells a program what to load before it does anything else, its limits included. */
const steering =
  /^(?:SKILL_|LD_|DYLD_|BASH_|BUN_|ENV$|IFS$|SHELLOPTS$|NODE_OPTIONS$|PYTHON(?:PATH|HOME|STARTUP)$)/;
