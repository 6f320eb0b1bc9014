// skc publish: sends skills to a registry, or writes files for any web host.

import * as z from 'zod';
import { invalidOption, makeVisible, quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { formatBytes } from '../../base/files/index.ts';
import { Installable, Version } from '../../ship/protocol/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { consentInput } from './install-input.ts';
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
    owner: z.string().optional().describe('Owner of the skills at the registry; by default `registry.owner`'),
    version: Version.optional().describe('The version, for skills whose SKILL.md has none'),
    visibility: z
      .enum(['public', 'private'])
      .optional()
      .describe('Who can read the skills; a new skill is private'),
    trusted: z
      .boolean()
      .default(false)
      .describe('Publish with the identity of this CI job, even if there is a token'),
    registry: z
      .string()
      .min(1)
      .optional()
      .describe('Address of the registry; by default the one you configured for the owner'),
    accept: consentInput.accept,
    reason: z.string().max(1000).optional().describe('Why you accept them'),
    dry_run: z.boolean().default(false).describe('Check and pack, and send nothing'),
  }),
  positionals: ['skills'],
  output: Publication,
  effect: 'write',
  writes: ['named directory', 'cache'],
  belongsTo: { default: ['static'] },
  touches: { skills: 'make' },
  about:
    'Publishes to the registry that serves the owner, with the token of `skc login` or SKC_TOKEN. Without a token, a CI job publishes with its own identity: GitHub Actions with `id-token: write`, other systems with a token in SKC_ID_TOKEN. The registry must list the job as a trusted publisher, and records repository, commit and run. With `--static` it writes `.well-known/agent-skills/` and `.well-known/skills/` for any web server. Skills with lint errors or a dangerous scan are refused. Hidden files, and nested skills that are denied, off or locked, are never published. The published SKILL.md carries a `checksum` of all files, which `skc install` checks.',
  examples: [
    { line: 'skc publish my-skill --owner acme', note: 'publish it as @acme/my-skill' },
    { line: 'skc publish my-skill --visibility public', note: 'let everybody read it' },
    { line: 'skc publish --static public skills', note: 'write every skill below skills as files' },
    { line: 'skc publish my-skill --dry-run', note: 'see what would be sent' },
  ],
  async run(input, context) {
    const { findForPublishing, packForPublishing, scanForPublishing } = await import(
      './pack-for-publishing.ts'
    );
    const found = await findForPublishing(input.skills, context);
    if (input.static !== undefined) refuseRegistryFlags(input);
    const profile = input.static === undefined ? 'registry' : 'spec';
    const hasVersion = input.version !== undefined;
    await refuseFaulty([...found.keys()], { profile, hasVersion, words: input.skills }, context);
    const { publishToRegistry, setVersions } = await import('./publish-to-registry.ts');
    const skills = await setVersions(await packForPublishing(found, context), input.version);
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
      return {
        published: sent.map((skill) => ({ ...skill, type: 'archive' as const })),
        registry,
        root: null,
        written: [],
        removed: [],
        unchanged: 0,
        dry_run: input.dry_run,
      };
    }
    return toSite(skills, { ...input, static: input.static }, context);
  },
  text({ published, registry, root, written, removed, unchanged, dry_run }) {
    const verb = dry_run ? 'would publish' : 'published';
    const lines = published.flatMap(({ name, address, version, files, bytes, digest, installable }) => {
      const amount = `${files} ${files === 1 ? 'file' : 'files'}, ${formatBytes(bytes)}`;
      const what = `${address ?? name}${version === null ? '' : `@${version}`}`;
      return [
        `${verb} ${what} (${amount}, ${digest.slice(0, 19)}…)`,
        ...(installable?.reasons ?? []).map(({ code, message }) => `  ${code}: ${makeVisible(message)}`),
      ];
    });
    if (root !== null) {
      const count = `${written.length} written, ${unchanged} unchanged, ${removed.length} removed`;
      lines.push(`${makeVisible(root)}: ${count}`);
    } else if (registry !== null) lines.push(`registry: ${makeVisible(registry)}`);
    return `${lines.join('\n')}\n`;
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

/** E300 when a skill has lint errors, or is a compiled stub. A version from the flag counts as one in the file. */
async function refuseFaulty(
  dirs: readonly string[],
  {
    profile,
    hasVersion,
    words,
  }: {
    readonly profile: 'registry' | 'spec';
    readonly hasVersion: boolean;
    /** The skills as the user names them. */
    readonly words: readonly string[];
  },
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
  const faults = findings.filter(
    ({ severity, rule, message }) =>
      (severity === 'error' || rule === 'SKL001') && !(hasVersion && message === "missing 'version'"),
  );
  const [first] = faults;
  if (first === undefined) return;
  const lines = faults.map(({ path, line, rule, name, message, help }) => {
    const place = line === null ? path : `${path}:${line}`;
    const repair = help === null ? '' : `; ${help}`;
    return `  ${place}: ${rule === null ? '' : `${rule} ${name}: `}${message}${repair}`;
  });
  throw SkillwrightError.of(
    'E300',
    { 'rule-id': first.rule ?? first.code, 'rule-name': first.name ?? 'unreadable', message: first.message },
    {
      detail: lines.join('\n'),
      help: `correct them, and check with '${['skc lint', ...words.map(quoteWord)].join(' ')} --profile ${profile}'`,
      data: { findings: faults },
    },
  );
}

async function toSite(
  skills: readonly ToPublish[],
  input: { static: string; default?: string | undefined; dry_run: boolean },
  context: CommandContext,
): Promise<Publication> {
  const [{ resolve }, { setChecksum }, { planSite }, { writeSite }] = await Promise.all([
    import('node:path'),
    import('../../ship/network/insert-field.ts'),
    import('../../ship/network/plan-site.ts'),
    import('../../ship/network/write-site.ts'),
  ]);
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
