// Compiles one skill: read, check paths, outline, stub, manifest, index.

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { attempt, type Diagnostic } from '../../base/diagnostics/index.ts';
import {
  canonicalPath,
  compareBytes,
  isDirectory,
  isThere,
  MAX_TEXT_BYTES,
  readRegularFile,
  refuseLinks,
  removeLeftovers,
  removePath,
  sha256,
  untilSettled,
  writeFileAtomic,
} from '../../base/files/index.ts';
import { toolVersion } from '../../base/version.ts';
import {
  type BuildResult,
  buildIndex,
  describeLeftOut,
  openIndex,
  openIndexFile,
  type Tokenizer,
  unsearchedFiles,
} from '../../read/index/index.ts';
import { moveLog } from '../../read/usage/index.ts';
import { nestedManifests, standingOf, tryOpen } from '../../skill/judge/index.ts';
import {
  type BuildManifest,
  type BuildRecord,
  buildRecord,
  type DeployMode,
  MANIFEST_VERSION,
  mayBeSkill,
  type RuntimeBase,
  readingPlace,
  repairsOf,
  requireUsable,
  SKILL_FILE,
  type Skill,
  spellSourcePath,
  writeBuildManifest,
} from '../../skill/skill/index.ts';
import {
  checkInside,
  OWN_DIRECTORY,
  ownRootOf,
  storeAt,
  type Workspace,
} from '../../skill/workspace/index.ts';
import type { BuildOutcome } from './build-outcome.ts';
import { formDiagnostics } from './deploy-form.ts';
import { isBeside, linkBeside } from './links.ts';
import { checkPaths, claimRuntime, openForBuild } from './open-for-build.ts';
import { compileStub } from './render-stub.ts';

/** Options of a compilation. */
export interface BuildSkillOptions {
  readonly base: RuntimeBase;
  readonly home: string;
  readonly tokenizer: Tokenizer;
  readonly force: boolean;
  readonly now: Date;
  /** Directories inside the skill that the stub leaves out. */
  readonly hides?: HideNested | undefined;
  /** Form of deployment; by default the form of the last build, for the first build the configured one. */
  readonly deploy?: DeployMode | undefined;
  readonly configured?: DeployMode | undefined;
  /** The directory it was just imported from: what is compiled from there is the same skill. */
  readonly imported?: string | undefined;
  /** Where it is going to be deployed, spelled as a manifest does; for the manifest. */
  deployedTo?(name: string): readonly string[];
}

