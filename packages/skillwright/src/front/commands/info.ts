// skc info: everything about one skill.

import { join } from 'node:path';
import * as z from 'zod';
import { formatCount, makeVisible } from '../../base/diagnostics/index.ts';
import { formatBytes, realPath, statusAt, walkTree } from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { findRuntimeOf } from '../../read/access/index.ts';
import { lastUse, measureSkill } from '../../read/usage/index.ts';
import { noticeLine } from '../../ship/network/index.ts';
import { InstallFacts, showOrigin, versionLabel } from '../../ship/results/index.ts';
import { readSkillText } from '../../skill/format/index.ts';
import { openSkill, readBuildManifest, readSpelledPath } from '../../skill/skill/index.ts';
import { defineCommand } from './define-command.ts';
import { author, text } from './fields.ts';
import { formWord, offerOf, SkillState, statusWord } from './list.ts';
import { formatCell } from './render-table.ts';

const Info = z.object({
  name: z.string(),
  scope: z.enum(['project', 'user']).nullable().describe('Null for a skill that skc does not manage'),
  state: SkillState.describe('Whether skc offers it to agents'),
  status: z.enum(['normal', 'not-built', 'obsolete']).nullable(),
  source_path: z.string(),
  runtime_path: z.string().nullable(),
  form: z.enum(['stub', 'files', 'whole']).nullable().describe('The form it is deployed in'),
  why: z.string().nullable().describe('Why it has this form'),
  deployed: z.array(z.string()).describe('Where agents have it now'),
  seen_by: z
    .array(
      z.object({
        agent: z.string(),
        name: z.string().describe('The name under which the agent lists it'),
        place: z.string().describe('Where the agent finds it'),
        unseen: z.string().optional().describe('Why the agent does not list it; absent when it does'),
      }),
    )
    .describe('The agents used here that have it in their directories'),
  files: z.number().int(),
  bytes: z.number().int(),
  tokens: z.object({
    skill_md: z.number().int().describe('Tokens of SKILL.md'),
    all: z.number().int().describe('Tokens of all its text files'),
  }),
  scan: z.object({ verdict: z.enum(['clean', 'caution', 'danger']), findings: z.number().int() }),
  last_used: z.string().nullable(),
  changes: z
    .object({
      modified: z.array(z.string()),
      missing: z.array(z.string()),
      extra: z.array(z.string()),
      edited: z.array(z.string()).describe('Edits that an update kept'),
    })
    .nullable()
    .describe('How its files differ from the lock; null for a skill of your own'),
  install: InstallFacts.nullable().describe('How it was installed; null for a skill of your own'),
});

