// skc verify: whether what is installed is what was installed.

import * as z from 'zod';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';
import { AcceptanceOutput, ScopeInput } from './install-output.ts';

const Verified = z.object({
  name: z.string(),
  scope: z.enum(['project', 'user']),
  ok: z.boolean(),
  present: z.boolean().describe('False when its directory is gone'),
  modified: z.array(z.string()),
  missing: z.array(z.string()),
  extra: z.array(z.string()),
  edited: z.array(z.string()).describe('Edits that an update has kept; no drift'),
  runtime: z.enum(['ok', 'missing', 'stale']),
  deployments: z.array(
    z.object({
      agent: z.string(),
      method: z.enum(['link', 'copy']),
      path: z.string().nullable(),
      state: z.enum(['ok', 'missing', 'broken', 'foreign', 'changed', 'unusable']),
    }),
  ),
  accepted: z.array(AcceptanceOutput).describe('Findings of the scan that somebody accepted'),
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
    skills: z.array(z.string()).default([]).describe('Names of installed skills; none for all'),
    scope: ScopeInput.describe('Whose skills; both without it'),
  }),
  positionals: ['skills'],
  output: z.object({
    skills: z.array(Verified),
    skills_lock: z.array(CliSkill).describe('Skills of a skills-lock.json in the project'),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'inspect' },
  about:
    'Reports every file that differs from the lock, and links that are gone or lead elsewhere; the exit status is 1 then. ' +
    'Edits that an update has kept are named, and are no fault.',
  examples: [
    { line: 'skc verify', note: 'everything that is installed' },
    { line: 'skc verify pdf --json', note: 'one skill, for a program' },
  ],
  async run({ skills, scope }, context) {
    const [{ verifySkills }, { verifySkillsCli }] = await Promise.all([
      import('../../ship/install/verify-skills.ts'),
      import('../../ship/install/verify-skills-cli.ts'),
    ]);
    const verified = await verifySkills({ skills, scope }, context);
    const others = skills.length > 0 || scope === 'user' ? [] : verifySkillsCli(context);
    return {
      skills: verified.map((skill) => ({ ...skill, accepted: [...skill.accepted] })),
      skills_lock: others,
    };
  },
  text({ skills, skills_lock }) {
    const lines = [
      ...skills.flatMap(describe),
      ...skills_lock.map(({ name, status }) => `${name} (skills-lock.json): ${status}`),
    ];
    return lines.length === 0 ? 'nothing is installed\n' : `${lines.join('\n')}\n`;
  },
  failed: ({ skills, skills_lock }) =>
    skills.some(({ ok }) => !ok) || skills_lock.some(({ status }) => status !== 'ok'),
});

const states = {
  ok: 'ok',
  missing: 'is not there',
  broken: 'leads nowhere',
  foreign: 'is something else',
  changed: 'is not as skc made it',
  unusable: 'cannot be used here',
} as const;

function describe(skill: z.output<typeof Verified>): string[] {
  const { name, ok, present, runtime, deployments } = skill;
  if (!present) return [`${name}: its directory is gone; 'skc install' restores it`];
  const kinds = ['modified', 'missing', 'extra', 'edited'] as const;
  return [
    `${name}: ${ok ? 'ok' : 'differs from the lock'}`,
    ...kinds.flatMap((kind) => skill[kind].map((path) => `  ${kind}: ${makeVisible(path)}`)),
    ...(runtime === 'missing' ? ['  not compiled'] : []),
    ...deployments
      .filter(({ state }) => state !== 'ok')
      .map(({ agent, path, state }) => `  ${makeVisible(agent)}: ${path ?? 'the target'} ${states[state]}`),
    ...skill.accepted.map(describeAccepted),
  ];
}

function describeAccepted(accepted: z.output<typeof AcceptanceOutput>): string {
  const { rule, file, by, reason, at, holds } = accepted;
  const state = holds ? '' : '; the file has changed since';
  return makeVisible(`  accepted: ${rule} in ${file}, by ${by} on ${at.slice(0, 10)}: ${reason}${state}`);
}
