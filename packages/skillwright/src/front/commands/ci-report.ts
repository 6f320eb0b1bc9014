// Findings of skc ci: differences from the lock, dangerous content, mistakes in the project's own skills.

import { join } from 'node:path';
import * as z from 'zod';
import { canonicalPath, displayPath, isInside, realPath } from '../../base/files/index.ts';
import { ScanReport } from '../../guard/scan/index.ts';
import { LintReport } from '../../make/lint/index.ts';
import { findMeant } from '../../read/access/index.ts';
import { readLock, type Verified } from '../../ship/install/index.ts';
import { findSkills } from '../../skill/skill/index.ts';
import type { CommandContext } from './command-context.ts';
import { TestReport } from './test-report.ts';

/** One difference between the lock and the disk. */
const Drift = z.object({
  skill: z.string(),
  kind: z.enum([
    'gone',
    'modified',
    'missing',
    'extra',
    'behind',
    'unshared',
    'left',
    'not-compiled',
    'not-deployed',
    'skills-lock',
  ]),
  path: z.string(),
  message: z.string(),
});
type Drift = z.output<typeof Drift>;

/** The checks. */
const CheckName = z.enum(['verify', 'scan', 'lint', 'test']);

/** The result of all of them. */
export const CiReport = z.object({
  ok: z.boolean(),
  fail_on: z.enum(['error', 'warning']),
  failed: z.array(CheckName).describe('The checks that failed'),
  verify: z.object({
    skills: z.number().int().describe('Installed skills compared with the lock'),
    drift: z.array(Drift),
  }),
  scan: ScanReport,
  lint: LintReport,
  test: TestReport.nullable().describe('The evals of the skills written here; null when they have none'),
});
export type CiReport = z.output<typeof CiReport>;

/** Every difference between the project's disk and what a fresh clone would have after `skc install`. */
export async function findDrift(context: CommandContext): Promise<CiReport['verify']> {
  const { workspace } = context;
  if (workspace.project === undefined) return { skills: 0, drift: [] };
  const { verifyPlaces } = await import('../../ship/install/verify-skills.ts');
  const store = workspace.store('project');
  const display = (path: string) => displayPath(workspace.cwd, path);
  const checked = await verifyPlaces({ skills: [], scope: 'project' }, context);
  const { skills: verified, skills_lock: others } = checked;
  const drift = verified.flatMap((skill) =>
    driftOf(skill, (file) => display(join(store.skills, skill.name, file))),
  );
  const foreign = others
    .filter(({ status }) => status !== 'ok')
    .map(({ name, status, paths }) => ({
      skill: name,
      kind: 'skills-lock' as const,
      path: display(paths[0] ?? join(workspace.project!.dir, 'skills-lock.json')),
      message: `${status}, compared with skills-lock.json`,
    }));
  const left = checked.left.map(({ name, dir }) => ({
    skill: name,
    kind: 'left' as const,
    path: display(dir),
    message: 'the skill is no longer in the lock',
  }));
  return { skills: verified.length + others.length, drift: [...drift, ...left, ...foreign] };
}

const words = {
  modified: 'differs from the lock',
  missing: 'is in the lock but not on disk',
  extra: 'is on disk but not in the lock',
  behind: 'comes from an earlier lock',
  unshared: 'has edits that are not in .skillc/edits',
} as const;

const compiled = {
  missing: 'the skill is not compiled',
  damaged: "its compiled form was changed; 'skc install' rebuilds it",
  stale: 'its compiled form is out of date',
} as const;

function driftOf(verified: Verified, at: (file: string) => string): Drift[] {
  const { name: skill, present, runtime, deployments } = verified;
  if (!present)
    return [{ skill, kind: 'gone', path: at(''), message: "the skill is gone; 'skc install' restores it" }];
  const kinds = ['modified', 'missing', 'extra', 'behind', 'unshared'] as const;
  return [
    ...kinds.flatMap((kind) =>
      verified[kind].map((file) => ({ skill, kind, path: at(file), message: `the file ${words[kind]}` })),
    ),
    // Changed files are reported once.
    ...(runtime === 'ok' || (runtime === 'stale' && kinds.some((kind) => verified[kind].length > 0))
      ? []
      : [{ skill, kind: 'not-compiled' as const, path: at(''), message: compiled[runtime] }]),
    ...deployments
      .filter(({ state }) => state !== 'ok')
      .map(({ agent, path, state }) => ({
        skill,
        kind: 'not-deployed' as const,
        path: path ?? at(''),
        message: `${agent} does not find the skill: ${state}`,
      })),
  ];
}

/** Paths to check: the named ones, else the whole project. */
export function pathsOf(named: readonly string[], { workspace }: CommandContext): readonly string[] {
  if (named.length > 0) return named;
  const root = workspace.project?.dir ?? workspace.cwd;
  // A project without skills has nothing to check.
  for (const { kind } of findSkills(root)) if (kind !== 'skipped') return [root];
  return [];
}

/** Directories of the skills written here, not installed or compiled ones. */
export async function ownSkills(paths: readonly string[], context: CommandContext): Promise<string[]> {
  const { access } = context;
  const foreign = installedDirectories(context).map((dir) => realPath(dir));
  const own = new Map<string, string>();
  for await (const meant of findMeant(paths, access, { operation: 'inspect', asGiven: true })) {
    if (meant.kind !== 'skill') continue;
    const real = canonicalPath(meant.dir);
    if (!foreign.some((dir) => isInside(dir, real))) own.set(real, meant.dir);
  }
  return [...own.values()];
}

/** Directories that skc installs into and compiles to, of the project and of the user. */
export function installedDirectories({ workspace }: Pick<CommandContext, 'workspace'>): string[] {
  return workspace.stores.flatMap(({ skills, runtime, lock }) => [
    runtime,
    ...Object.keys(readLock(lock).lock.skills).map((name) => join(skills, name)),
  ]);
}
