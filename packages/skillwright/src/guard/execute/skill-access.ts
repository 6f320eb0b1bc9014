// What a skill may reach when something of it is run: its own directory, and what was declared by it and granted by the user.

import { mkdirSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  type Environment,
  isInside,
  isThere,
  realPath,
  resolveInside,
  writeError,
} from '../../base/files/index.ts';
import { readSkillFields } from '../../skill/format/index.ts';
import { recallGrants, rememberGrants } from './grant-memory.ts';
import type { SandboxedCommand } from './sandbox.ts';
import { declaredGrants, type Grant, readGrants, spellGrant } from './sandbox-grants.ts';
import { MASKED_NAME, skillDigest } from './skill-digest.ts';

/** The surroundings of a skill that is run. */
export interface AccessContext {
  /** Absolute; where grants are remembered. */
  readonly home: string;
  readonly env: Environment;
}

/** What a skill declares and what it has. */
export interface SkillGrants {
  /** Canonical. */
  readonly dir: string;
  readonly name: string;
  readonly declared: readonly Grant[];
  /** Declared, and granted to the skill as it is now. */
  readonly granted: readonly Grant[];
  /** What is wrong with the declaration. */
  readonly problems: readonly string[];
  readonly digest: string | undefined;
}

/** The part of a sandboxed command that follows from the skill. */
export type SkillAccess = Required<
  Pick<SandboxedCommand, 'cwd' | 'env' | 'readable' | 'writable' | 'masked' | 'network'>
>;

/** Reads what a skill declares and what the user has granted to it. E010, E012, E015 when it cannot be read. */
export function readSkillGrants(directory: string, { home }: Pick<AccessContext, 'home'>): SkillGrants {
  const dir = realpathSync.native(directory);
  const frontmatter = readSkillFields(dir);
  const { grants: declared, problems } = declaredGrants(frontmatter);
  const name = typeof frontmatter.name === 'string' ? frontmatter.name : basename(dir);
  // Most skills ask for nothing, and need not be read whole.
  const digest = declared.length === 0 ? undefined : skillDigest(dir, writablePaths(declared));
  const known = digest === undefined ? [] : recallGrants(home, { dir, digest }).map(spellGrant);
  const granted = declared.filter((grant) => known.includes(spellGrant(grant)));
  return { dir, name, declared, granted, problems, digest };
}

/** Grants a skill more of what it declares, and remembers it. E100 for what it does not declare. */
export function grantToSkill(
  skill: SkillGrants,
  words: readonly string[],
  { home }: Pick<AccessContext, 'home'>,
): SkillGrants {
  const { grants, problems } = readGrants(words.join(' '));
  if (problems[0] !== undefined) throw invalidOption(problems[0]);
  const declared = skill.declared.map(spellGrant);
  const stranger = grants.map(spellGrant).find((grant) => !declared.includes(grant));
  if (stranger !== undefined) {
    const why = `${stranger} is not declared by the skill`;
    const help =
      declared.length === 0 ? 'it declares nothing in metadata.sandbox' : `it declares ${declared.join(' ')}`;
    throw invalidOption(why, help);
  }
  if (grants.length === 0 || skill.digest === undefined) return skill;
  rememberGrants(home, { dir: skill.dir, digest: skill.digest }, grants);
  const all = [...skill.granted, ...grants].map(spellGrant);
  return { ...skill, granted: skill.declared.filter((grant) => all.includes(spellGrant(grant))) };
}

/**
 * What something of the skill may reach. E074 for a directory so wide that the home directory would be seen; E012 when a
 * directory it may change leads out of the skill.
 */
export function skillAccess(skill: SkillGrants, { home, env }: AccessContext): SkillAccess {
  const { dir, name, granted } = skill;
  if (isInside(dir, realPath(home)) || isInside(dir, realPath(env.HOME ?? home)))
    throw SkillwrightError.of('E074', { why: `the skill at '${dir}' holds the home directory` });
  const variables = granted.flatMap((grant) => {
    const value = grant.kind === 'env' ? env[grant.name] : undefined;
    return value === undefined || grant.kind !== 'env' ? [] : [[grant.name, value]];
  });
  return {
    cwd: dir,
    env: {
      ...(env.TZ === undefined ? {} : { TZ: env.TZ }),
      ...Object.fromEntries(variables),
      SKILL_DIR: dir,
      SKILL_NAME: name,
      CLAUDE_SKILL_DIR: dir,
    },
    readable: [dir],
    writable: outermost(writablePaths(granted)).map((path) => makeWritable(dir, path)),
    masked: isThere(join(dir, MASKED_NAME)) ? [join(dir, MASKED_NAME)] : [],
    network: granted.some(({ kind }) => kind === 'network'),
  };
}

const writablePaths = (grants: readonly Grant[]) =>
  grants.flatMap((grant) => (grant.kind === 'write' ? [grant.path] : []));

/** Without what lies in another: a script that is running could put a link in its place after it was looked at. */
function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
}

/** The directory itself, made when it is missing; never one that a link leads to elsewhere. */
function makeWritable(dir: string, path: string): string {
  const segments = path.split('/');
  for (let depth = 1; depth <= segments.length; depth++) {
    const part = segments.slice(0, depth).join('/');
    const real = resolveInside(dir, part);
    const place = join(dir, part);
    if (real !== undefined && real !== place) throw SkillwrightError.of('E012', { path: part });
    if (real !== undefined) continue;
    try {
      mkdirSync(place);
    } catch (error) {
      throw writeError(place, error);
    }
  }
  return join(dir, path);
}
