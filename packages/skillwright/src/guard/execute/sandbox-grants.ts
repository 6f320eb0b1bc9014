// Parses `metadata.sandbox`, the needs of a skill beyond its sandbox: `network write(out) env(TOKEN)`.

import { isMapping } from '../../skill/format/index.ts';
import { sandboxVariables } from './sandbox.ts';

/** One need of a skill. */
export type Grant =
  | { readonly kind: 'network' }
  /** A directory of the skill, relative to it. */
  | { readonly kind: 'write'; readonly path: string }
  /** A variable of the user's environment. */
  | { readonly kind: 'env'; readonly name: string };

/** Parsed grants, and problems with the rest. */
interface ReadGrants {
  readonly grants: readonly Grant[];
  readonly problems: readonly string[];
}

/** Grants that a skill's frontmatter declares. */
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
    if (read === undefined) problems.push(`'${word}' is not network, write(directory) or env(NAME)`);
    else if (typeof read === 'string') problems.push(`'${word}': ${read}`);
    else for (const grant of read) found.set(spellGrant(grant), grant);
  }
  return { grants: [...found.values()], problems };
}

/** The grant in its written form. */
export function spellGrant(grant: Grant): string {
  if (grant.kind === 'network') return 'network';
  return grant.kind === 'write' ? `write(${grant.path})` : `env(${grant.name})`;
}

/** Turns values into grants; a string is the reason they are invalid. */
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
    if (!values.every((value) => /^[A-Za-z_]\w{0,127}$/.test(value))) return 'not a valid variable name';
    const taken = values.find((value) => Object.hasOwn(sandboxVariables, value) || steering.test(value));
    if (taken !== undefined) return `${taken} is reserved for the sandbox`;
    return values.map((name) => ({ kind: 'env', name }));
  },
};

/** In lower case, because some file systems ignore case. */
const codeDirectories: ReadonlySet<string> = new Set([
  'scripts',
  'toolsets',
  'hooks',
  'skill.md',
  'node_modules',
]);

/** Variables that make a program load code at startup, before its limits are set. */
const steering =
  /^(?:SKILL_|LD_|DYLD_|BASH_|BUN_|ENV$|IFS$|SHELLOPTS$|NODE_OPTIONS$|PYTHON(?:PATH|HOME|STARTUP)$)/;
