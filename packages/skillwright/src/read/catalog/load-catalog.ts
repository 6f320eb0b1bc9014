// Loads the catalog: the skills visible in a workspace.

import { basename, sep } from 'node:path';
import { type Diagnostic, diagnose, formatCount } from '../../base/diagnostics/index.ts';
import {
  compareBytes,
  describeSystemError,
  isMissing,
  isPathGiven,
  readRealPath,
} from '../../base/files/index.ts';
import { isSkillName } from '../../skill/format/index.ts';
import { nameDiagnostics, SKILL_FILE } from '../../skill/skill/index.ts';
import { isInRuntime, PROJECT_VARIABLE, type Workspace } from '../../skill/workspace/index.ts';
import {
  type CatalogOptions,
  type Discovery,
  listSkillRoots,
  type SkillRoot,
  settleOptions,
} from './list-skill-roots.ts';
import {
  createCommandFinder,
  type Finding,
  hasRequires,
  makeRecord,
  type RecordContext,
} from './make-record.ts';
import { orderSkills, scopes } from './order-skills.ts';
import { isRemembered, MIN_CACHED_ENTRIES, nothing, readRootMemory, writeRootMemory } from './root-cache.ts';
import { type RootSearch, searchRoot } from './search-root.ts';
import { createEntryReader } from './skill-entry.ts';
import type { CatalogError, ProjectRoot, RootReport, SkillCatalog, SkillRecord } from './skill-record.ts';
import { type Deployments, diagnoseLookalike, readDeployments, readStub } from './stub-source.ts';

/**
 * The skills visible in a workspace: those in every skill root, and those compiled from anywhere else. Never throws for
 * a skill: an unreadable one is an error in the result and hides no other. E100 for an unknown agent.
 */
export async function loadCatalog(workspace: Workspace, discovery: Discovery = {}): Promise<SkillCatalog> {
  const options = await settleOptions(workspace, discovery);
  const read = new Map(discovery.opened?.map((entry) => [entry.dir, entry]));
  const searched = searchRoots(listSkillRoots(workspace, options), { workspace, options, read });
  const deployments = readDeployments(workspace);
  const readEntry = createEntryReader(new Map(), read);
  const built = readBuilt(searched, deployments, readEntry);
  const isDemanding = [built, ...searched.map(({ search }) => search?.found ?? [])].some((found) =>
    found.some(({ entry }) => hasRequires(entry)),
  );
  const { records, errors, lookalikes, rankOf } = mergeFindings(searched, {
    workspace,
    deployments,
    built,
    readEntry,
    off: workspace.off,
    hasCommand: createCommandFinder(workspace.env),
    isPathGiven: isPathGiven(workspace.env),
    readRequires: isDemanding ? (await import('../../skill/format/requires.ts')).readRequires : () => [],
  });
  const { skills, diagnostics } = orderSkills(records, rankOf);
  const reports = searched.map(({ report }) => report);
  return {
    skills,
    errors: errors.sort((a, b) => compareBytes(a.path, b.path)),
    truncated: reports.some(({ truncated }) => truncated),
    diagnostics: [
      ...workspace.off.problems,
      ...reports.flatMap(describeCut),
      ...describeUntrusted(reports, workspace),
      ...skills.flatMap(describeName),
      ...lookalikes,
      ...diagnostics,
    ],
    project: projectRootOf(workspace),
    roots: reports,
    cache: options.cacheDirectory,
  };
}

/** W006 for a name that was replaced, W011 for one that other agents may refuse. */
function describeName({ frontmatter, name, path, dir }: SkillRecord): Diagnostic[] {
  const replaced = nameDiagnostics(frontmatter, { name, path });
  const why = isSkillName(name)
    ? `is not its directory's name, '${basename(dir)}'`
    : 'breaks the rules: lower-case letters, digits and single hyphens, 64 at most';
  if (replaced.length > 0 || (isSkillName(name) && name === basename(dir))) return replaced;
  return [diagnose('W011', { name, why }, { data: { path } })];
}

