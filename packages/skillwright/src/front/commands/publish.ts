// skc publish: sends skills to a registry, or writes files for any web host.

import { basename, resolve } from 'node:path';
import * as z from 'zod';
import {
  formatCount,
  invalidOption,
  makeVisible,
  quoteWord,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { formatBytes } from '../../base/files/index.ts';
import type { LintFinding } from '../../make/lint/index.ts';
import { Installable, Version } from '../../ship/protocol/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { choice, consentFields, flag, type InputOf, text, texts } from './fields.ts';
import type { ToPublish } from './pack-for-publishing.ts';

const Published = z.object({
  name: z.string(),
  address: z.string().nullable().describe('`@owner/name` at the registry'),
  version: z.string().nullable(),
  type: z.enum(['skill-md', 'archive']),
  files: z.number().int(),
  bytes: z.number().int().describe('Size of the download'),
  digest: z.string(),
  omitted: z.array(z.string()).describe('Nested skills left out because they may not be published'),
  installable: Installable.nullable().describe(
    'Answer of the registry: whether others can install it now, and why not',
  ),
});

export type Published = z.output<typeof Published>;

const Publication = z.object({
  published: z.array(Published),
  registry: z.string().nullable().describe('The registry they were sent to'),
  root: z.string().nullable().describe('The directory the files were written to'),
  written: z.array(z.string()),
  removed: z.array(z.string()).describe('Files of an earlier publication that are no longer used'),
  unchanged: z.number().int(),
  dry_run: z.boolean(),
});
type Publication = z.output<typeof Publication>;

const fields = {
  skills: texts('Skills by path or name, or directories of skills; without one, the working directory'),
  static: text('Write files for a web server into this directory instead', { min: 1 }),
  default: text('The skill for default/skill.md; a single one needs no flag'),
  owner: text('Owner of the skills at the registry; by default `registry.owner`'),
  version: text('The version, for skills whose SKILL.md has none', { schema: Version }),
  visibility: choice(['public', 'private'], 'Who can read the skills; a new skill is private'),
  fill: flag('Write what a registry requires and SKILL.md lacks: version, author, tags, licence'),
  license: text('The licence that --fill writes; by default the one of the LICENSE file', {
    min: 1,
    max: 200,
  }),
  trusted: flag('Publish with the identity of this CI job, even if there is a token'),
  registry: text('Address of the registry; by default the one you configured for the owner', { min: 1 }),
  accept: consentFields.accept,
  reason: text('Why you accept them', { max: 1000 }),
  dry_run: flag('Check and pack, and send nothing'),
};
type PublishInput = InputOf<{ readonly fields: typeof fields }>;

/** Publishes skills. */
export const publish = defineCommand({
  fields,
  positionals: ['skills'],
  output: Publication,
  effect: 'write',
  writes: ['named directory', 'cache'],
  belongsTo: { default: ['static'], license: ['fill'] },
  excludes: [
    ['fill', 'static'],
    ['fill', 'dry_run'],
  ],
  touches: { skills: 'make' },
  about:
    'Publishes to the registry that serves the owner, with the token of `skc login` or SKC_TOKEN. Without a token, a CI job publishes with its own identity: GitHub Actions with `id-token: write`, other systems with a token in SKC_ID_TOKEN. The registry must list the job as a trusted publisher, and records repository, commit and run. With `--static` it writes `.well-known/agent-skills/` and `.well-known/skills/` for any web server. Skills with lint errors or a dangerous scan are refused. Hidden files, and nested skills that are denied, off or locked, are never published. The published SKILL.md carries a `checksum` of all files, which `skc install` checks.',
  examples: {
    'skc publish my-skill --owner acme': 'publish it as @acme/my-skill',
    'skc publish my-skill --owner acme --fill': 'publish it for the first time',
    'skc publish my-skill --visibility public': 'let everybody read it',
    'skc publish --static public skills': 'write every skill below skills as files',
    'skc publish my-skill --dry-run': 'see what would be sent',
  },
  async run(input, context) {
    const { findForPublishing, packForPublishing, scanForPublishing } = await import(
      './pack-for-publishing.ts'
    );
    const found = await findForPublishing(input.skills, context);
    if (input.static !== undefined) refuseRegistryFlags(input);
    const { findObstacles, publishToRegistry, setVersions } = await import('./publish-to-registry.ts');
    const dirs = [...found.keys()];
    if (input.static !== undefined)
      refuseFaulty(await findFaults(dirs, 'spec', context), { profile: 'spec', words: input.skills });
    else {
      const obstacles = await findObstacles(basename(dirs[0] ?? '.'), input, context);
      await demandReady(dirs, { input, obstacles }, context);
    }
    const skills = setVersions(await packForPublishing(found, context), input.version);
    const site = input.static === undefined ? [] : ['--static', quoteWord(input.static)];
    const named = flagNames.flatMap((field) =>
      input[field] === undefined ? [] : [`--${field}`, quoteWord(input[field])],
    );
    const command = ['skc publish', ...site, ...input.skills.map(quoteWord), ...named].join(' ');
    const consent = { accept: input.accept, reason: input.reason, trustLock: false };
    await scanForPublishing(skills, { command, consent }, context);
    for (const { name, omitted } of skills)
      if (omitted.length > 0) context.note(`${name}: not published: ${makeVisible(omitted.join(', '))}`);
    if (input.static === undefined) {
      const { registry, sent } = await publishToRegistry(skills, input, context);
      const noSite = { root: null, written: [], removed: [], unchanged: 0 };
      return { ...noSite, published: sent, registry, dry_run: input.dry_run };
    }
    return toSite(skills, { ...input, static: input.static }, context);
  },
  text({ published, registry, root, written, removed, unchanged, dry_run }) {
    const verb = dry_run ? 'would publish' : 'published';
    const count = `${written.length} written, ${unchanged} unchanged, ${removed.length} removed`;
    return [
      published.map(({ name, address, version, files, bytes, digest, installable }) => {
        const amount = `${formatCount(files, 'file')}, ${formatBytes(bytes)}`;
        const what = `${address ?? name}${version === null ? '' : `@${version}`}`;
        return [
          `${verb} ${what} (${amount}, ${digest.slice(0, 19)}…)`,
          installable?.reasons.map(({ code, message }) => `  ${code}: ${makeVisible(message)}`),
        ];
      }),
      root !== null && `${makeVisible(root)}: ${count}`,
      registry !== null && `registry: ${makeVisible(registry)}`,
    ];
  },
});

/** Flags with a value that belong to a registry. */
const flagNames = ['owner', 'version', 'visibility', 'registry'] as const;

/** E100 for a flag that static files do not have. */
function refuseRegistryFlags(
  input: Readonly<Partial<Record<(typeof flagNames)[number], string | undefined>>> & {
    readonly trusted: boolean;
  },
): void {
  const field = input.trusted ? 'trusted' : flagNames.find((name) => input[name] !== undefined);
  if (field !== undefined) throw invalidOption(`--${field} excludes --static`);
}

/** Lint errors of the skills, and compiled stubs among them. */
async function findFaults(
  dirs: readonly string[],
  profile: 'registry' | 'spec',
  { workspace, access }: CommandContext,
): Promise<LintFinding[]> {
  const { lintPaths } = await import('../../make/lint/lint-paths.ts');
  const { findings } = await lintPaths(
    {
      paths: dirs,
      profile,
      settings: (await workspace.config()).lint.rules,
      fix: false,
      force: false,
      maxWarnings: undefined,
      author: true,
    },
    access,
  );
  return findings.filter(({ severity, rule }) => severity === 'error' || rule === 'SKL001');
}

/** Names everything that stops a publication at once. Missing fields that skc can propose are written if the user agrees. */
async function demandReady(
  dirs: readonly string[],
  { input, obstacles }: { readonly input: PublishInput; readonly obstacles: readonly SkillwrightError[] },
  context: CommandContext,
): Promise<void> {
  const { fill, skills: words, version } = input;
  // A version from the flag counts as one in the file.
  const isFault = ({ message }: LintFinding) =>
    fill || version === undefined || message !== "missing 'version'";
  let faults = (await findFaults(dirs, 'registry', context)).filter(isFault);
  const { describeFilling, fillManifests, planFilling } = await import('./fill-manifest.ts');
  const plan = faults.length === 0 ? [] : await planFilling(faults, dirs, { wishes: input, context });
  const mayFill =
    plan.length > 0 &&
    !input.dry_run &&
    (fill || (await context.ask?.confirm(`Write ${plan.map(describeFilling).join('; ')}?`)) === true);
  if (mayFill) {
    await fillManifests(plan);
    for (const skill of plan) context.note(`wrote ${describeFilling(skill)}`);
    faults = (await findFaults(dirs, 'registry', context)).filter(isFault);
  }
  const offer = plan.length > 0 && !mayFill ? plan.map(describeFilling).join('; ') : undefined;
  refuseFaulty(faults, { profile: 'registry', words, obstacles, offer });
  const [first, ...others] = obstacles;
  // A single one is reported where it stops the work.
  if (first === undefined || others.length === 0) return;
  const { code, message, help, data } = first;
  throw SkillwrightError.received({ code, message, help, data, detail: others.map(obstacleLine).join('\n') });
}

const obstacleLine = (error: SkillwrightError) => `  ${error.message}; ${error.nextStep()}`;

/** E300 when a skill has faults, with everything else that stops the publication. */
function refuseFaulty(
  faults: readonly LintFinding[],
  {
    profile,
    words,
    obstacles = [],
    offer,
  }: {
    readonly profile: 'registry' | 'spec';
    /** The skills as the user names them. */
    readonly words: readonly string[];
    readonly obstacles?: readonly SkillwrightError[];
    /** What `--fill` would write. */
    readonly offer?: string | undefined;
  },
): void {
  const [first] = faults;
  if (first === undefined) return;
  const lines = faults.map(({ path, line, rule, name, message, help }) => {
    const place = line === null ? path : `${path}:${line}`;
    const repair = help === null ? '' : `; ${help}`;
    return `  ${place}: ${rule === null ? '' : `${rule} ${name}: `}${message}${repair}`;
  });
  const named = words.map(quoteWord);
  const check = `check with '${['skc lint', ...named].join(' ')} --profile ${profile}'`;
  throw SkillwrightError.of(
    'E300',
    { 'rule-id': first.rule ?? first.code, 'rule-name': first.name ?? 'unreadable', message: first.message },
    {
      detail: [...lines, ...obstacles.map(obstacleLine)].join('\n'),
      help:
        offer === undefined
          ? `correct them, and ${check}`
          : `'${['skc publish', ...named].join(' ')} --fill' writes ${offer}; correct the rest, and ${check}`,
      data: { findings: faults },
    },
  );
}

async function toSite(
  skills: readonly ToPublish[],
  input: { static: string; default?: string | undefined; dry_run: boolean },
  context: CommandContext,
): Promise<Publication> {
  const { planSite, setChecksum, writeSite } = await import('../../ship/network/index.ts');
  const wanted = input.default ?? (skills.length === 1 ? skills[0]!.name : undefined);
  if (wanted !== undefined && !skills.some(({ name }) => name === wanted))
    throw invalidOption(`--default: '${wanted}' is not among the skills`);
  const summed = skills.map((skill) => ({ ...skill, files: setChecksum(skill.files) }));
  const site = await planSite(summed, { defaultSkill: summed.find(({ name }) => name === wanted) });
  const root = resolve(context.workspace.cwd, input.static);
  const { written, removed, unchanged } = writeSite(root, site, { dryRun: input.dry_run });
  return {
    published: site.skills.map(({ name, type, files, bytes, digest }, index) => ({
      name,
      address: null,
      version: skills[index]!.version ?? null,
      type,
      files,
      bytes,
      digest,
      omitted: [...skills[index]!.omitted],
      installable: null,
    })),
    registry: null,
    root,
    written: [...written],
    removed: [...removed],
    unchanged,
    dry_run: input.dry_run,
  };
}
