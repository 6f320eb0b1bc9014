// skc verify: compares installed skills with the lock.

import { makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import { showOrigin, VerifyOutcome } from '../../ship/results/index.ts';
import { defineCommand, type Line } from './define-command.ts';
import { flag, scopeField, texts } from './fields.ts';

/** Compares installed skills with the lock. */
export const verify = defineCommand({
  fields: {
    skills: texts('Names of installed skills; without one, all'),
    scope: scopeField('Only the project, or only yours; without it, both'),
    strict: flag('Also fail on anything a fresh clone would not have; for CI'),
    log: flag('Also check the proofs that registries have these versions in their logs; uses no network'),
    offline: flag('Never use the network: show the last answers of registries'),
  },
  positionals: ['skills'],
  output: VerifyOutcome,
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'inspect' },
  about:
    'Reports files that differ from the lock, and links that are missing or point elsewhere; then the exit code is 1. Edits that an update kept belong to the project: they are listed, and do not fail. `--strict` also fails on an outdated build, on edits that are not stored next to the lock, on accepted findings you have not confirmed, and on skills that are no longer in the lock.\nRegistries are asked for warnings about the installed versions, with one request for up to a hundred of them; if one cannot be asked, its last answer is shown, and when it was. `--log` checks, without the network, that the logs of registries contain the installed versions: it needs the keys (`registry.key`, or those this machine saw first) and the proofs in `.skillc/proofs`. A version that it cannot check counts as a failure.',
  examples: {
    'skc verify': 'check everything that is installed',
    'skc verify pdf --json': 'one skill, for a program',
    'skc verify --strict --scope project': 'check in CI, after skc install',
    'skc verify --log': 'also check the proofs from the logs of registries',
  },
  async run({ skills, scope, strict, log, offline }, context) {
    const { verifyPlaces } = await import('../../ship/install/verify-skills.ts');
    return verifyPlaces({ skills, scope, strict, log, offline }, context);
  },
  text({ skills, skills_lock, left, strict }, { paint }) {
    if (skills.length + left.length + skills_lock.length === 0) return ['no skills installed'];
    return [
      skills.map((skill) => describeVerified(skill, { isStrict: strict, paint })),
      left.map(({ name, dir, edited }) => describeLeft(name, dir, edited)),
      skills_lock.map(
        ({ name, status }) =>
          `${name} (skills-lock.json): ${paint[status === 'ok' ? 'good' : 'error'](status)}`,
      ),
    ];
  },
  failed: ({ skills, skills_lock, left, strict }) =>
    skills.some(({ ok, faults }) => !ok || (strict && faults.length > 0)) ||
    (strict && left.length > 0) ||
    skills_lock.some(({ status }) => status !== 'ok'),
});

const states = {
  ok: 'ok',
  missing: 'is missing',
  broken: 'is a broken link',
  foreign: 'was replaced by something else',
  changed: 'was changed',
  unusable: 'cannot be used here',
} as const;

function describeVerified(
  skill: VerifyOutcome['skills'][number],
  { isStrict, paint }: { isStrict: boolean; paint: Paint },
): Line {
  const { name, ok, present, runtime, deployments, behind, modified, extra, unshared } = skill;
  if (!present) return [`${name}: ${paint.error('its directory is gone')}; 'skc install' restores it`];
  const kinds = ['modified', 'missing', 'extra', 'edited', 'behind'] as const;
  const isBehind = behind.length > 0 && modified.length + extra.length === 0;
  const isUnproved = skill.log !== null && skill.log.state !== 'ok';
  const state = isBehind
    ? "behind the lock; 'skc install' updates it"
    : isUnproved
      ? 'is not proved by the log'
      : 'differs from the lock';
  return [
    `${name}${verifiedOrigin(skill)}: ${ok ? paint.good('ok') : paint.error(state)}`,
    skill.log && `  log: ${makeVisible(skill.log.why)}`,
    skill.log?.state === 'bad' &&
      `  to fetch another proof, remove .skillc/proofs/${name}.txt and run 'skc update ${name}'`,
    kinds.map((kind) => skill[kind].map((path) => `  ${kind}: ${makeVisible(path)}`)),
    unshared.map((path) => `  not in .skillc/edits, so other machines lack it: ${makeVisible(path)}`),
    runtime === 'missing' && '  not compiled',
    isStrict && runtime === 'stale' && '  the compiled form is out of date',
    runtime === 'damaged' && "  the compiled form was changed; 'skc install' rebuilds it",
    deployments
      .filter(({ state: how }) => how !== 'ok')
      .map(
        ({ agent, path, state: how }) => `  ${makeVisible(agent)}: ${path ?? 'the target'} ${states[how]}`,
      ),
    skill.accepted.map(describeAccepted),
    isStrict &&
      ok &&
      skill.faults.length > 0 && ['  strict:', skill.faults.map((fault) => `    ${makeVisible(fault)}`)],
  ];
}

/** The owner and the registry of a skill from a registry. */
function verifiedOrigin(skill: VerifyOutcome['skills'][number]): string {
  return skill.origin === null ? '' : ` from ${makeVisible(showOrigin(skill))}`;
}

function describeLeft(name: string, dir: string, isEdited: boolean): string {
  const way = isEdited ? 'it was edited, so it stays until you remove it' : "'skc install' removes it";
  return `${name}: no longer in the lock, but still at ${dir}; ${way}`;
}

function describeAccepted(accepted: VerifyOutcome['skills'][number]['accepted'][number]): string {
  const { rule, file, by, reason, at, holds } = accepted;
  const state = holds ? '' : '; the file has changed since';
  return makeVisible(`  accepted: ${rule} in ${file}, by ${by} on ${at.slice(0, 10)}: ${reason}${state}`);
}