function projectRootOf({ project, cwd }: Workspace): ProjectRoot {
  if (project === undefined) return { path: cwd, reason: 'cwd' };
  const { dir: path, mark } = project;
  return mark === PROJECT_VARIABLE
    ? { path, reason: 'environment' }
    : { path, reason: 'marker', marker: mark };
}

/** W007 for a root that was not fully searched. */
function describeCut({ path, truncated, why, skills }: RootReport): Diagnostic[] {
  if (!truncated) return [];
  const found = skills === 1 ? '1 skill was found' : `${skills} skills were found`;
  return [
    diagnose('W007', { root: path, why: `${why ?? 'a bound was reached'}; ${found}` }, { data: { path } }),
  ];
}

/** W020 for the skills of a project that the user has not trusted. They are counted, and nothing of them is used. */
function describeUntrusted(reports: readonly RootReport[], { project, cwd }: Workspace): Diagnostic[] {
  const hidden = reports.reduce((sum, { status, skills }) => sum + (status === 'untrusted' ? skills : 0), 0);
  if (hidden === 0) return [];
  const skills = formatCount(hidden, 'skill');
  const help = 'if the user trusts this project, open the session with `trust: true`';
  return [diagnose('W020', { skills, project: project?.dir ?? cwd }, { help, data: { hidden } })];
}

interface SearchedRoot {
  readonly root: SkillRoot;
  readonly report: RootReport;
  readonly search?: RootSearch;
}

