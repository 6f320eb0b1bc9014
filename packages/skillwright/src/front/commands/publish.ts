// skc publish: sends skills to a registry, or writes files for any web host.

import * as z from 'zod';
import { invalidOption, makeVisible, quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { formatBytes } from '../../base/files/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { consentInput } from './install-output.ts';
import type { PublishedSkill } from './pack-for-publishing.ts';

const Published = z.object({
  name: z.string(),
  version: z.string().nullable(),
  type: z.enum(['skill-md', 'archive']),
  files: z.number().int(),
  bytes: z.number().int().describe('Size of the download'),
  digest: z.string(),
  omitted: z.array(z.string()).describe('Nested skills left out because they may not be published'),
});

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

/** Publishes skills. */
export const publish = defineCommand({
  input: z.strictObject({
    skills: z
      .array(z.string())
      .default([])
      .describe('Skills by path or name, or directories of skills; without one, the working directory'),
    static: z.string().min(1).optional().describe('Write files for a web server into this directory instead'),
    default: z.string().optional().describe('The skill for default/skill.md; a single one needs no flag'),
    accept: consentInput.accept,
    reason: z.string().max(1000).optional().describe('Why you accept them'),
    dry_run: z.boolean().default(false).describe('Check and pack, and send nothing'),
  }),
  positionals: ['skills'],
  output: Publication,
  effect: 'write',
  writes: ['named directory'],
  touches: { skills: 'make' },
  about:
    'Publishes to the registry in `registry.url` with the token in SKC_TOKEN. With `--static` it writes `.well-known/agent-skills/` and `.well-known/skills/` for any web server. Skills with lint errors or a dangerous scan are refused. Hidden files, and nested skills that are denied, off or locked, are never published. The published SKILL.md carries a `checksum` of all files, which `skc install` checks.',
  examples: [
    { line: 'skc publish my-skill', note: 'publish it to the registry' },
    { line: 'skc publish --static public skills', note: 'write every skill below skills as files' },
    { line: 'skc publish my-skill --dry-run', note: 'see what would be sent' },
  ],
  async run(input, context) {
    const { findForPublishing, packForPublishing, scanForPublishing } = await import(
      './pack-for-publishing.ts'
    );
    const found = await findForPublishing(input.skills, context);
    await refuseFaulty([...found.keys()], input.static === undefined ? 'registry' : 'spec', context);
    const skills = await packForPublishing(found, context);
    const site = input.static === undefined ? [] : ['--static', quoteWord(input.static)];
    const command = ['skc publish', ...site, ...input.skills.map(quoteWord)].join(' ');
    const consent = { accept: input.accept, reason: input.reason, trustLock: false };
    await scanForPublishing(skills, { command, consent }, context);
    for (const { name, omitted } of skills)
      if (omitted.length > 0) context.note(`${name}: not published: ${makeVisible(omitted.join(', '))}`);
    if (input.static === undefined) return toRegistry(skills, input, context);
    return toSite(skills, { ...input, static: input.static }, context);
  },
  text({ published, registry, root, written, removed, unchanged, dry_run }) {
    const verb = dry_run ? 'would publish' : 'published';
    const lines = published.map(({ name, version, files, bytes, digest }) => {
      const amount = `${files} ${files === 1 ? 'file' : 'files'}, ${formatBytes(bytes)}`;
      return `${verb} ${name}${version === null ? '' : `@${version}`} (${amount}, ${digest.slice(0, 19)}…)`;
    });
    if (root !== null) {
      const count = `${written.length} written, ${unchanged} unchanged, ${removed.length} removed`;
      lines.push(`${makeVisible(root)}: ${count}`);
    } else if (registry !== null) lines.push(`registry: ${makeVisible(registry)}`);
    return `${lines.join('\n')}\n`;
  },
});

/** E300 when a skill has lint errors, or is a compiled stub. */
async function refuseFaulty(
  dirs: readonly string[],
  profile: 'registry' | 'spec',
  context: CommandContext,
): Promise<void> {
  const { lintPaths } = await import('../../make/lint/lint-paths.ts');
  const config = await context.workspace.config();
  const { findings } = await lintPaths(
    {
      paths: dirs,
      profile,
      settings: config.lint.rules,
      fix: false,
      force: false,
      maxWarnings: undefined,
      author: true,
    },
    context.access,
  );
  const faults = findings.filter(({ severity, rule }) => severity === 'error' || rule === 'SKL001');
  const [first] = faults;
  if (first === undefined) return;
  const lines = faults.map(({ path, line, rule, name, message }) => {
    const place = line === null ? path : `${path}:${line}`;
    return `  ${place}: ${rule === null ? '' : `${rule} ${name}: `}${message}`;
  });
  throw SkillwrightError.of(
    'E300',
    { 'rule-id': first.rule ?? first.code, 'rule-name': first.name ?? 'unreadable', message: first.message },
    {
      detail: lines.join('\n'),
      help: `'skc lint --profile ${profile}' shows them all`,
      data: { findings: faults },
    },
  );
}

async function toSite(
  skills: readonly PublishedSkill[],
  input: { static: string; default?: string | undefined; dry_run: boolean },
  context: CommandContext,
): Promise<Publication> {
  const [{ resolve }, { planSite }, { writeSite }] = await Promise.all([
    import('node:path'),
    import('../../ship/network/plan-site.ts'),
    import('../../ship/network/write-site.ts'),
  ]);
  const wanted = input.default ?? (skills.length === 1 ? skills[0]!.name : undefined);
  const defaultSkill = skills.find(({ name }) => name === wanted);
  if (wanted !== undefined && defaultSkill === undefined)
    throw invalidOption(`--default: '${wanted}' is not among the skills`);
  const site = await planSite(skills, { defaultSkill });
  const root = resolve(context.workspace.cwd, input.static);
  const { written, removed, unchanged } = writeSite(root, site, { dryRun: input.dry_run });
  return {
    published: site.skills.map(({ name, type, files, bytes, digest }, index) => ({
      name,
      version: skills[index]!.version ?? null,
      type,
      files,
      bytes,
      digest,
      omitted: [...skills[index]!.omitted],
    })),
    registry: null,
    root,
    written: [...written],
    removed: [...removed],
    unchanged,
    dry_run: input.dry_run,
  };
}

async function toRegistry(
  skills: readonly PublishedSkill[],
  input: { default?: string | undefined; dry_run: boolean },
  context: CommandContext,
): Promise<Publication> {
  if (input.default !== undefined) throw invalidOption('--default belongs to --static');
  const [
    { createFetcher, fetcherSettings },
    { openRegistry },
    { archiveSkill },
    { setChecksum },
    { sha256 },
  ] = await Promise.all([
    import('../../ship/network/create-fetcher.ts'),
    import('../../ship/network/open-registry.ts'),
    import('../../ship/network/pack-skill.ts'),
    import('../../ship/network/set-checksum.ts'),
    import('../../base/files/hash.ts'),
  ]);
  const config = await context.workspace.config();
  const { owner } = config.registry;
  const fetcher = createFetcher(fetcherSettings(config.network));
  const registry = await openRegistry(context.workspace, { fetcher, owner });
  if (registry === undefined)
    throw SkillwrightError.of(
      'E110',
      { where: 'registry.url', why: 'no registry is set' },
      { help: "set one with 'skc config registry.url https://…', or write files with --static <dir>" },
    );
  const { client, writes, token, withheld } = registry;
  if (token === undefined && !input.dry_run)
    throw SkillwrightError.of(
      'E202',
      { url: client.url },
      { help: withheld ?? 'put your token for this registry into SKC_TOKEN' },
    );
  if (owner === undefined)
    throw SkillwrightError.of(
      'E239',
      { name: skills[0]!.name },
      { help: "say whose skills you publish: 'skc config registry.owner acme --scope user'" },
    );
  const published: z.output<typeof Published>[] = [];
  for (const { name, version = '', files, omitted } of skills) {
    const archive = await archiveSkill(setChecksum(files));
    if (!input.dry_run) {
      context.progress(`publishing @${owner}/${name}@${version}`);
      await writes.publish({ owner, name, version, archive }, { signal: context.signal });
      if (skills.length > 1) context.note(`published @${owner}/${name}@${version}`);
    }
    published.push({
      name,
      version,
      type: 'archive',
      files: files.length,
      bytes: archive.byteLength,
      digest: `sha256:${sha256(archive)}`,
      omitted: [...omitted],
    });
  }
  const { dry_run } = input;
  return { published, registry: client.url, root: null, written: [], removed: [], unchanged: 0, dry_run };
}
