// The catalog: from a working directory to the skills that are visible from it.

import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { compareBytes, describeSystemError, isMissing } from '../../base/files/index.ts';
import { defaultConfig } from '../../skill/config/index.ts';
import { findProject, isInRuntime, SKILL_FILE } from '../../skill/places/index.ts';
import { type CatalogOptions, cacheDirectory } from './catalog-options.ts';
import { createCommandFinder } from './find-commands.ts';
import { findProjectRoot } from './find-project-root.ts';
import { listSkillRoots, type SkillRoot } from './list-skill-roots.ts';
import { type Finding, hasRequires, makeRecord, type RecordContext } from './make-record.ts';
import { compareScopes, orderSkills } from './order-skills.ts';
import { isRemembered, MIN_CACHED_ENTRIES, nothing, readRootMemory, writeRootMemory } from './root-cache.ts';
import { type RootSearch, searchRoot } from './search-root.ts';
import { createEntryReader } from './skill-entry.ts';
import type { CatalogError, RootReport, SkillCatalog, SkillRecord } from './skill-record.ts';
import { disabledNames, readSkillState } from './skill-state.ts';
import { readDeployments, readStub } from './stub-source.ts';

/**
 * The skills visible from `options.cwd`. Total: a skill that cannot be read is an error in the result and hides no
 * other. E100 for an agent nobody knows.
 */
export async function loadCatalog(options: CatalogOptions): Promise<SkillCatalog> {
  const project = findProjectRoot(options);
  const roots = listSkillRoots(project.path, options);
  const searched = searchRoots(roots, options);
  const states = (['user', 'project'] as const).map((scope) => readSkillState(scope, options));
  const isDemanding = searched.some(({ search }) => search?.found.some(({ entry }) => hasRequires(entry)));
  const { records, errors, rankOf } = mergeFindings(searched, {
    ...options,
    disabled: disabledNames(states),
    hasCommand: createCommandFinder(options.env),
    readRequires: isDemanding ? (await import('../../skill/format/requires.ts')).readRequires : () => [],
  });
  const { skills, diagnostics } = orderSkills(records, rankOf);
  const problems = states.map(({ problem }) => problem).filter((problem) => problem !== undefined);
  return {
    skills,
    errors: errors.sort((a, b) => compareBytes(a.path, b.path)),
    truncated: searched.some(({ report }) => report.truncated),
    diagnostics: [...problems, ...diagnostics],
    project,
    roots: searched.map(({ report }) => report),
    cache: cacheDirectory(options),
  };
}

interface SearchedRoot {
  readonly root: SkillRoot;
  readonly report: RootReport;
  readonly search?: RootSearch;
}

/** Searches every root that may be, in the order of discovery. */
function searchRoots(roots: readonly SkillRoot[], options: CatalogOptions): SearchedRoot[] {
  const known = new Map<string, string>();
  return roots.map((root) => {
    const { path, scope, adapter } = root;
    const blank = {
      skills: 0,
      directories: 0,
      truncated: false,
      skipped: [],
      skippedCount: 0,
    };
    const leave = (status: RootReport['status'], why?: string): SearchedRoot => ({
      root,
      report: {
        path,
        scope,
        adapter,
        status,
        ...(why === undefined ? {} : { why }),
        ...blank,
      },
    });
    if (scope === 'project' && !options.trusted) return leave('untrusted', 'the project is not trusted');
    let real: string;
    try {
      real = realpathSync.native(path);
    } catch (error) {
      return isMissing(error) ? leave('missing') : leave('unreadable', describeSystemError(error));
    }
    const before = known.get(real);
    if (before !== undefined) return leave('duplicate', `the same directory as ${before}`);
    known.set(real, path);
    const search = searchWithCache(real, root, options);
    const { found, directories, truncated, skipped, skippedCount } = search;
    const [failure] = search.errors;
    const status = failure?.path === real ? 'unreadable' : 'searched';
    const limit = options.maxDirectories ?? defaultConfig.catalog.max_directories;
    const why = directories === limit && truncated ? `stopped after ${limit} directories` : undefined;
    const report: RootReport = {
      path,
      scope,
      adapter,
      status,
      ...(real === path ? {} : { real }),
      ...(why === undefined ? {} : { why }),
      skills: found.filter(({ entry }) => entry.problem === undefined).length,
      directories,
      truncated,
      skipped,
      skippedCount,
    };
    return { root, report, search };
  });
}

