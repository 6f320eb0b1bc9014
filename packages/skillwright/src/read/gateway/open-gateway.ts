// The way from a skill's name to its files and its index, shared by all read operations.
// What only a build needs is loaded when there is something to build.

import { basename, dirname, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  canonicalPath,
  findRuntime,
  OWN_DIRECTORY,
  type ResolveContext,
  type ResolvedSkill,
  type RuntimeBase,
  resolveSkill,
  runtimeBaseOf,
} from '../../skill/places/index.ts';
import type { ClosedGate, FindMemory } from '../../skill/quiz/index.ts';
import {
  type IndexCache,
  indexFileName,
  openIndex,
  type SkillIndex,
  type Tokenizer,
} from '../index/index.ts';

/** The surroundings of a read operation; it tells which skill it is about as soon as it knows. */
export interface GatewayContext extends ResolveContext {
  now(): Date;
  accessed(skill: { dir: string; runtime: string }): void;
  /** Fails when the skill in a canonical directory is kept from whoever asks. */
  permit?(dir: string, context: ResolveContext): Promise<void>;
  /** Keeps indexes open between operations; without it each one is closed after use. */
  readonly indexes?: IndexCache | undefined;
}

/** How the gateway treats an index that cannot be used. */
export interface GatewayOptions {
  readonly context: GatewayContext;
  readonly tokenizer: Tokenizer;
  /** Build a missing or stale index instead of failing with E002. */
  readonly fresh: boolean;
  /** Who has passed which quiz; without it every gate is closed. */
  readonly quizMemory?: FindMemory | undefined;
  /** An author reads what they wrote: no gate holds. */
  readonly author?: boolean | undefined;
  /** Compiles a skill where it was compiled before, and says where that is. */
  build(skill: ResolvedSkill, base: RuntimeBase): Promise<string>;
}

/** A fresh, open index and the canonical directory it describes. */
export interface OpenedSkill {
  /** What the user called it. */
  readonly skill: string;
  readonly dir: string;
  readonly index: SkillIndex;
  /** Undefined when all of it may be read. */
  readonly gate: ClosedGate | undefined;
}

/** Runs `read` on the fresh index of a skill; E002 when there is none and `fresh` is not set. */
export async function withIndex<Result>(
  word: string,
  options: GatewayOptions,
  read: (skill: OpenedSkill) => Result,
): Promise<Result> {
  const { context, tokenizer } = options;
  const { skill, runtime } = await accessSkill(word, context);
  const open = async (dir: string): Promise<Result> => {
    const indexDir = join(dir, OWN_DIRECTORY);
    const place = { skill: word, sourceDir: skill.dir, indexDir, tokenizer };
    const index = context.indexes?.open(place) ?? openIndex(place);
    let keep = context.indexes !== undefined;
    try {
      index.checkFresh();
      const gate = index.gated && !options.author ? await gateOf(index, skill.dir, options) : undefined;
      return read({ skill: word, dir: skill.dir, index, gate });
    } catch (error) {
      if (isUnusable(error)) keep = false;
      throw error;
    } finally {
      if (!keep) index.close();
    }
  };
  for (let builds = 0, dir = runtime; ; builds++) {
    try {
      return await open(dir);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      const renamed = builds === 0 ? await runtimeByName(skill, context) : dir;
      // A skill that changes as fast as it is built is not waited for.
      if (renamed === dir && (!options.fresh || builds === MAX_BUILDS)) throw error;
      dir = renamed === dir ? await rebuild(skill, dir, options) : renamed;
    }
  }
}

const MAX_BUILDS = 3;

/** The gate for the files that were indexed. */
async function gateOf(
  { sourceHash }: SkillIndex,
  dir: string,
  { quizMemory = () => undefined }: GatewayOptions,
): Promise<ClosedGate | undefined> {
  const { findClosedGate } = await import('../../skill/quiz/closed-gate.ts');
  return findClosedGate(dir, quizMemory, sourceHash);
}

const isUnusable = (error: unknown) => error instanceof SkillwrightError && error.code === 'E002';

/** Builds where the skill was built before, and says where it is now. */
async function rebuild(skill: ResolvedSkill, runtime: string, options: GatewayOptions): Promise<string> {
  const usual = runtimeBaseOf(skill, options.context);
  const dir = dirname(runtime);
  return options.build(skill, dir === usual.dir ? usual : { dir, project: undefined });
}

/** The canonical directory of the skill a word means, for operations that need no index. */
export async function openSource(word: string, context: GatewayContext): Promise<string> {
  return (await accessSkill(word, context)).skill.dir;
}

async function accessSkill(
  word: string,
  context: GatewayContext,
): Promise<{ skill: ResolvedSkill; runtime: string }> {
  const found = resolveSkill(word, context);
  const skill = { ...found, dir: canonicalPath(found.dir) };
  const runtime = await runtimeOf(skill, context);
  context.accessed({ dir: skill.dir, runtime });
  await context.permit?.(skill.dir, context);
  return { skill, runtime };
}

/** The runtime directory of a skill, mostly named as the skill's directory is; otherwise its frontmatter is asked. */
async function runtimeOf(skill: ResolvedSkill, context: ResolveContext): Promise<string> {
  const named = findRuntime(skill, {
    name: basename(skill.dir),
    indexFile: indexFileName(skill.dir),
    context,
  });
  return named ?? runtimeByName(skill, context);
}

/** A directory may keep its name while the frontmatter's changes; then the index of the old name is stale for ever. */
async function runtimeByName(skill: ResolvedSkill, context: ResolveContext): Promise<string> {
  const name = (await readName(skill.dir)) ?? basename(skill.dir);
  const found = findRuntime(skill, { name, indexFile: indexFileName(skill.dir), context });
  return found ?? join(runtimeBaseOf(skill, context).dir, name);
}

async function readName(dir: string): Promise<string | undefined> {
  const [{ readSkillText }, { readFrontmatter }] = await Promise.all([
    import('../../skill/format/read-skill-text.ts'),
    import('../../skill/format/frontmatter.ts'),
  ]);
  try {
    const { text = '' } = { text: '', ...readSkillText(dir) };
    const name = readFrontmatter(text).data?.name;
    return typeof name === 'string' && name.trim() !== '' && !/[\\/\0]/.test(name) ? name : undefined;
  } catch (error) {
    // A skill that cannot be compiled can still be read file by file.
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  }
}
