// Brings the directories of agents in line with what agents may see: takes away what skc deployed of skills that are
// switched off or denied, and puts it back afterwards. Files that others put there stay, and are reported.

import { dirname, join } from 'node:path';
import { quoteWord } from '../../base/diagnostics/index.ts';
import { isInside, statusAt } from '../../base/files/index.ts';
import { buildAndDeploy, withdrawSkill } from '../../make/compile/index.ts';
import { createAccess } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import {
  openWorkspace,
  readSwitchedOff,
  readWithdrawn,
  type Workspace,
  writeWithdrawn,
} from '../../skill/workspace/index.ts';
import type { Settled } from '../results/index.ts';
import { readAgentsInSight } from './agent-view.ts';
import type { DoctorContext } from './survey.ts';
import { whoSees } from './who-sees.ts';

/** Settles all skills of the catalog. `dryRun` changes nothing. */
export async function settleDeployments(
  context: Pick<DoctorContext, 'workspace' | 'now'>,
  dryRun = false,
): Promise<Settled[]> {
  const { cwd, home, env } = context.workspace;
  // Opened again when switches or rules have just changed.
  const workspace = context.workspace.isCurrent()
    ? context.workspace
    : await openWorkspace({ cwd, home, env });
  const { user, project } = workspace;
  const before = readWithdrawn(user);
  const { permissions } = await workspace.config();
  const isAnyForbidden = workspace.off.names.length + permissions.deny.length > 0;
  if (!isAnyForbidden && Object.keys(before).length === 0) return [];
  const access = createAccess({ workspace, by: 'model', memory: () => undefined });
  const catalog = await access.catalog({ fresh: true });
  const { hidden } = await access.view(catalog);
  const forbidden = new Map(
    hidden.flatMap(({ skill, reason }) =>
      reason === 'disabled' || reason === 'denied' ? [[skill.dir, { skill, reason }] as const] : [],
    ),
  );
  // A switch of a project holds in the project; other projects go on to use the skill.
  const offForUser = readSwitchedOff([user]);
  const after = { ...before };
  const settled: Settled[] = [];
  for (const [dir, { skill, reason }] of forbidden) {
    const isEverywhere =
      reason === 'denied' ||
      offForUser.has([skill.name], dir) ||
      (project !== undefined && isInside(project.dir, dir));
    const isMeant = (place: string) =>
      isEverywhere || (project !== undefined && isInside(project.dir, place));
    const { removed } = withdrawSkill(dir, workspace, { isMeant, dryRun });
    if (removed.length > 0) after[dir] = [...new Set([...(before[dir] ?? []), ...removed])];
    settled.push(settledOf(skill, { removed }));
  }
  for (const skill of catalog.skills) {
    const places = forbidden.has(skill.dir) ? undefined : before[skill.dir];
    if (places === undefined) continue;
    delete after[skill.dir];
    if (!dryRun) await deployAgain(skill, places, { workspace, now: context.now() });
    settled.push(settledOf(skill, { restored: [...places] }));
  }
  if (!dryRun && JSON.stringify(after) !== JSON.stringify(before)) writeWithdrawn(user, after);
  const sights = settled.length === 0 ? undefined : whoSees(readAgentsInSight({ ...context, workspace }));
  return settled.flatMap((one, at) => {
    const dir = [...forbidden.keys()][at];
    const seen = (dir === undefined ? [] : (sights?.of(dir) ?? [])).filter(
      ({ unseen, place }) => !unseen && !one.removed.includes(place),
    );
    const [first] = seen;
    if (one.removed.length + one.restored.length + seen.length === 0) return [];
    const fix =
      first === undefined
        ? null
        : forbidden.get(dir!)!.skill.deployed.length > 0
          ? `skc skills --disable ${quoteWord(one.name)} --scope user`
          : isLink(first.place)
            ? `rm ${quoteWord(first.place)}`
            : `skc build ${quoteWord(first.place)} --import`;
    const seen_by = seen.map(({ agent, place }) => ({ agent, place }));
    return [{ ...one, seen_by, fix }];
  });
}

const isLink = (path: string) => statusAt(path)?.isSymbolicLink() === true;

const settledOf = (
  { name }: SkillRecord,
  change: { readonly removed?: string[]; readonly restored?: string[] },
): Settled => ({ name, removed: [], restored: [], seen_by: [], fix: null, ...change });

/** Builds the skill again into the same directories. */
async function deployAgain(
  { dir }: SkillRecord,
  places: readonly string[],
  { workspace, now }: { readonly workspace: Workspace; readonly now: Date },
): Promise<void> {
  const { search } = await workspace.config();
  const request = {
    ...{ global: false, copy: false, force: false, import: false, scope: 'user' as const },
    targets: [...new Set(places.map((place) => join(dirname(place), '/')))],
    ...{ tokenizer: search.tokenizer, now },
  };
  const scope = workspace.stores.find((store) => isInside(store.base, dir))?.scope;
  buildAndDeploy({ dir, scope }, request, workspace);
}
