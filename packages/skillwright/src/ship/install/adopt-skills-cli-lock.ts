// Takes over the skills of a `skills-lock.json` in a project that skc has no lock for yet.

import { join } from 'node:path';
import { attempt, diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import { isThere } from '../../base/files/index.ts';
import type { Failure, InstallOutcome } from '../results/index.ts';
import { installSkills } from './install-skills.ts';
import {
  findCliCopies,
  readSkillsCliLock,
  type SkillsCliEntry,
  sourceOfEntry,
  stateOfCopies,
} from './lock/skills-cli-lock.ts';
import type { InstallContext, InstallPlace } from './place/install-place.ts';
import { editedError, failureOf } from './plan/consent.ts';
import type { InstallRequest } from './plan/plan-skill.ts';
import { spellForLock } from './source/locked-source.ts';
import { readSource } from './source/read-source.ts';

type AdoptRequest = Omit<InstallRequest, 'source' | 'skills' | 'all' | 'expected' | 'lockedAs'>;

/**
 * Installs every skill of the project's `skills-lock.json`: from its source if that still matches the hash, else from
 * the copy in the project if that is intact. The same agents get it; the other tool's copies and links are kept as
 * backups. Undefined when there is no such file. One skill's failure does not stop the rest. E211 when the file cannot be
 * used, E100 outside a project.
 */
export async function adoptSkillsCliLock(
  place: InstallPlace,
  request: AdoptRequest,
  context: InstallContext,
): Promise<InstallOutcome | undefined> {
  const entries = readSkillsCliLock(place.project ?? context.workspace.cwd);
  if (entries === undefined || request.scope === 'user') return undefined;
  if (place.project === undefined) {
    const help = "run 'skc init' to make this directory a project, or pass --scope user to use your own lock";
    throw SkillwrightError.of('E100', { why: 'skills-lock.json is outside a project' }, { help });
  }
  const here = { ...context, workspace: { ...context.workspace, cwd: place.base } };
  const skills: InstallOutcome['skills'] = [];
  const failed: Failure[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    try {
      skills.push(...(await adoptSkill(name, entry, { place, request, context: here })));
    } catch (error) {
      failed.push(failureOf(name, error, context));
    }
  }
  const installed = !request.dryRun;
  return { scope: place.scope, source: 'skills-lock.json', installed, declined: false, skills, failed };
}

interface Adoption {
  readonly place: InstallPlace;
  readonly request: AdoptRequest;
  readonly context: InstallContext;
}

async function adoptSkill(
  name: string,
  entry: SkillsCliEntry,
  { place, request, context }: Adoption,
): Promise<InstallOutcome['skills']> {
  const copies = findCliCopies(name, place.base);
  const state = stateOfCopies(copies, entry.computedHash);
  if (state !== 'ok' && state !== 'missing' && !request.force) {
    const help = `it does not match skills-lock.json; --force installs the source's version and backs up yours`;
    throw editedError(name, copies.dirs, help);
  }
  const stored = join(place.store.skills, name);
  if (isThere(stored) && !request.force) throw SkillwrightError.of('E013', { path: stored });
  const source = sourceOfEntry(entry);
  const wanted = {
    ...request,
    source,
    skills: [name],
    all: false,
    expected: new Map([[name, entry.computedHash]]),
    // Nothing is lost: the existing directory has the same content, and a backup is kept.
    ...(copies.agents.length === 0 ? {} : { targets: copies.agents, force: true }),
  };
  try {
    return (await installSkills(wanted, context)).skills;
  } catch (error) {
    const [dir] = copies.dirs;
    if (state !== 'ok' || dir === undefined || !isSourceGone(error)) throw error;
    context.report(diagnose('W226', { skill: name, why: error.message }));
    const lockedAs = await lockedEntry(entry, { place, context });
    return (await installSkills({ ...wanted, source: dir, expected: undefined, lockedAs }, context)).skills;
  }
}

/** Whether a failure is about reaching the source, not about its content. */
function isSourceGone(error: unknown): error is SkillwrightError {
  const codes = [
    'E001',
    'E200',
    'E201',
    'E202',
    'E204',
    'E206',
    'E207',
    'E209',
    'E210',
    'E214',
    'E215',
    'E217',
  ];
  return error instanceof SkillwrightError && codes.includes(error.code);
}

/** The lock entry: it names the original source, although the files came from the project. */
async function lockedEntry(
  entry: SkillsCliEntry,
  { place, context: { workspace } }: Pick<Adoption, 'place' | 'context'>,
): Promise<InstallRequest['lockedAs']> {
  const config = await workspace.config();
  const text = sourceOfEntry(entry);
  const source = attempt(() => readSource(text, { cwd: place.base, home: workspace.home, config }));
  const path = entry.skillPath?.replace(/(?:^|\/)SKILL\.md$/, '').replace(/\/+$/, '') ?? '';
  return { source: source === undefined ? text : spellForLock(source, place), path };
}
