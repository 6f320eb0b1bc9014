// skc tools: lists the tools and hooks of a skill, lets you trust them, and calls a tool.

import * as z from 'zod';
import { type Diagnostic, makeVisible, SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import type { ActiveTool } from '../../guard/execute/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { author, flag, own, text } from './fields.ts';

const MAX_SECONDS = 24 * 60 * 60;

const Hook = z.object({
  event: z.string(),
  matcher: z.string().nullable(),
  type: z.string(),
  does: z.string().describe('The command, the prompt, the address, the tool'),
});
type Hook = z.infer<typeof Hook>;

const fields = {
  skill: text('A skill by name or path', { required: true }),
  tool: text('Call this tool'),
  input: text('The input of the tool, as JSON', { default: '{}' }),
  trust: own(flag('Trust the tools and hooks of the skill as it is now')),
  distrust: own(flag('Stop trusting it')),
  timeout: own({
    type: 'number',
    about: 'Stop a call after this many seconds',
    positive: true,
    max: MAX_SECONDS,
  }),
  unsandboxed: own(flag('Run it without a sandbox, with all your rights')),
  author,
} as const;

/** Lists the tools and hooks of a skill, or calls one of the tools. */
export const tools = defineCommand({
  fields,
  positionals: ['skill', 'tool'],
  output: z.object({
    skill: z.string(),
    trusted: z.boolean(),
    toolsets: z.array(z.string()),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        input_schema: z.record(z.string(), z.unknown()),
        toolset: z.string(),
      }),
    ),
    hooks: z.array(Hook),
    failed: z.number().int().describe('Toolsets and tools that could not be loaded'),
    result: z.unknown().optional().describe('The result of the called tool'),
  }),
  effect: 'destructive',
  writes: ['granted directories'],
  excludes: [['trust', 'distrust']],
  touches: { skill: 'skill', operation: 'read' },
  served: () => ({}),
  failed: ({ failed }) => failed > 0,
  about:
    'Toolsets are modules of a skill that an agent can call. Toolsets and hooks run in the sandbox, and only if you trust the skill. Trust covers the current version; any edit ends it.',
  examples: {
    'skc tools text-statistics --trust': 'trust a skill and list its tools',
    'skc tools text-statistics count --input \'{"text":"one two"}\'': 'call a tool',
  },
  async run(given, context) {
    const [grantsOf, trust, { readToolsets, activateToolsets }] = await Promise.all([
      import('../../guard/execute/skill-access.ts'),
      import('../../guard/execute/grant-memory.ts'),
      import('../../guard/execute/activate-toolsets.ts'),
    ]);
    const { workspace, access } = context;
    const { home, env } = workspace;
    const value = parseInput(given.input);
    const grants = grantsOf.readSkillGrants(context.skill!.dir, { home });
    const { dir } = grants;
    const { references, broken } = readToolsets(dir);
    const toolsets = [...references];
    const digest = trust.trustDigest(grants);
    const { hooks, broken: brokenHooks } = await readHooks(dir);
    for (const diagnostic of brokenHooks) context.report(diagnostic);
    if (given.distrust) trust.distrustSkill(home, dir);
    else if (given.trust) trust.trustSkill(home, { dir, digest });
    const trusted = trust.isTrusted(home, { dir, digest });
    const known = { skill: given.skill, trusted, toolsets, hooks };
    if (given.distrust) {
      for (const diagnostic of broken) context.report(diagnostic);
      return { ...known, tools: [], failed: 0 };
    }
    if (toolsets.length > 0) await access.openAt(dir, { operation: 'run', author: given.author });
    const { limitsOf, openSandbox } = await import('../../guard/execute/index.ts');
    const config = await workspace.config();
    const limits = limitsOf(config);
    // For a model, the user's configuration sets the limits.
    const most = context.by === 'user' ? MAX_SECONDS : limits.seconds;
    const active = await activateToolsets(dir, {
      home,
      env,
      limits: { ...limits, seconds: Math.min(given.timeout ?? limits.seconds, most) },
      fencedIn: access.fencedIn,
      sandbox: () =>
        openSandbox({ env, unsandboxed: given.unsandboxed, orWithout: config.scripts.unsandboxed }),
    });
    try {
      const [first] = active.diagnostics;
      if (given.tool !== undefined && active.tools.length === 0 && first !== undefined)
        throw errorOf(first, toolsets[0] ?? given.tool);
      for (const diagnostic of active.diagnostics) context.report(diagnostic);
      const result =
        given.tool === undefined ? undefined : await callTool(active.tools, given.tool, { value, context });
      return {
        ...known,
        tools: active.tools.map(({ name, description, inputSchema, toolset }) => ({
          name,
          description,
          input_schema: inputSchema,
          toolset,
        })),
        failed: active.diagnostics.length,
        ...(given.tool === undefined ? {} : { result }),
      };
    } finally {
      await active.deactivate();
    }
  },
  text(output, { paint }) {
    const { skill, trusted, toolsets, hooks } = output;
    if ('result' in output) {
      const { result } = output;
      return `${typeof result === 'string' ? result : JSON.stringify(result, null, 2)}\n`;
    }
    if (toolsets.length === 0 && hooks.length === 0)
      return `${makeVisible(skill)} has no toolsets or hooks\n`;
    return [
      paint.faint(`${makeVisible(skill)} is ${trusted ? 'trusted, until it changes' : 'not trusted'}`),
      output.tools.map(({ name, description, input_schema }) => [
        `${paint.strong(name)}  ${makeVisible(description)}`,
        describeFields(input_schema).map((field) => `  ${field}`),
      ]),
      hooks.map(
        ({ event, matcher, type, does }) =>
          `${paint.strong(makeVisible(event))}${matcher === null ? '' : ` ${makeVisible(matcher)}`}  ${type}: ${makeVisible(does)}`,
      ),
    ];
  },
});

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw SkillwrightError.of(
      'E100',
      { why: '--input is not JSON' },
      { help: 'write it as an object in quotes, such as --input \'{"text": "one two"}\'' },
    );
  }
}

