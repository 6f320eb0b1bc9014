// The catalog: from a working directory to the skills that are visible from it.

import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { defaultConfig } from '../config/default-config.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { compareBytes } from '../files/compare-paths.ts';
import { describeSystemError, isMissing } from '../files/system-error.ts';
import { findProject, isInRuntime } from '../places/find-project.ts';
import { SKILL_FILE } from '../places/resolve-skill.ts';
import { type CatalogOptions, cacheDirectory } from './catalog-options.ts';
import { MIN_CACHED_ENTRIES, readEntries, writeEntries } from './entry-cache.ts';
import { createCommandFinder } from './find-commands.ts';
import { findProjectRoot } from './find-project-root.ts';
import { listSkillRoots, type SkillRoot } from './list-skill-roots.ts';
import { hasRequires, makeRecord, type RecordContext } from './make-record.ts';
import { compareScopes, orderSkills } from './order-skills.ts';
import { type RootSearch, searchRoot } from './search-root.ts';
import { createEntryReader, type SkillEntry } from './skill-entry.ts';
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
  const merged = mergeFindings(searched, options);
  const states = (['user', 'project'] as const).map((scope) => readSkillState(scope, options));
  const context: RecordContext = {
    disabled: disabledNames(states),
    hasCommand: createCommandFinder(options.env),
    readRequires: merged.findings.some(({ entry }) => hasRequires(entry))
      ? (await import('../format/requires.ts')).readRequires
      : () => [],
  };
  const placed = merged.findings.map((finding) => ({
    record: makeRecord(finding, context),
    rank: finding.rank,
  }));
  const { skills, diagnostics } = orderSkills(placed);
  const problems = states.map(({ problem }) => problem).filter((problem) => problem !== undefined);
  return {
    skills,
    errors: merged.errors.sort((a, b) => compareBytes(a.path, b.path)),
    truncated: searched.some(({ report }) => report.truncated),
    diagnostics: [...(problems as Diagnostic[]), ...diagnostics],
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
    const blank = { skills: 0, directories: 0, truncated: false, skipped: [], skippedCount: 0 };
    const leave = (status: RootReport['status'], why?: string): SearchedRoot => ({
      root,
      report: { path, scope, adapter, status, ...(why === undefined ? {} : { why }), ...blank },
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
  const known = cache === undefined ? new Map<string, SkillEntry>() : readEntries(cache, real);
  const search = searchRoot(real, createEntryReader(known), limits);
  if (cache === undefined || search.found.length < MIN_CACHED_ENTRIES) return search;
  const isUnchanged =
    search.found.length === known.size && search.found.every(({ entry }) => known.get(entry.dir) === entry);
  const entries = search.found.map(({ entry }) => entry);
  if (!isUnchanged) writeEntries(cache, real, entries);
  return search;
}

interface RankedFinding {
  readonly entry: SkillEntry;
  readonly scope: SkillRecord['scope'];
  readonly source: SkillRecord['source'];
  readonly compiled: boolean;
  readonly deployed: readonly string[];
  readonly rank: number;
}

/** One finding for each real directory, with stubs joined to their sources. */
function mergeFindings(
  searched: readonly SearchedRoot[],
  options: CatalogOptions,
): { findings: RankedFinding[]; errors: CatalogError[] } {
  const { cwd, home, trusted } = options;
  const project = trusted ? findProject(cwd, home) : undefined;
  const deployments = readDeployments(project === undefined ? [home] : [project, home], home);
  const findings = new Map<string, RankedFinding>();
  const errors = new Map<string, CatalogError>();
  const stubs: { source: string; place: string; finding: RankedFinding }[] = [];

  const byPrecedence = searched
    .map((entry, index) => ({ ...entry, index }))
    .sort(
      (a, b) =>
        compareScopes(a.root.scope, b.root.scope) || b.root.nearness - a.root.nearness || a.index - b.index,
    );
  byPrecedence.forEach(({ root, search }, rank) => {
    if (search === undefined) return;
    for (const error of search.errors) errors.set(error.path, error);
    const sources = [false, true].map((linked) => ({ root: root.path, adapter: root.adapter, linked }));
    for (const { entry, place, linked } of search.found) {
      if (findings.has(entry.dir)) continue;
      const path = entry.dir + sep + SKILL_FILE;
      if (entry.problem !== undefined) {
        errors.set(path, { path, ...entry.problem });
        continue;
      }
      const source = sources[linked ? 1 : 0]!;
      const compiledTo = deployments.get(entry.dir);
      const isOurs = entry.mayBeStub || (linked && isInRuntime(entry.dir));
      const stub = isOurs ? readStub(entry.dir, home) : undefined;
      const finding = {
        entry,
        scope: root.scope,
        source,
        compiled: compiledTo !== undefined || stub !== undefined,
        deployed: compiledTo ?? (stub === undefined ? [] : [place]),
        rank,
      };
      if (stub?.source === undefined) findings.set(entry.dir, finding);
      else stubs.push({ source: stub.source, place, finding });
    }
  });
  joinStubs(findings, stubs);
  return { findings: [...findings.values()], errors: [...errors.values()] };
}

/** Every stub becomes its source: one that was found, or else one that is read where the stub says it is. */
function joinStubs(
  findings: Map<string, RankedFinding>,
  stubs: readonly { source: string; place: string; finding: RankedFinding }[],
): void {
  const read = createEntryReader(new Map());
  for (const { source, place, finding } of stubs) {
    const known = findings.get(source);
    const entry = known?.entry ?? read(source);
    // A source that cannot be used leaves the stub as all there is of the skill.
    if (entry === undefined || entry.problem !== undefined) {
      findings.set(finding.entry.dir, finding);
      continue;
    }
    const base = known ?? { ...finding, entry, deployed: [] };
    const deployed = base.deployed.includes(place) ? base.deployed : [...base.deployed, place];
    findings.set(source, { ...base, compiled: true, deployed: [...deployed].sort(compareBytes) });
  }
}
