// Access of a skill's code: its own files, and everything it declares and the user grants.

import { cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  type Environment,
  isDirectory,
  isInside,
  realPath,
  removePath,
  renamePath,
  sha256,
  statusAt,
  temporaryBeside,
  writeError,
} from '../../base/files/index.ts';
import { readSkillFields } from '../../skill/format/index.ts';
import { nameSkill } from '../../skill/skill/index.ts';
import { storeAt } from '../../skill/workspace/index.ts';
import { recallGrants, rememberGrants } from './grant-memory.ts';
import type { SkillCopy } from './prepare-skill.ts';
import type { Sandbox, SandboxedCommand, ShownPlace } from './sandbox.ts';
import { declaredGrants, type Grant, readGrants, spellGrant } from './sandbox-grants.ts';
import { skillDigest } from './skill-tree.ts';

/** Environment in which a skill runs. */
export interface AccessContext {
  /** Absolute; contains the grants. */
  readonly home: string;
  /** Default: the environment of this process. */
  readonly env?: Environment | undefined;
  /**
   * Directories of skills inside the skill at `dir` that its code must not see, with a trailing `/`; `manifests` are their
   * SKILL.md files. Default: all of them.
   */
  readonly fencedIn?: ((dir: string, manifests: readonly string[]) => Promise<readonly string[]>) | undefined;
}

/** Declared and granted access of a skill. */
export interface SkillGrants {
  /** Canonical. */
  readonly dir: string;
  readonly name: string;
  readonly declared: readonly Grant[];
  /** Declared, and granted to the current content. */
  readonly granted: readonly Grant[];
  /** Problems with the declaration. */
  readonly problems: readonly string[];
  /** Digest of everything its code can read; undefined when nothing depends on it. */
  readonly digest: string | undefined;
}

/** The part of a sandboxed command that the skill determines. */
export type SkillAccess = Required<
  Pick<SandboxedCommand, 'cwd' | 'env' | 'readable' | 'shown' | 'masked' | 'network' | 'alone'>
>;

/** Reads the declaration and grants of a skill. E010, E012 or E015 when it cannot be read. */
export function readSkillGrants(directory: string, { home }: Pick<AccessContext, 'home'>): SkillGrants {
  const dir = realpathSync.native(directory);
  const fields = readSkillFields(dir);
  // Most skills declare nothing and need no digest.
  const digest = declaredGrants(fields).grants.length === 0 ? undefined : skillDigest(dir);
  return grantsOf(fields, { dir, digest, home });
}

/** The declared grants of a frontmatter, and those this version has. */
export function grantsOf(
  fields: Readonly<Record<string, unknown>>,
  { dir, digest, home }: { readonly dir: string; readonly digest: string | undefined; readonly home: string },
): SkillGrants {
  const { grants: declared, problems } = declaredGrants(fields);
  const known = digest === undefined ? [] : recallGrants(home, { dir, digest }).map(spellGrant);
  const granted = declared.filter((grant) => known.includes(spellGrant(grant)));
  return { dir, name: nameSkill(fields, dir), declared, granted, problems, digest };
}

/** Grants a skill more of its declared needs, and remembers it. E100 for an undeclared one. */
export function grantToSkill<Skill extends SkillGrants>(
  skill: Skill,
  words: readonly string[],
  { home }: Pick<AccessContext, 'home'>,
): Skill {
  const { grants, problems } = readGrants(words.join(' '));
  if (problems[0] !== undefined) throw invalidOption(problems[0]);
  const declared = skill.declared.map(spellGrant);
  const stranger = grants.map(spellGrant).find((grant) => !declared.includes(grant));
  if (stranger !== undefined) {
    const why = `the skill does not declare ${stranger}`;
    const help =
      declared.length === 0 ? 'it declares nothing in metadata.sandbox' : `it declares ${declared.join(' ')}`;
    throw invalidOption(why, help);
  }
  if (grants.length === 0 || skill.digest === undefined) return skill;
  rememberGrants(home, { dir: skill.dir, digest: skill.digest }, grants);
  const all = [...skill.granted, ...grants].map(spellGrant);
  return { ...skill, granted: skill.declared.filter((grant) => all.includes(spellGrant(grant))) };
}

/** Path of a prepared skill inside the sandbox. */
export function placeInside({ dir, root }: SkillCopy, { relocates = false }: Sandbox): string {
  return relocates ? dir : root;
}

/**
 * Access for code of the skill. E074 when the skill's directory contains the home directory; E012 when a
 * writable directory is a link.
 */