/** Searches every allowed root, in discovery order. */
function searchRoots(
  roots: readonly SkillRoot[],
  { workspace, options, read }: { workspace: Workspace; options: CatalogOptions; read: EntriesRead },
): SearchedRoot[] {
  const known = new Map<string, string>();
  return roots.map((root) => {
    const { path, scope, adapter } = root;
    const leave = (status: RootReport['status'], why?: string): SearchedRoot => ({
      root,
      report: {
        path,
        scope,
        adapter,
        status,
        ...(why === undefined ? {} : { why }),
        skills: 0,
        directories: 0,
        truncated: false,
        skipped: [],
        skippedCount: 0,
      },
    });
    const isHidden = scope === 'project' && !workspace.trusted;
    const untrusted = leave('untrusted', 'the project is not trusted');
    let real: string;
    try {
      real = readRealPath(path);
    } catch (error) {
      if (isHidden) return untrusted;
      return isMissing(error) ? leave('missing') : leave('unreadable', describeSystemError(error));
    }
    const before = known.get(real);
    if (before !== undefined)
      return isHidden ? untrusted : leave('duplicate', `the same directory as ${before}`);
    known.set(real, path);
    if (isHidden) {
      const { found } = searchRoot(real, nothing, options);
      const skills = found.filter(({ entry }) => entry.problem === undefined).length;
      return { root, report: { ...untrusted.report, skills } };
    }
    const search = searchWithCache(real, root, { ...options, read, home: workspace.home });
    const { found, directories, truncated, why, skipped, skippedCount } = search;
    const [failure] = search.errors;
    const report: RootReport = {
      path,
      scope,
      adapter,
      status: failure?.path === real ? 'unreadable' : 'searched',
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

type EntriesRead = Map<string, Finding['entry']>;

function searchWithCache(
  real: string,
  root: SkillRoot,
  options: CatalogOptions & { readonly read: EntriesRead; readonly home: string },
): RootSearch {
  const { maxDepth, maxDirectories, cacheDirectory: cache, read, home } = options;
  const memory = cache === undefined ? nothing : readRootMemory(cache, real);
  const search = searchRoot(real, memory, {
    maxDepth: root.maxDepth ?? maxDepth,
    maxDirectories,
    read,
    home,
  });
  const isWorth = cache !== undefined && search.found.length >= MIN_CACHED_ENTRIES;
  if (isWorth && !isRemembered(search, memory)) writeRootMemory(cache, real, search);
  return search;
}

/** Compiled skills outside every skill root: agents with their stub request them by name. */
function readBuilt(
  searched: readonly SearchedRoot[],
  deployments: Deployments,
  read: ReadEntry,
): BuiltEntry[] {
  if (deployments.size === 0) return [];
  const found = new Set(searched.flatMap(({ search }) => search?.found.map(({ entry }) => entry.dir) ?? []));
  return [...deployments].flatMap(([source, { scope, runtime }]): BuiltEntry[] => {
    const entry = found.has(source) ? undefined : read(source);
    return entry === undefined || entry.problem !== undefined ? [] : [{ entry, scope, runtime }];
  });
}

type ReadEntry = ReturnType<typeof createEntryReader>;

interface BuiltEntry {
  readonly entry: Finding['entry'];
  readonly scope: 'project' | 'user';
  /** Path of its runtime directory. */
  readonly runtime: string;
}

interface MergeContext extends RecordContext {
  readonly workspace: Workspace;
  readonly deployments: Deployments;
  readonly built: readonly BuiltEntry[];
  readonly readEntry: ReadEntry;
}

/** One record per real directory, with stubs joined to their sources. */
function mergeFindings(
  searched: readonly SearchedRoot[],
  context: MergeContext,
): {
  records: SkillRecord[];
  errors: CatalogError[];
  /** Directories that look compiled but are ordinary skills. */
  lookalikes: Diagnostic[];
  rankOf: (source: SkillRecord['source']) => number;
} {
  const { deployments } = context;
  const { home } = context.workspace;
  const records = new Map<string, SkillRecord>();
  const errors = new Map<string, CatalogError>();
  const ranks = new Map<SkillRecord['source'], number>();
  const stubs: FoundStub[] = [];
  const lookalikes: Diagnostic[] = [];
  const byPrecedence = scopes.flatMap((scope) =>
    searched.filter(({ root }) => root.scope === scope).sort((a, b) => b.root.nearness - a.root.nearness),
  );
  byPrecedence.forEach(({ root, search }, rank) => {
    if (search === undefined) return;
    for (const error of search.errors) errors.set(error.path, error);
    const [direct, throughLink] = [false, true].map((linked) => {
      const source = { root: root.path, adapter: root.adapter, linked };
      ranks.set(source, rank);
      return source;
    });
    for (const { entry, place, linked, isStub } of search.found) {
      if (isStub === true) {
        const finding = { entry, scope: root.scope, source: throughLink!, deployed: [place] };
        stubs.push({ source: entry.dir, place, finding });
        continue;
      }
      if (records.has(entry.dir)) continue;
      if (entry.problem !== undefined) {
        const path = entry.dir + sep + SKILL_FILE;
        errors.set(path, { path, ...entry.problem });
        continue;
      }
      const looksCompiled = entry.mayBeStub || (linked && isInRuntime(entry.dir));
      const stub = looksCompiled ? readStub(entry.dir, home) : undefined;
      if (looksCompiled && stub === undefined) lookalikes.push(...diagnoseLookalike(entry.dir));
      const deployed = deployments.get(entry.dir)?.places ?? (stub === undefined ? undefined : [place]);
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
  for (const { entry, scope, runtime } of context.built) {
    if (records.has(entry.dir)) continue;
    const source = { root: runtime, adapter: 'built', linked: false };
    ranks.set(source, byPrecedence.length);
    const deployed = deployments.get(entry.dir)?.places ?? [];
    records.set(entry.dir, makeRecord({ entry, scope, source, deployed }, context));
  }
  return {
    records: [...records.values()],
    errors: [...errors.values()],
    lookalikes,
    rankOf: (source) => ranks.get(source) ?? 0,
  };
}

/** A stub whose source is known. */
interface FoundStub {
  readonly source: string;
  readonly place: string;
  readonly finding: Finding;
}

/** Replaces every stub with its source: one already found, or else one read from the recorded path. */
function joinStubs(
  stubs: readonly FoundStub[],
  records: Map<string, SkillRecord>,
  context: MergeContext,
): void {
  for (const { source, place, finding } of stubs) {
    const known = records.get(source);
    const entry = known === undefined ? context.readEntry(source) : undefined;
    // When the source cannot be used, the stub stays.
    const record =
      known ?? makeRecord(entry === undefined || entry.problem ? finding : { ...finding, entry }, context);
    const deployed = [...new Set([...record.deployed, place])].sort(compareBytes);
    records.set(record.dir, { ...record, compiled: true, deployed });
  }
}
