// `skills-lock.json`, the lock that the `skills` command line writes into projects, and the copies it describes: read
// and checked, never written.

import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { attempt, hideSecrets, SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  createSha256,
  isInside,
  readError,
  readInside,
  readRegularFile,
  realPath,
} from '../../../base/files/index.ts';
import { agents } from '../../../skill/agents/index.ts';
import { isSkillName } from '../../../skill/format/index.ts';
import { isSkill, readBuildManifest } from '../../../skill/skill/index.ts';
import type { VerifyOutcome } from '../../results/index.ts';
import type { InstallContext } from '../place/install-place.ts';
import { entryOf, type Lock, parseJsonText, readLock } from './lock.ts';

/** Its file name in a project. */
const SKILLS_CLI_LOCK = 'skills-lock.json';

const MAX_BYTES = 16 * 1024 * 1024;

const Entry = z.looseObject({
  source: z.string().min(1),
  sourceType: z.string().optional(),
  ref: z.string().optional(),
  skillPath: z.string().optional(),
  computedHash: z.string().regex(/^[0-9a-f]{64}$/, { error: 'is not a SHA-256 hash' }),
});

const Shape = z.looseObject({
  version: z.literal(1, { error: 'must be 1' }),
  skills: z.record(z.string().refine(isSkillName), Entry),
});

/** One skill of the lock. */
export type SkillsCliEntry = z.output<typeof Entry>;

/** The skills of a project's `skills-lock.json`; undefined when there is none. E211 when it cannot be used. */
export function readSkillsCliLock(project: string): Readonly<Record<string, SkillsCliEntry>> | undefined {
  const path = join(project, SKILLS_CLI_LOCK);
  const bytes = readRegularFile(path, { maxBytes: MAX_BYTES });
  if (bytes === undefined) return undefined;
  const unusable = (why: string) => SkillwrightError.of('E211', { path, why });
  const result = Shape.safeParse(parseJsonText(bytes.toString('utf8'), unusable));
  if (result.success) return result.data.skills;
  throw unusable(`${result.error.issues[0]!.path.map(String).join(' › ') || 'the file'} is not valid`);
}

/** The source of an entry as skc spells it. */
export function sourceOfEntry({ source, sourceType, ref }: SkillsCliEntry): string {
  if (sourceType === 'node_modules') return `./node_modules/${source}`;
  if (sourceType === 'local' && !/^[./~]/.test(source)) return `./${source}`;
  const holdsRef =
    ref !== undefined && (sourceType === 'github' || sourceType === 'gitlab' || sourceType === 'git');
  if (!holdsRef) return source;
  return /^[\w.-]+\/[\w.-]+$/.test(source) ? `${source}@${ref}` : `${source}#${ref}`;
}

/**
 * Its hash of a directory: SHA-256 over the path and the bytes of every regular file, sorted by `localeCompare`,
 * without separators; `.git` and `node_modules` left out. E015 when a part cannot be read.
 */
export function skillsCliHash(dir: string): string {
  const files = filesBelow(dir, '').sort((a, b) => a.localeCompare(b));
  const hasher = createSha256();
  for (const path of files) {
    hasher.update(path);
    hasher.update(readInside(dir, path, { maxBytes: Number.MAX_SAFE_INTEGER }) ?? '');
  }
  return hasher.digest('hex');
}

function filesBelow(dir: string, prefix: string): string[] {
  try {
    return readdirSync(join(dir, prefix), { withFileTypes: true }).flatMap((entry) => {
      if (entry.name === '.git' || entry.name === 'node_modules') return [];
      const path = prefix + entry.name;
      if (entry.isDirectory()) return filesBelow(dir, `${path}/`);
      return entry.isFile() ? [path] : [];
    });
  } catch (error) {
    throw readError(join(dir, prefix), error);
  }
}

/** The copies of one skill. */
interface CliCopies {
  /** Agents that find it, one for each directory. */
  readonly agents: readonly string[];
  /** Real directories inside the project. */
  readonly dirs: readonly string[];
}

/** Searches the agents' directories; skips skc's own deployments and anything outside the project. */
export function findCliCopies(name: string, root: string): CliCopies {
  const found = new Set<string>();
  const ids: string[] = [];
  for (const directory of new Set(agents.map(({ project }) => project))) {
    const dir = join(root, directory, name);
    if (!isSkill(dir) || readBuildManifest(dir) !== undefined) continue;
    const real = realpathSync.native(dir);
    if (!isInside(realPath(root), real)) continue;
    found.add(real);
    const readers = agents.filter(({ project }) => project === directory);
    ids.push((readers.find(({ id }) => id === 'universal') ?? readers[0]!).id);
  }
  return { agents: ids, dirs: [...found] };
}

/** Status of the copies against the hash in the lock. */
export function stateOfCopies(
  { dirs }: Pick<CliCopies, 'dirs'>,
  computedHash: string,
): CheckedCopies['status'] {
  if (dirs.length === 0) return 'missing';
  const hashes = dirs.map((dir) => attempt(() => skillsCliHash(dir)));
  if (hashes.includes(undefined)) return 'unreadable';
  return hashes.every((hash) => hash === computedHash) ? 'ok' : 'modified';
}

/** Status of one of its skills. Several paths if agents have separate copies. */
type CheckedCopies = VerifyOutcome['skills_lock'][number];

/**
 * Checks the skills of a project's `skills-lock.json`; empty without one. Skills that our own lock also names were taken
 * over and are checked there. E211 when it cannot be used.
 */
export function verifySkillsCli(
  { workspace }: Pick<InstallContext, 'workspace'>,
  own: Lock = workspace.project === undefined
    ? { skills: {} }
    : readLock(workspace.store('project').lock).lock,
): CheckedCopies[] {
  const root = workspace.project?.dir ?? workspace.cwd;
  const entries = Object.entries(readSkillsCliLock(root) ?? {});
  const skills = entries.filter(([name]) => entryOf(own, name) === undefined);
  return skills.map(([name, { source, computedHash }]) => {
    const copies = findCliCopies(name, root);
    const status = stateOfCopies(copies, computedHash);
    return { name, source: hideSecrets(source), status, paths: [...copies.dirs] };
  });
}