/** Fails with the first problem when no toolset could be loaded. */
function errorOf({ help, detail }: Diagnostic, toolset: string): SkillwrightError {
  const details = { ...(help === undefined ? {} : { help }), ...(detail === undefined ? {} : { detail }) };
  return SkillwrightError.of('E080', { toolset }, details);
}

async function callTool(
  tools: readonly ActiveTool[],
  word: string,
  { value, context }: { readonly value: unknown; readonly context: CommandContext },
): Promise<unknown> {
  const tool = tools.find(({ name }) => name === word || name.slice(name.indexOf('__') + 2) === word);
  if (tool !== undefined) return tool.call(value, { signal: context.signal });
  const names = tools.map(({ name }) => name);
  const [closest] = suggest(
    word,
    names.map((name) => name.slice(name.indexOf('__') + 2)),
    1,
  );
  const help =
    closest === undefined
      ? names.length === 0
        ? 'the skill has no tools'
        : `its tools: ${names.join(', ')}`
      : `did you mean '${closest}'?`;
  throw SkillwrightError.of('E100', { why: `unknown tool '${word}'` }, { help });
}

/** The valid hooks, and problems with the rest. */
async function readHooks(dir: string): Promise<{ hooks: Hook[]; broken: Diagnostic[] }> {
  const [{ openSkill }, { readManifest }, { leftOutOf }] = await Promise.all([
    import('../../skill/skill/open-skill.ts'),
    import('../../skill/format/manifest.ts'),
    import('../../skill/skill/left-out.ts'),
  ]);
  const skill = openSkill(dir);
  const { hooks = {} } = readManifest({ ...skill.frontmatter }).manifest;
  const listed = Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher = null, hooks: handlers }) =>
      handlers.map((handler) => ({ event, matcher, type: handler.type, does: commandWords(handler) })),
    ),
  );
  return { hooks: listed, broken: leftOutOf(skill, ['hooks']) };
}

function commandWords(handler: Readonly<Record<string, unknown>>): string {
  const { command, prompt, url, server, tool } = handler;
  return String(command ?? prompt ?? url ?? `${server}: ${tool}`);
}

/** The fields of an input, one per line. */
function describeFields({ properties, required }: Readonly<Record<string, unknown>>): string[] {
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {}).map(([name, schema]) => {
    const { type, description } = Object(schema) as Readonly<Record<string, unknown>>;
    const kind = [typeof type === 'string' ? type : 'any', ...(names.includes(name) ? [] : ['optional'])];
    return makeVisible(
      `${name} (${kind.join(', ')})${typeof description === 'string' ? `  ${description}` : ''}`,
    );
  });
}