function searchWithCache(real: string, root: SkillRoot, options: CatalogOptions): RootSearch {
  const { max_depth: depth, max_directories: directories } = defaultConfig.catalog;
  const limits = {
    maxDepth: root.maxDepth ?? options.maxDepth ?? depth,
    maxDirectories: options.maxDirectories ?? directories,
  };
  const cache = cacheDirectory(options);
  const memory = cache === undefined ? nothing : readRootMemory(cache, real);
  const search = searchRoot(real, memory, limits);
  const isWorth = cache !== undefined && search.found.length >= MIN_CACHED_ENTRIES;
  if (isWorth && !isRemembered(search, memory)) writeRootMemory(cache, real, search);
  return search;
}

/** One record for each real directory, with stubs joined to their sources. */
function mergeFindings(
  searched: readonly SearchedRoot[],
  context: CatalogOptions & RecordContext,
): {
  records: SkillRecord[];
  errors: CatalogError[];
  rankOf: (source: SkillRecord['source']) => number;
} {
  const { cwd, home, trusted } = context;
  const project = trusted ? findProject(cwd, home) : undefined;
  const deployments = readDeployments(project === undefined ? [home] : [project, home], home);
  const records = new Map<string, SkillRecord>();
  const errors = new Map<string, CatalogError>();
  const ranks = new Map<SkillRecord['source'], number>();
  const stubs: FoundStub[] = [];
  const byPrecedence = searched
    .map((place, index) => ({ ...place, index }))
    .sort(
      (a, b) =>
        compareScopes(a.root.scope, b.root.scope) || b.root.nearness - a.root.nearness || a.index - b.index,
    );
  byPrecedence.forEach(({ root, search }, rank) => {
    if (search === undefined) return;
    for (const error of search.errors) errors.set(error.path, error);
    const [direct, throughLink] = [false, true].map((linked) => {
      const source = { root: root.path, adapter: root.adapter, linked };
      ranks.set(source, rank);
      return source;
    });
    for (const { entry, place, linked } of search.found) {
      if (records.has(entry.dir)) continue;
      if (entry.problem !== undefined) {
        const path = entry.dir + sep + SKILL_FILE;
        errors.set(path, { path, ...entry.problem });
        continue;
      }
      const stub =
        entry.mayBeStub || (linked && isInRuntime(entry.dir)) ? readStub(entry.dir, home) : undefined;
      const deployed = deployments.get(entry.dir) ?? (stub === undefined ? undefined : [place]);
      const finding = {
        entry,
        scope: root.scope,
        source: (linked ? throughLink : direct)!,
        deployed,
      };
      if (stub?.source === undefined) records.set(entry.dir, makeRecord(finding, context));
      else stubs.push({ source: stub.source, place, finding });
    }
  });
  joinStubs(stubs, records, context);
  return {
    records: [...records.values()],
    errors: [...errors.values()],
    rankOf: (source) => ranks.get(source) ?? 0,
  };
}

/** A stub whose source is known. */
interface FoundStub {
  readonly source: string;
  readonly place: string;
  readonly finding: Finding;
}

/** Every stub becomes its source: one that was found, or else one that is read where the stub says it is. */
function joinStubs(
  stubs: readonly FoundStub[],
  records: Map<string, SkillRecord>,
  context: RecordContext,
): void {
  const read = createEntryReader(new Map());
  for (const { source, place, finding } of stubs) {
    const known = records.get(source);
    const entry = known === undefined ? read(source) : undefined;
    // A source that cannot be used leaves the stub as all there is of the skill.
    const record =
      known ?? makeRecord(entry === undefined || entry.problem ? finding : { ...finding, entry }, context);
    const deployed = [...new Set([...record.deployed, place])].sort(compareBytes);
    records.set(record.dir, { ...record, compiled: true, deployed });
  }
}
