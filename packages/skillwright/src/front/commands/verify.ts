// skc verify: compares installed skills with the lock.

import * as z from 'zod';
import { makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';
import { AcceptanceOutput, OriginOutput, ScopeInput, showOrigin } from './install-output.ts';

const Verified = z.object({
  name: z.string(),
  scope: z.enum(['project', 'user']),
  source: z.string(),
  origin: OriginOutput,
  ok: z.boolean(),
  present: z.boolean().describe('False when its directory is gone'),
  modified: z.array(z.string()),
  missing: z.array(z.string()),
  extra: z.array(z.string()),
  edited: z.array(z.string()).describe('Edits that belong to the project and do not fail'),
  behind: z.array(z.string()).describe('Files from an earlier lock; skc install updates them'),
  unshared: z.array(z.string()).describe('Edits missing from .skillc/edits, so other machines lack them'),
  runtime: z.enum(['ok', 'missing', 'stale', 'damaged']),
  deployments: z.array(
    z.object({
      agent: z.string(),
      method: z.enum(['link', 'copy']),
      path: z.string().nullable(),
      state: z.enum(['ok', 'missing', 'broken', 'foreign', 'changed', 'unusable']),
    }),
  ),
  accepted: z.array(AcceptanceOutput).describe('Findings of the scan that somebody accepted'),
  log: z
    .object({
      state: z.enum(['ok', 'missing', 'bad', 'unpinned']),
      why: z.string(),
      code: z.string().nullable(),
    })
    .nullable()
    .describe('Whether the log of its registry contains it, with --log'),
  faults: z.array(z.string()).describe('Why --strict fails'),
});

const Left = z.object({
  name: z.string(),
  scope: z.enum(['project', 'user']),
  dir: z.string(),
  edited: z.boolean(),
});

const CliSkill = z.object({
  name: z.string(),
  source: z.string(),
  status: z.enum(['ok', 'modified', 'missing', 'unreadable']),
  paths: z.array(z.string()),
});

/** Compares installed skills with the lock. */
export const verify = defineCommand({
  input: z.strictObject({
    skills: z.array(z.string()).default([]).describe('Names of installed skills; without one, all'),
    scope: ScopeInput.describe('Only the project, or only yours; without it, both'),
    strict: z.boolean().default(false).describe('Also fail on anything a fresh clone would not have; for CI'),
    log: z
      .boolean()
      .default(false)
      .describe('Also check the proofs that registries have these versions in their logs; uses no network'),
    offline: z
      .boolean()
      .default(false)
      .describe('Never use the network: show the last answers of registries'),
  }),
  positionals: ['skills'],
  output: z.object({
    strict: z.boolean(),
    skills: z.array(Verified),
    left: z.array(Left).describe('Installed skills that are no longer in the lock'),
    skills_lock: z.array(CliSkill).describe('Skills of a skills-lock.json in the project'),
  }),
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'inspect' },
  about:
    'Reports files that differ from the lock, and links that are missing or point elsewhere; then the exit code is 1. Edits that an update kept belong to the project: they are listed, and do not fail. `--strict` also fails on an outdated build, on edits that are not stored next to the lock, on accepted findings you have not confirmed, and on skills that are no longer in the lock.\nRegistries are asked for warnings about the installed versions, with one request for up to a hundred of them; if one cannot be asked, its last answer is shown, and when it was. `--log` checks, without the network, that the logs of registries contain the installed versions: it needs the pinned keys (`registry.key`) and the proofs in `.skillc/proofs`.',
  examples: [
    { line: 'skc verify', note: 'check everything that is installed' },
    { line: 'skc verify pdf --json', note: 'one skill, for a program' },
    { line: 'skc verify --strict --scope project', note: 'check in CI, after skc install' },
    { line: 'skc verify --log', note: 'also check the proofs from the logs of registries' },
  ],
  async run({ skills, scope, strict, log, offline }, context) {
    const { verifyPlaces } = await import('../../ship/install/verify-skills.ts');
    const checked = await verifyPlaces({ skills, scope, log, offline }, context);
    const { skills: verified, left, others } = checked;
    return {
      strict,
      skills: verified.map((skill) => ({
        ...skill,
        accepted: skill.accepted.map(({ confirmed: _, ...one }) => one),
      })),
      left: left.map(({ name, scope: whose, dir, isEdited }) => ({
        name,
        scope: whose,
        dir,
        edited: isEdited,
      })),
      skills_lock: others,
    };
  },
  text({ skills, skills_lock, left, strict }, { paint }) {
    const lines = [
      ...skills.flatMap((skill) => describeVerified(skill, { isStrict: strict, paint })),
      ...left.map(({ name, dir, edited }) => describeLeft(name, dir, edited)),
      ...skills_lock.map(
        ({ name, status }) =>
          `${name} (skills-lock.json): ${paint[status === 'ok' ? 'good' : 'error'](status)}`,
      ),
    ];
    return lines.length === 0 ? 'no skills installed\n' : `${lines.join('\n')}\n`;
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
  skill: z.output<typeof Verified>,
  { isStrict, paint }: { isStrict: boolean; paint: Paint },
): string[] {
  const { name, ok, present, runtime, deployments, behind, modified, extra, unshared } = skill;
  if (!present) return [`${name}: ${paint.error('its directory is gone')}; 'skc install' restores it`];
  const kinds = ['modified', 'missing', 'extra', 'edited', 'behind'] as const;
  const isBehind = behind.length > 0 && modified.length + extra.length === 0;
  const isUnproved = skill.log?.state === 'missing' || skill.log?.state === 'bad';
  const state = isBehind
    ? "behind the lock; 'skc install' updates it"
    : isUnproved
      ? 'is not proved by the log'
      : 'differs from the lock';
  return [
    `${name}${verifiedOrigin(skill)}: ${ok ? paint.good('ok') : paint.error(state)}`,
    ...(skill.log === null ? [] : [`  log: ${makeVisible(skill.log.why)}`]),
    ...(skill.log?.state === 'bad'
      ? [`  to fetch another proof, remove .skillc/proofs/${name}.txt and run 'skc update ${name}'`]
      : []),
    ...kinds.flatMap((kind) => skill[kind].map((path) => `  ${kind}: ${makeVisible(path)}`)),
    ...unshared.map((path) => `  not in .skillc/edits, so other machines lack it: ${makeVisible(path)}`),
    ...(runtime === 'missing' ? ['  not compiled'] : []),
    ...(isStrict && runtime === 'stale' ? ['  the compiled form is out of date'] : []),
    ...(runtime === 'damaged' ? ["  the compiled form was changed; 'skc install' rebuilds it"] : []),
    ...deployments
      .filter(({ state: how }) => how !== 'ok')
      .map(
        ({ agent, path, state: how }) => `  ${makeVisible(agent)}: ${path ?? 'the target'} ${states[how]}`,
      ),
    ...skill.accepted.map(describeAccepted),
    ...(isStrict && ok && skill.faults.length > 0
      ? ['  strict:', ...skill.faults.map((fault) => `    ${makeVisible(fault)}`)]
      : []),
  ];
}

/** The owner and the registry of a skill from a registry. */
function verifiedOrigin(skill: z.output<typeof Verified>): string {
  return skill.origin === null ? '' : ` from ${makeVisible(showOrigin(skill))}`;
}

function describeLeft(name: string, dir: string, isEdited: boolean): string {
  const way = isEdited ? 'it was edited, so it stays until you remove it' : "'skc install' removes it";
  return `${name}: no longer in the lock, but still at ${dir}; ${way}`;
}

function describeAccepted(accepted: z.output<typeof AcceptanceOutput>): string {
  const { rule, file, by, reason, at, holds } = accepted;
  const state = holds ? '' : '; the file has changed since';
  return makeVisible(`  accepted: ${rule} in ${file}, by ${by} on ${at.slice(0, 10)}: ${reason}${state}`);
}
