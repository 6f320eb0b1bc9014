// The toolsets of a skill, from its frontmatter to tools that can be called.

import { basename } from 'node:path';
import type { ZodObject } from 'zod';
import {
  type Diagnostic,
  diagnosticOf,
  makeVisible,
  quoteWord,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { sha256 } from '../../base/files/index.ts';
import { isShallow, readManifest, readSkillFields } from '../../skill/format/index.ts';
import { describeBrokenEntry } from '../../skill/skill/index.ts';
import type { JsonSchema } from './define-toolset.ts';
import { isTrusted, trustDigest } from './grant-memory.ts';
import type { Limits } from './limits.ts';
import type { Sandbox } from './sandbox.ts';
import { type AccessContext, readSkillGrants, type SkillGrants } from './skill-access.ts';
import { holdToolset, type ToolsetHolder } from './toolset-holder.ts';
import { toolsetError } from './toolset-module.ts';
import { type InputSchema, readInputSchema } from './toolset-schema.ts';

/** Options for running toolsets. */
export interface ToolsetOptions extends AccessContext {
  /** Opened on first use. */
  readonly sandbox: () => Promise<Sandbox>;
  /** `seconds` limits one call, `outputBytes` one result. */
  readonly limits: Limits;
  /** True when the host trusts the skill. Otherwise the user must have trusted exactly this skill. */
  readonly trusted?: boolean;
  /** Time limit for a toolset to list its tools; 10 by default. */
  readonly startSeconds?: number;
  /** Names of other tools. */
  readonly taken?: ReadonlySet<string>;
}

/** A tool of a skill. */
export interface ActiveTool {
  /** `skill__tool`. */
  readonly name: string;
  /** Its name in the toolset. */
  readonly tool: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: JsonSchema;
  /** The same as a zod schema, as far as zod can express it. */
  readonly input: ZodObject;
  /** The toolset it comes from, as written in the skill. */
  readonly toolset: string;
  /** Plain JSON. E075 for a wrong input; E071, E072, E073 when the tool fails; E080 when it is no longer active. */
  call(input: unknown, options?: { readonly signal?: AbortSignal | undefined }): Promise<unknown>;
}

/** The tools of an active skill. */
export interface ActiveToolsets {
  readonly tools: readonly ActiveTool[];
  /** One for each toolset or tool that could not be loaded. */
  readonly diagnostics: readonly Diagnostic[];
  /** Ends the processes. Calls after that fail. */
  deactivate(): Promise<void>;
}

/** Each has its own process. */
const MAX_TOOLSETS = 16;
const START_SECONDS = 10;
const MAX_INPUT_BYTES = 1024 * 1024;

/**
 * Activates the toolsets of the skill in `dir`. A toolset that fails is a diagnostic. E010, E012, E015 when the skill
 * cannot be read, E074 without a sandbox.
 */
export async function activateToolsets(dir: string, options: ToolsetOptions): Promise<ActiveToolsets> {
  const skill = readSkillGrants(dir, options);
  const { references, broken } = readToolsets(skill.dir);
  if (references.length === 0) return { tools: [], diagnostics: broken, deactivate: async () => {} };
  const digest = trustDigest(skill);
  if (options.trusted !== true && !isTrusted(options.home, { dir: skill.dir, digest })) {
    const refuse = (reference: string) => diagnosticOf(untrusted(reference, skill));
    const diagnostics = [...broken, ...references.map(refuse)];
    return { tools: [], diagnostics, deactivate: async () => {} };
  }
  const { home, limits, env = process.env, startSeconds = START_SECONDS } = options;
  const sandbox = await options.sandbox();
  const run = { sandbox, limits, home, env, startSeconds, fencedIn: options.fencedIn };
  const holders = await Promise.all(
    references.map((reference, index) =>
      index < MAX_TOOLSETS
        ? holdToolset(skill, { reference, digest, run })
        : toolsetError(reference, `a skill may have at most ${MAX_TOOLSETS} toolsets`),
    ),
  );
  const names = new Set(options.taken);
  const tools: ActiveTool[] = [];
  const diagnostics: Diagnostic[] = [...broken];
  for (const holder of holders) {
    if (holder instanceof SkillwrightError) {
      diagnostics.push(diagnosticOf(holder));
      continue;
    }
    for (const { name: own, description, schema } of holder.tools) {
      const name = toolName(skill.name, own);
      const read = names.has(name)
        ? { why: `another tool is already called ${name}` }
        : await readInputSchema(schema);
      if ('why' in read) {
        const why = `tool '${makeVisible(own)}': ${read.why}`;
        diagnostics.push(diagnosticOf(toolsetError(holder.reference, why)));
        continue;
      }
      names.add(name);
      tools.push(bind(holder, { own, name, description, read, seconds: limits.seconds }));
    }
  }
  const alive = holders.flatMap((holder) => (holder instanceof SkillwrightError ? [] : [holder]));
  return {
    tools,
    diagnostics,
    deactivate: async () => void (await Promise.all(alive.map((holder) => holder.deactivate()))),
  };
}

/** The toolsets a skill names, and W017 for every entry that is not a reference. */
export function readToolsets(dir: string): {
  readonly references: readonly string[];
  readonly broken: readonly Diagnostic[];
} {
  const { toolsets } = readSkillFields(dir);
  if (toolsets === undefined || toolsets === null) return { references: [], broken: [] };
  const { manifest, issues } = readManifest({ toolsets });
  return {
    references: [...new Set(manifest.toolsets)],
    broken: issues.map((issue) => describeBrokenEntry(basename(dir), issue)),
  };
}

function untrusted(reference: string, { dir }: SkillGrants): SkillwrightError {
  const help = `read its code, then trust it with 'skc tools ${quoteWord(dir)} --trust'`;
  return toolsetError(reference, 'you have not trusted this skill', { help });
}

/** A tool whose checked input goes to its toolset. */
function bind(
  holder: ToolsetHolder,
  {
    own,
    name,
    description,
    read,
    seconds,
  }: Pick<ActiveTool, 'name' | 'description'> & {
    readonly own: string;
    readonly read: InputSchema;
    readonly seconds: number;
  },
): ActiveTool {
  return {
    name,
    tool: own,
    description,
    inputSchema: read.schema,
    input: read.shape,
    toolset: holder.reference,
    async call(value, { signal } = {}) {
      if (!isShallow(value))
        throw SkillwrightError.of('E075', { why: `${name}: the input is nested too deeply` });
      const checked = read.check(value);
      if ('why' in checked) throw SkillwrightError.of('E075', { why: `${name}: ${checked.why}` });
      if (Buffer.byteLength(JSON.stringify(checked.input)) > MAX_INPUT_BYTES)
        throw SkillwrightError.of('E075', { why: `${name}: the input is larger than 1 MiB` });
      const process = await holder.process();
      try {
        return await process.call({ tool: own, name, input: checked.input, seconds, signal });
      } finally {
        if (process.isAlive()) holder.answered();
      }
    },
  };
}

const MAX_LENGTH = 64;
const SEPARATOR = '__';

/**
 * The name of a tool for a model: at most 64 letters, digits and underscores, because some frameworks write an underscore
 * for everything else. A name that loses more than hyphens and spaces, or that is too long, ends in a digest that keeps
 * it distinct.
 */
export function toolName(skill: string, tool: string): string {
  const whole = `${plain(skill)}${SEPARATOR}${plain(tool)}`;
  const isExact = [skill, tool].every((text) => /^[\w -]+$/.test(text));
  if (isExact && whole.length <= MAX_LENGTH) return whole;
  return `${whole.slice(0, MAX_LENGTH - 9)}_${sha256(`${skill}\0${tool}`).slice(0, 8)}`;
}

/** Keeps only allowed characters, without a separator inside. */
function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '_') || '_';
}