export function skillAccess(
  skill: SkillCopy,
  { home, env = process.env, sandbox }: AccessContext & { readonly sandbox: Sandbox },
): SkillAccess {
  const { dir, name, granted, root } = skill;
  if (isInside(dir, realPath(home)) || isInside(dir, realPath(env.HOME ?? home)))
    throw SkillwrightError.of('E074', { why: `the skill at '${dir}' contains the home directory` });
  const variables = granted.flatMap((grant) => {
    const value = grant.kind === 'env' ? env[grant.name] : undefined;
    return value === undefined || grant.kind !== 'env' ? [] : [[grant.name, value]];
  });
  const place = placeInside(skill, sandbox);
  const own = place === root ? [] : [{ from: root, at: place }];
  const written = writablePlaces(skill, { home, place });
  return {
    cwd: place,
    env: {
      ...(env.TZ === undefined ? {} : { TZ: env.TZ }),
      ...Object.fromEntries(variables),
      SKILL_DIR: place,
      SKILL_NAME: name,
      CLAUDE_SKILL_DIR: place,
    },
    readable: place === root ? [root] : [],
    shown: [...own, ...written],
    masked: skill.closed.map((path) => join(place, path)),
    network: granted.some(({ kind }) => kind === 'network'),
    alone: root !== dir && written.length === 0,
  };
}

/** Kept paths of the directories that a skill may change. */
export function keptDirectories(
  { digest, granted, ...skill }: SkillGrants,
  { home }: Pick<AccessContext, 'home'>,
): Record<string, string> {
  // A skill without a digest has no grants.
  if (digest === undefined) return {};
  const paths = outermost(writablePaths(granted));
  return Object.fromEntries(paths.map((path) => [path, dataDirectory(home, { ...skill, digest }, path)]));
}

function writablePlaces(
  skill: SkillCopy,
  { home, place }: { readonly home: string; readonly place: string },
): ShownPlace[] {
  const asLink = place === skill.root;
  return Object.entries(keptDirectories(skill, { home })).map(([path, kept]) => {
    openDataDirectory(kept, path, { root: skill.root, asLink });
    return { from: kept, at: asLink ? kept : join(place, path), writable: true };
  });
}

const writablePaths = (grants: readonly Grant[]) =>
  grants.flatMap((grant) => (grant.kind === 'write' ? [grant.path] : []));

/** Drops nested directories: a running script could replace one with a link after the check. */
function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
}

/** One version of one skill. */
interface SkillVersion {
  /** Canonical. */
  readonly dir: string;
  /** Safe as a directory name. */
  readonly name: string;
  readonly digest: string;
}

/** Path of the kept files for a directory that this version of a skill may change. */
function dataDirectory(home: string, { dir, name, digest }: SkillVersion, path: string): string {
  const version = `${name}-${sha256(`${dir}\0${digest}`).slice(0, 16)}`;
  return join(storeAt('user', home).root, 'data', version, path.replaceAll('/', '%'));
}

/**
 * Creates it on first use, with the files the skill ships there. In the private copy at `root` the directory is created too, or
 * becomes a link to the kept one. E012 when a part of its path is a link, E016 when it cannot be created.
 */
function openDataDirectory(
  kept: string,
  path: string,
  { root, asLink }: { readonly root: string; readonly asLink: boolean },
): void {
  const place = join(root, path);
  const segments = path.split('/');
  for (let depth = 1; depth <= segments.length; depth++) {
    const part = segments.slice(0, depth).join('/');
    const status = statusAt(join(root, part));
    if (status !== undefined && !status.isDirectory()) throw SkillwrightError.of('E012', { path: part });
  }
  try {
    mkdirSync(place, { recursive: true });
    if (!isDirectory(kept)) seed(kept, place);
    if (asLink) {
      removePath(place, { recursive: true });
      symlinkSync(kept, place);
    }
  } catch (error) {
    throw writeError(kept, error);
  }
}

/** Creates the directory atomically; another process may have been faster. */
function seed(kept: string, shipped: string): void {
  mkdirSync(join(kept, '..'), { recursive: true, mode: 0o700 });
  const staged = temporaryBeside(kept);
  cpSync(shipped, staged, { recursive: true, verbatimSymlinks: true });
  try {
    renamePath(staged, kept);
  } catch (error) {
    removePath(staged, { recursive: true, force: true });
    if (!isDirectory(kept)) throw error;
  }
}
