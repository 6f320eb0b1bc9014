// Turns the values of `--target` into lock entries.

import { attempt, catchCoded, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { compareBytes, isInside } from '../../../base/files/index.ts';
import { previewDeployments } from '../../../make/compile/index.ts';
import { resolveTargets } from '../../../skill/agents/index.ts';
import { type DeployForm, spellSourcePath } from '../../../skill/skill/index.ts';
import type { LockTarget } from '../lock/lock.ts';
import { runtimeOf } from './derive-skill.ts';
import { type InstallContext, type InstallPlace, placeTargets } from './install-place.ts';

/** The targets for these values. E100 for an unknown agent, or for a directory that other machines would not have. */
export function readTargets(
  words: readonly string[],
  options: { place: InstallPlace; context: InstallContext; copy: boolean },
): LockTarget[] {
  const { place, context, copy } = options;
  const method = copy ? 'copy' : 'link';
  const single = words.flatMap((list) => list.split(',')).map((word) => word.trim());
  return single.flatMap((word) =>
    resolveTargets([word], context.workspace, place.project).map(({ id, dir }) => ({
      agent: word.includes('/') ? spellDirectory(dir, place) : id,
      method,
    })),
  );
}

function spellDirectory(dir: string, { base, project, home }: InstallPlace): string {
  if (isInside(base, dir) && dir !== base) return spellSourcePath(dir, { project, home });
  const where = project === undefined ? 'the home directory' : 'the project';
  throw SkillwrightError.of(
    'E100',
    { why: `the target ${dir} is outside ${where}` },
    { help: `the lock can only name directories below ${where}, so that it works on every machine` },
  );
}

/** Both lists; for an agent in both the second decides the form. */
export function joinTargets(known: readonly LockTarget[], added: readonly LockTarget[]): LockTarget[] {
  const all = new Map([...known, ...added].map((target) => [target.agent, target]));
  return [...all.values()].sort((a, b) => compareBytes(a.agent, b.agent));
}

/** E013 when something that skc did not make is in the way of a deployment; E019 for the runtime directory. */
export function checkTargets(
  name: string,
  targets: readonly LockTarget[],
  options: { place: InstallPlace; context: InstallContext; force: boolean },
): void {
  const { place, context, force } = options;
  const { dir: runtimeDir, source } = runtimeOf(name, place);
  const { home, project } = place;
  const now = context.now();
  const common = { name, source, runtimeDir, home, project, force, now, platform: process.platform };
  for (const { agent, dir, method } of placeTargets(targets, place, context)) {
    const check = (form: DeployForm) =>
      previewDeployments([{ id: agent, dir }], { ...common, form, copy: method === 'copy' });
    // The form is not known yet. Check for a stub, which conflicts with the most, except for a link to the skill itself:
    // a clone contains that when the skill is deployed whole.
    catchCoded(
      () => check('stub'),
      (error) => {
        if (attempt(() => check('whole')) === undefined) throw error;
      },
    );
  }
}