/** A compiled skill. */
export interface Built extends Omit<BuildOutcome, 'deployments' | 'backups' | 'notes'> {
  /** Backup of something that skc did not make and that was in the way of a forced build; otherwise null. */
  readonly backup: string | null;
  /** Diagnostics of the skill, and what agents lose by the form. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A skill that changes faster than it can be built is compiled as well as possible, and again by the next build. */
const MAX_ATTEMPTS = 3;

/**
 * Compiles a skill, or the one in a directory, into its runtime directory. Nothing is written before everything could be
 * read.
 */
export function buildSkill(source: Skill | string, options: BuildSkillOptions): Built {
  const dir = typeof source === 'string' ? source : source.dir;
  let earlier: Built | undefined;
  return untilSettled(MAX_ATTEMPTS, () => {
    const isOpen = typeof source !== 'string' && earlier === undefined;
    const skill = isOpen ? requireUsable(source) : openForBuild(dir);
    const { built, isWhole } = compile(skill, options);
    const isNew = earlier === undefined || earlier.status === 'unchanged';
    const status = isNew ? built.status : earlier!.status;
    const indexed = built.indexed + (earlier?.indexed ?? 0);
    earlier = { ...built, status, indexed, backup: earlier?.backup ?? built.backup };
    return { result: earlier, isSettled: isWhole };
  });
}

/** One attempt; incomplete if a file changed between reading it for the index and for the stub. */
function compile(source: Skill, options: BuildSkillOptions): { built: Built; isWhole: boolean } {
  checkPaths(source.dir, source.tree());
  const runtime = join(options.base.dir, source.name);
  const root = ownRootOf(runtime);
  if (options.base.project !== undefined) checkInside(options.base.project, runtime);
  refuseLinks(root, options.base.dir);
  // A new runtime directory has no owner, and nothing of an earlier build in it.
  const isNew = !isThere(runtime);
  const claimed = isNew ? undefined : claimRuntime(source, runtime, options);
  const backup = claimed?.backup ?? null;
  const own = join(runtime, OWN_DIRECTORY);
  refuseLinks(root, own);
  const record = buildRecord(options.home);
  if (!isNew) {
    removeLeftovers(runtime, { names: ['SKILL.md'], now: options.now });
    removeLeftovers(own, { names: ['manifest.json'], now: options.now });
  }

  const { tokenizer, now } = options;
  // Nobody reads a new index before its runtime directory is recorded: one entry holds both.
  let mark: string | undefined;
  const addFile: BuildRecord['addFile'] = (_, identity) => {
    mark = identity;
  };
  const index = buildIndex({
    sourceDir: source.dir,
    files: source.files(),
    indexDir: own,
    tokenizer,
    now,
    record: isNew ? { ...record, addFile } : record,
  });
  // It was read in place until now.
  const read = readingPlace(source, basename(index.path), { user: storeAt('user', options.home) });
  if (isThere(read)) moveLog(read, runtime, { now, home: options.home, report: () => {} });
  if (!isNew) removeOrphans(own, { current: basename(index.path), imported: options.imported, record });
  const files = index.files.length;
  const bytes = index.files.reduce((sum, file) => sum + file.size, 0);
  const { name } = source;
  const recorded = isNew ? undefined : record.runtime(runtime);
  const before = recorded === undefined ? undefined : claimed?.manifest;
  const tooLarge = describeLeftOut(index.files);
  const describe = (manifest: BuildManifest, status: BuildResult['status']): Built => ({
    name,
    source_path: source.dir,
    runtime_path: runtime,
    status,
    indexed: index.indexed,
    files,
    bytes,
    backup,
    form: manifest.form ?? 'stub',
    why: manifest.why ?? '',
    beside: [...(manifest.beside ?? [])],
    left_out: [...(manifest.left_out ?? [])],
    not_searched: unsearchedFiles(index.files),
    diagnostics: [...diagnosticsOf(source, manifest), ...tooLarge],
  });
  const hidden =
    options.hides?.(
      source.dir,
      index.files.map(({ path }) => path),
    ) ?? [];
  const expected = {
    skill: source.name,
    source_hash: index.sourceHash,
    source_path: spellSourcePath(source.dir, { project: canonicalProject(options.base), home: options.home }),
    generator,
    deploy: options.deploy ?? before?.deploy ?? options.configured ?? 'auto',
    ...(hidden.length === 0 && before?.hidden === undefined ? {} : { hidden: hidden.join(':') }),
  };
  const isOurs = recorded?.source === source.dir && recorded.stub === before?.stub_hash;
  const known = before?.deployed ?? [];
  const deployed = [...new Set([...known, ...(options.deployedTo?.(name) ?? [])])].sort(compareBytes);
  if (before !== undefined && isOurs && isCurrent(runtime, before, { expected, source: source.dir })) {
    if (deployed.length > known.length) writeBuildManifest(runtime, { ...before, deployed });
    return { built: describe(before, index.status), isWhole: true };
  }

  // If another build has put its own index in place by now, build this one again.
  const open = () => openIndex({ skill: name, sourceDir: source.dir, indexDir: own, record });
  const opened = index.countHeadings === undefined ? attempt(open) : undefined;
  const count = index.countHeadings ?? ((text: string) => opened?.headings({ text, limit: 2 }).length ?? 0);
  const {
    stub,
    isWhole: isOfTheseFiles,
    ...form
  } = compileStub(source, {
    files: index.files,
    hidden,
    mode: expected.deploy,
    count,
  });
  opened?.close();
  const isWhole = isOfTheseFiles && (index.countHeadings !== undefined || opened !== undefined);
  const stubHash = sha256(stub);
  record.addRuntime(runtime, { source: source.dir, stub: stubHash, index: mark });
  const stubBefore = isNew ? undefined : hashOfStub(runtime);
  // Agents read it without asking skc: one that replaces another waits for the disk.
  if (stubBefore !== stubHash)
    writeFileAtomic(join(runtime, 'SKILL.md'), stub, { derived: stubBefore === undefined });
  const copied = linkBeside(runtime, form.beside, {
    source: source.dir,
    project: options.base.project,
    copied: before?.copied,
  });
  const manifest: BuildManifest = {
    ...expected,
    version: MANIFEST_VERSION,
    built_at: now.toISOString(),
    files,
    bytes,
    // A hash that matches no stub makes the next build write it again.
    stub_hash: isWhole ? stubHash : '',
    ...form,
    ...(copied.length === 0 ? {} : { copied }),
    deployed,
  };
  writeBuildManifest(runtime, manifest);
  return { built: describe(manifest, index.status === 'unchanged' ? 'updated' : index.status), isWhole };
}

const generator = `skc ${toolVersion}`;

const canonicalProject = ({ project }: RuntimeBase) =>
  project === undefined ? undefined : canonicalPath(project);

/** True if stub and manifest are the ones this version would write for these files. */
function isCurrent(
  runtime: string,
  manifest: BuildManifest,
  { expected, source }: { expected: Partial<BuildManifest>; source: string },
): boolean {
  const fields = Object.entries(expected) as [keyof BuildManifest, unknown][];
  return (
    fields.every(([field, value]) => manifest[field] === value) &&
    hashOfStub(runtime) === manifest.stub_hash &&
    isBeside(runtime, manifest.beside ?? [], { source, copied: manifest.copied })
  );
}

/** Diagnostics of a build: problems of the skill, repairs of its frontmatter, losses of its form. */
function diagnosticsOf(source: Skill, form: Parameters<typeof formDiagnostics>[0]): Diagnostic[] {
  return [...source.diagnostics, ...repairsOf(source), ...formDiagnostics(form)];
}

/** Undefined if missing or unreadable: it is written again. */
function hashOfStub(runtime: string): string | undefined {
  try {
    const stub = readRegularFile(join(runtime, 'SKILL.md'), { maxBytes: MAX_TEXT_BYTES });
    return stub === undefined ? undefined : sha256(stub);
  } catch {
    return undefined;
  }
}

/** Removes indexes of sources that no longer exist, such as this one's before its project moved. Those of other skills stay. */
function removeOrphans(
  own: string,
  { current, imported, record }: { current: string; imported: string | undefined; record: BuildRecord },
): void {
  for (const name of readdirSync(own)) {
    if (name === current || !/^search-[0-9a-f]{16}\.db$/.test(name) || isDirectory(join(own, name))) continue;
    const opened = openIndexFile(join(own, name), record);
    opened?.close();
    const isMoved = opened !== undefined && opened.meta.skillPath === imported;
    if (opened === undefined || isMoved || !mayBeSkill(opened.meta.skillPath))
      removePath(join(own, name), { force: true });
  }
}

// Builds a skill again in the place where it was built, for readers that find its index missing or stale.

/** Builds the skill in `dir`, and returns its runtime directory. */
export async function rebuildSkill(
  dir: string,
  base: RuntimeBase,
  { workspace, now }: { readonly workspace: Workspace; readonly now: Date },
): Promise<string> {
  const { search, build } = await workspace.config();
  const { home } = workspace;
  const { tokenizer } = search;
  const hides = await hideNested(workspace);
  const configured = build.deploy;
  return buildSkill(dir, { base, home, tokenizer, force: false, now, hides, configured }).runtime_path;
}

// Skills inside a skill that its stub must not mention: an agent reads the stub even if the rules change later.

/** Returns the directories inside a skill, with `/` at the end, that its stub leaves out. */
export type HideNested = (dir: string, files: readonly string[]) => readonly string[];

/** Leaves out skills that a model may not read now, or that are locked behind a quiz. */
export async function hideNested(workspace: Workspace): Promise<HideNested> {
  const law = { rules: await workspace.rules(), off: workspace.off };
  const isKept = (dir: string): boolean => {
    const skill = tryOpen(dir);
    if (skill === undefined) return false;
    return skill.gated || standingOf(skill, { operation: 'read', by: 'model' }, law).verdict !== 'allow';
  };
  return (dir, files) =>
    nestedManifests(files)
      .map((path) => path.slice(0, -SKILL_FILE.length))
      .filter((prefix) => isKept(join(dir, prefix)));
}
