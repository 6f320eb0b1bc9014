// Opens the index of a skill for the operations that read sections.

import { dirname, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { nestedManifests, type Reach, wholeReach } from '../../skill/judge/index.ts';
import { buildRecord, isReadingPlace, type RuntimeBase, runtimeBaseOf } from '../../skill/skill/index.ts';
import { OWN_DIRECTORY, type Workspace } from '../../skill/workspace/index.ts';
import { type OpenedSkill, runtimeByName } from '../access/index.ts';
import type { FileRow, SearchAnswer, SearchResult, SectionSearch } from '../index/index.ts';
import { type IndexCache, openIndex, type SkillIndex, type Tokenizer } from '../index/index.ts';
import { nameSection, type SectionName } from './find-headings.ts';

/** Handling of an unusable index. */
export interface GatewayOptions {
  readonly workspace: Workspace;
  readonly tokenizer: Tokenizer;
  /** Build a missing or stale index instead of failing with E002. */
  readonly fresh: boolean;
  /** The caller's command with `fresh`, for the help line. */
  readonly retry?: (() => string) | undefined;
  /** Keeps indexes open between operations; without it, each is closed after use. */
  readonly indexes?: IndexCache | undefined;
  /** Compiles a skill in its existing place and returns that place. */
  build(dir: string, base: RuntimeBase): Promise<string>;
}

/** A fresh, open index and the skill it describes. */
export interface ReadableIndex {
  /** The caller's name for it. */
  readonly skill: string;
  /** Canonical directory. */
  readonly dir: string;
  readonly index: SkillIndex;
  /** All files of the skill, in bytewise order. */
  readonly files: readonly FileRow[];
  readonly reach: Reach;
}

/** Runs `read` on the fresh index of a skill; E002 when there is none and `fresh` is not set. */
export async function withIndex<Result>(
  skill: OpenedSkill,
  options: GatewayOptions,
  read: (skill: ReadableIndex) => Result,
): Promise<Result> {
  const { workspace, tokenizer, indexes } = options;
  const isCache = (runtime: string) => isReadingPlace(runtime, workspace);
  const open = async (runtime: string): Promise<Result> => {
    const indexDir = join(runtime, OWN_DIRECTORY);
    // Projects cannot write into the cache.
    const record = isCache(runtime) ? undefined : buildRecord(workspace.home);
    const place = { skill: skill.word, sourceDir: skill.dir, indexDir, tokenizer, record };
    const index = indexes?.open(place) ?? openIndex(place);
    let keep = indexes !== undefined;
    try {
      index.checkFresh();
      const files = index.files();
      // Most skills have neither a gate nor nested skills.
      const nested = nestedManifests(files.map(({ path }) => path));
      const isGuarded = index.gated || nested.length > 0;
      const reach = isGuarded ? await skill.reach(nested, index.sourceHash) : wholeReach;
      return read({ skill: skill.word, dir: skill.dir, index, files, reach });
    } catch (error) {
      if (isUnusable(error)) keep = false;
      throw error;
    } finally {
      if (!keep) index.close();
    }
  };
  for (let builds = 0, runtime = await skill.runtime(); ; builds++) {
    try {
      return await open(runtime);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      const isCached = isCache(runtime);
      const byName = builds > 0 || isCached ? runtime : await runtimeByName(skill, workspace);
      const renamed = isCache(byName) ? runtime : byName;
      // Do not wait for a skill that keeps changing.
      if (renamed === runtime && ((!options.fresh && !isCached) || builds === MAX_BUILDS))
        throw await explainUnusable(error as SkillwrightError, skill, options);
      if (isCached) await indexInCache(skill, runtime, options);
      else runtime = renamed === runtime ? await rebuild(skill, runtime, options) : renamed;
    }
  }
}

/** Indexes a skill that was never built. Indexes nobody has used for long make room. */
async function indexInCache(
  { dir: sourceDir }: OpenedSkill,
  runtime: string,
  { workspace, tokenizer }: GatewayOptions,
): Promise<void> {
  const [{ buildIndex }, { forgetUnread }] = await Promise.all([
    import('../index/build-index.ts'),
    import('./forget-unread.ts'),
  ]);
  const now = new Date();
  const { status } = buildIndex({ sourceDir, indexDir: join(runtime, OWN_DIRECTORY), tokenizer, now });
  if (status === 'created') forgetUnread(workspace, now);
}

const MAX_BUILDS = 3;

const MAX_NAMES = 3;

/** E002 with the reason and the command that rebuilds. Names only files the caller may see. */
async function explainUnusable(
  { data = {} }: SkillwrightError,
  skill: OpenedSkill,
  { retry }: GatewayOptions,
): Promise<SkillwrightError> {
  const lists = ['changed', 'added', 'removed'].map(
    (kind) => [kind, (data[kind] ?? []) as string[]] as const,
  );
  const reach = await skill.reach(lists.flatMap(([, paths]) => paths));
  const named = lists.map(([kind, paths]) => [kind, paths.filter(reach.allowsName)] as const);
  const changes = named.flatMap(([kind, paths]) =>
    paths.length === 0 ? [] : [`${joinNames(paths)} ${kind}`],
  );
  return SkillwrightError.of(
    'E002',
    { skill: skill.word },
    {
      detail: `  ${String(data.why)}${changes.length === 0 ? '' : `: ${changes.join('; ')}`}`,
      ...(retry === undefined ? {} : { help: `to rebuild and try again: ${retry()}` }),
      data: { why: data.why, ...Object.fromEntries(named) },
    },
  );
}

/** `a.md`, `a.md and b.md`, `a.md, b.md, c.md and 2 more`. */
function joinNames(paths: readonly string[]): string {
  const rest = paths.length - MAX_NAMES;
  const names = rest > 0 ? [...paths.slice(0, MAX_NAMES), `${rest} more`] : paths;
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const isUnusable = (error: unknown) => error instanceof SkillwrightError && error.code === 'E002';

/** Rebuilds in the existing place and returns it. */
async function rebuild(skill: OpenedSkill, runtime: string, options: GatewayOptions): Promise<string> {
  const usual = runtimeBaseOf(skill, options.workspace);
  const dir = dirname(runtime);
  return options.build(skill.dir, dir === usual.dir ? usual : { dir, project: undefined });
}

/** A found section, and the arguments that show it: its name, or its lines when it has no name. */
export interface FoundSection extends SearchResult {
  readonly name: SectionName | undefined;
}

/** The best sections for a query; E004 when it is blank. E062 when a quiz locks everything that could match. */
export function searchSkill(
  opened: ReadableIndex,
  query: string,
  options: Omit<SectionSearch, 'accept'>,
): Omit<SearchAnswer, 'results'> & { readonly results: readonly FoundSection[] } {
  const { skill, index, reach } = opened;
  const answer = index.search(query, { ...options, accept: reach.isWhole ? undefined : reach.allowsSection });
  if (reach.gate !== undefined && answer.results.length === 0) throw reach.gate.refusal(skill);
  const results = answer.results.map((result) => ({
    ...result,
    name: result.level === 0 ? undefined : nameSection(opened, result),
  }));
  return { ...answer, results };
}
