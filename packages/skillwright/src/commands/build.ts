// skc build: from sources to stubs in agents' directories.

import { z } from 'zod';
import type { BuildOutcome, BuildRequest } from '../compile/build-and-deploy.ts';
import { diagnosticOf } from '../diagnostics/diagnostic.ts';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';

const Deployment = z.object({
  target: z.string(),
  path: z.string(),
  method: z.enum(['symlink', 'junction', 'copy']),
  fallback: z.boolean().describe('A copy because links are not possible there'),
  backup: z.string().nullable().describe('Where what stood there before is kept'),
});

const Built = z.object({
  name: z.string(),
  status: z.enum(['created', 'updated', 'unchanged']),
  source_path: z.string(),
  runtime_path: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  indexed: z.number().int().describe('Files read by this build'),
  deployments: z.array(Deployment),
});

const Failure = z.object({ skill: z.string(), code: z.string(), message: z.string() });

/** Compiles skills and deploys them. */
export const build = defineCommand({
  input: z.strictObject({
    skills: z
      .array(z.string())
      .default([])
      .describe('Skills by name or path; with --all, directories that hold many'),
    all: z.boolean().default(false).describe('Every skill of the stores, or below the directories given'),
    global: z.boolean().default(false).describe("Compile into the user's runtime directory"),
    target: z
      .array(z.string())
      .default([])
      .describe('Agents to deploy to, a,b; a value with / is a directory; none for none'),
    scope: z
      .enum(['user', 'project'])
      .default('user')
      .describe("Deploy to the user's or the project's agent directories"),
    copy: z.boolean().default(false).describe('Copy instead of linking'),
    force: z
      .boolean()
      .default(false)
      .describe('Replace what skc did not make; the old one is kept beside it'),
    import: z.boolean().default(false).describe('Copy the skill into the store first'),
    watch: z.boolean().default(false).describe('Build again whenever a file changes, until Ctrl-C'),
  }),
  positionals: ['skills'],
  short: { all: 'a', global: 'g', target: 't', watch: 'w' },
  output: z.object({ built: z.array(Built), failed: z.array(Failure) }),
  effect: 'write',
  examples: [
    { line: 'skc build pdf-forms', note: 'compile, and link for Claude' },
    { line: 'skc build ./my-skill --target claude,cursor', note: 'a directory, for two agents' },
    { line: 'skc build --all', note: 'every skill of the project and the user' },
  ],
  async run(input, context) {
    const [{ readConfig }, { buildAndDeploy }] = await Promise.all([
      import('../config/read-config.ts'),
      import('../compile/build-and-deploy.ts'),
    ]);
    const config = await readConfig(context);
    const targets = input.target.length > 0 ? input.target : config.build.targets;
    const request = (): BuildRequest => ({
      global: input.global,
      targets: targets.filter((target) => target !== 'none'),
      scope: input.scope,
      copy: input.copy,
      force: input.force,
      import: input.import,
      tokenizer: config.search.tokenizer,
      now: context.now(),
    });
    const words = await wordsToBuild(input, context);
    const one = (word: string) => buildAndDeploy(word, request(), context);
    const result = buildEach(words, { one, context, single: !input.all && words.length === 1 });
    if (input.watch) await keepBuilding(result.built, one, context);
    return { built: result.built.map(describeBuilt), failed: result.failed };
  },
  text({ built, failed }) {
    const lines = built.flatMap(({ name, status, indexed, files, deployments }) => [
      status === 'unchanged'
        ? `${name}: nothing to do (${files} files)`
        : `${name}: ${status} (${indexed} of ${files} files indexed)`,
      ...deployments.map(({ target, path, method, backup }) => {
        const kept = backup === null ? '' : `; the old one is kept at ${backup}`;
        return `  ${target}: ${path} (${method}${kept})`;
      }),
    ]);
    const total = built.length + failed.length;
    if (total > 1) lines.push(`${total} skills: ${built.length} built, ${failed.length} failed`);
    return `${lines.join('\n')}\n`;
  },
  failed: ({ failed }) => failed.length > 0,
});

async function wordsToBuild(
  input: { skills: string[]; all: boolean },
  context: CommandContext,
): Promise<string[]> {
  if (!input.all) return input.skills.length > 0 ? input.skills : ['.'];
  if (input.skills.length === 0) {
    const { listSkills } = await import('../compile/list-skills.ts');
    const known = listSkills(context, { checkObsolete: false });
    const { hasSkillFile } = await import('../places/resolve-skill.ts');
    return known.map((skill) => skill.source_path).filter(hasSkillFile);
  }
  const [{ findSkills }, { resolve }] = await Promise.all([
    import('../places/find-skills.ts'),
    import('node:path'),
  ]);
  const found = input.skills.flatMap((word) => [...findSkills(resolve(context.cwd, word))]);
  return found.flatMap((entry) => (entry.kind === 'skill' ? [entry.dir] : []));
}

interface EachOptions {
  readonly one: (word: string) => BuildOutcome;
  readonly context: CommandContext;
  /** The only skill: its error is the command's. */
  readonly single: boolean;
}

function buildEach(words: readonly string[], { one, context, single }: EachOptions) {
  const built: BuildOutcome[] = [];
  const failed: z.output<typeof Failure>[] = [];
  const started = context.now().getTime();
  for (const [index, word] of words.entries()) {
    try {
      const outcome = one(word);
      built.push(outcome);
      warnOfFallback(outcome, context);
    } catch (error) {
      if (single || !(error instanceof SkillwrightError)) throw error;
      context.report(diagnosticOf(error));
      failed.push({ skill: word, code: error.code, message: error.message });
    }
    if (context.now().getTime() - started > 500) context.progress(`building ${index + 1} of ${words.length}`);
  }
  return { built, failed };
}

function warnOfFallback({ deployments }: BuildOutcome, context: CommandContext): void {
  for (const { fallback, path } of deployments) {
    if (fallback) context.note(`warning: links are not possible at ${path}; copied instead`);
  }
}

async function keepBuilding(
  built: readonly BuildOutcome[],
  one: (word: string) => BuildOutcome,
  context: CommandContext,
): Promise<void> {
  const { watchSources } = await import('../compile/watch-sources.ts');
  context.note(`watching ${built.length} ${built.length === 1 ? 'skill' : 'skills'}; Ctrl-C ends`);
  const report = (error: unknown): void => {
    if (!(error instanceof SkillwrightError)) throw error;
    context.report(diagnosticOf(error));
  };
  await watchSources(
    built.map(({ source }) => source),
    {
      signal: context.signal,
      changed(dir) {
        try {
          const { name, status, indexed } = one(dir);
          if (status !== 'unchanged') context.note(`${name}: ${status} (${indexed} indexed)`);
        } catch (error) {
          report(error);
        }
      },
      failed: (_dir, error) => report(error),
    },
  );
}

function describeBuilt(outcome: BuildOutcome): z.output<typeof Built> {
  const { name, status, source, runtime, files, bytes, indexed, deployments } = outcome;
  return {
    name,
    status,
    source_path: source,
    runtime_path: runtime,
    files,
    bytes,
    indexed,
    deployments: [...deployments],
  };
}