/** Shows one skill. */
export const info = defineCommand({
  fields: {
    skill: text('A skill by name or path', { required: true }),
    author,
  },
  positionals: ['skill'],
  output: Info,
  effect: 'read',
  writes: ['cache'],
  touches: { skill: 'skill', operation: 'inspect' },
  about: "Uses no network: newer versions and notices come from the last 'skc outdated'. The scan runs now.",
  examples: {
    'skc info pdf': 'origin, agents, size and state of one skill',
  },
  async run(_input, context) {
    const { workspace, skill, access } = context;
    const [compile, installation, scan, doctor] = await Promise.all([
      import('../../make/compile/index.ts'),
      import('../../ship/install/index.ts'),
      import('../../guard/scan/index.ts'),
      import('../../ship/doctor/index.ts'),
    ]);
    const { home } = workspace;
    const { dir } = skill!;
    const opened = openSkill(dir);
    const real = realPath(dir);
    const managed = compile
      .listManagedSkills(workspace, { checkObsolete: true })
      .find(({ source_path }) => realPath(source_path) === real);
    const installed =
      managed && installation.readInstallFacts(workspace)(managed.scope, managed.source_path, managed.name);
    const content = readSkillText(dir);
    const sizes = walkTree(dir).entries.filter(({ kind }) => kind === 'file');
    const { verdict, findings } = scan.scanSkill(dir);
    const verdicts = installation.openVerdicts(workspace);
    verdicts.note(real, verdict);
    verdicts.save();
    const drift = installed && installation.compareWithLock(managed.source_path, installed.entry);
    const runtime = managed?.runtime_path ?? null;
    return {
      name: opened.name,
      scope: managed?.scope ?? null,
      state: await offerOf(opened, access),
      status: managed?.status ?? null,
      source_path: managed?.source_path ?? dir,
      runtime_path: runtime,
      form: managed?.form ?? null,
      why: managed?.why ?? null,
      deployed: (runtime === null ? [] : (readBuildManifest(runtime)?.deployed ?? [])).filter((spelled) =>
        compile.isDeploymentOf(
          { dir: runtime!, source: real },
          readSpelledPath(spelled, runtime!, home),
          home,
        ),
      ),
      seen_by: [...doctor.whoSees(doctor.readAgentsInSight(context)).of(real)],
      files: sizes.length,
      bytes: sizes.reduce((sum, { path }) => sum + (statusAt(join(dir, path))?.size ?? 0), 0),
      tokens: {
        skill_md: content.problem === undefined ? estimateTokens(content.text) : 0,
        all: measureSkill(dir),
      },
      scan: { verdict, findings: findings.length },
      last_used: lastUse({
        ...{ dir: real, home },
        runtime: runtime ?? (await findRuntimeOf({ dir: real, scope: undefined }, workspace)),
      }),
      changes:
        drift === undefined
          ? null
          : { modified: drift.modified, missing: drift.missing, extra: drift.extra, edited: drift.edited },
      install: installed?.facts ?? null,
    };
  },
  text(skill) {
    const { install, changes, tokens, scan } = skill;
    const rows: [string, string][] = [
      ['scope', skill.scope ?? 'not managed by skc'],
      ['status', skill.status === null ? '-' : statusWord(skill.status)],
      ['state', skill.state === 'on' ? '-' : `${skill.state}: skc does not offer it to agents`],
      ['path', skill.source_path],
    ];
    if (install !== null) {
      rows.push(
        ['source', showOrigin(install) + (install.path === '' ? '' : ` (${install.path})`)],
        ['version', `${versionLabel(install)}${install.pinned ? ', pinned' : ''}`],
        ['installed', install.installed_at.slice(0, 10)],
        ['agents', install.agents.map(({ agent, method }) => `${agent} (${method})`).join(', ') || 'none'],
        ['update', install.update === null ? 'none known' : describeUpdate(install.update)],
      );
    }
    rows.push(
      [
        'form',
        skill.form === null ? '-' : `${formWord(skill.form)}${skill.why === null ? '' : ` (${skill.why})`}`,
      ],
      ...skill.deployed.map((path): [string, string] => ['deployed', path]),
      ...sightRows(skill.seen_by),
      ['size', `${formatCount(skill.files, 'file')}, ${formatBytes(skill.bytes)}`],
      ['tokens', `${formatCell(tokens.skill_md)} in SKILL.md, ${formatCell(tokens.all)} in all text files`],
      ['scan', `${scan.verdict}${scan.findings === 0 ? '' : `, ${formatCount(scan.findings, 'finding')}`}`],
      ['last used', skill.last_used ?? 'never'],
    );
    if (changes !== null) rows.push(['changes', describeChanges(changes)]);
    for (const { kind, text } of install?.notices ?? [])
      rows.push([kind, `${noticeLine(text)} (said on ${install?.checked_at?.slice(0, 10)})`]);
    return [
      makeVisible(skill.name),
      // A skill that skc does not manage has no status and no form.
      rows
        .filter(([, text]) => text !== '-')
        .map(([title, text]) => `  ${title.padEnd(11)}  ${makeVisible(text)}`),
    ];
  },
});

type Shown = z.output<typeof Info>;

/** The agents that list it, and why others do not. */
function sightRows(sights: Shown['seen_by']): [string, string][] {
  const seen = sights.filter(({ unseen }) => unseen === undefined);
  return [
    [
      'seen by',
      seen.map(({ agent, name, place }) => `${agent} as ${name}, in ${place}`).join('; ') ||
        'no agent used here',
    ],
    ...sights.flatMap(({ agent, place, unseen }): [string, string][] =>
      unseen === undefined ? [] : [['not seen by', `${agent}, in ${place}: ${unseen}`]],
    ),
  ];
}

function describeUpdate({
  wanted,
  latest,
  checked_at,
}: NonNullable<NonNullable<Shown['install']>['update']>): string {
  const newest = latest === null || latest === wanted ? '' : `, newest ${latest}`;
  return `${wanted}${newest} (checked on ${checked_at.slice(0, 10)})`;
}

function describeChanges(changes: NonNullable<Shown['changes']>): string {
  const parts = (['modified', 'missing', 'extra', 'edited'] as const).flatMap((kind) =>
    changes[kind].map((path) => `${kind} ${path}`),
  );
  return parts.length === 0 ? 'none' : parts.join(', ');
}
