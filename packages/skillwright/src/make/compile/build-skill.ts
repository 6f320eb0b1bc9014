// Compiling one skill: read, check paths, outline, stub, manifest, index.

import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Diagnostic, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  canonicalPath,
  decodeText,
  MAX_TEXT_BYTES,
  readInside,
  readRegularFile,
  refuseLinks,
  sha256,
  writeFileAtomic,
} from '../../base/files/index.ts';
import { toolVersion } from '../../base/version.ts';
import {
  type BuildResult,
  buildIndex,
  describeLeftOut,
  indexFileName,
  openIndexFile,
  openIndex,
  type Tokenizer,
} from '../../read/index/index.ts';
import {
  type BuildManifest,
  type BuildRecord,
  buildRecord,
  MANIFEST_VERSION,
  mayBeSkill,
  type RuntimeBase,
  readBuildManifest,
  type Skill,
  spellSourcePath,
  writeBuildManifest,
} from '../../skill/skill/index.ts';
import { checkInside, OWN_DIRECTORY, ownRootOf } from '../../skill/workspace/index.ts';
import { claimRuntime } from './claim-runtime.ts';
import type { HideNested } from './hide-nested.ts';
import { listSections } from './list-sections.ts';
import { checkPaths, openForBuild } from './open-for-build.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { renderStub } from './render-stub.ts';

/** How a skill is compiled. */
export interface BuildSkillOptions {
  readonly base: RuntimeBase;
  readonly home: string;
  readonly tokenizer: Tokenizer;
  readonly force: boolean;
  readonly now: Date;
  /** Which directories inside the skill the stub leaves out. */
  readonly hides?: HideNested | undefined;
}

/** A compiled skill. */
export interface BuiltSkill {
  readonly name: string;
  readonly source: string;
  readonly runtime: string;
  readonly status: BuildResult['status'];
  /** Files read into the index by this build. */
  readonly indexed: number;
  readonly files: number;
  readonly bytes: number;
  /** Where something that skc did not make is kept, when it stood in the way of a forced build; else null. */
  readonly backup: string | null;
  /** What is odd about the skill. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A skill that changes faster than it is built is compiled as well as it can be, and again by the next build. */
const MAX_ATTEMPTS = 3;

/** Compiles the skill in `dir` into its runtime directory. Nothing is written before everything could be read. */
export function buildSkill(dir: string, options: BuildSkillOptions): BuiltSkill {
  for (let attempt = 1, earlier: BuiltSkill | undefined; ; attempt++) {
    const { built, isWhole } = compile(dir, options);
    const isNew = earlier === undefined || earlier.status === 'unchanged';
    const status = isNew ? built.status : earlier!.status;
    earlier = {
      ...built,
      status,
      indexed: built.indexed + (earlier?.indexed ?? 0),
      backup: earlier?.backup ?? built.backup,
    };
    if (isWhole || attempt === MAX_ATTEMPTS) return earlier;
  }
}

/** One attempt; not whole when a file was changed between its reading for the index and for the stub. */
function compile(dir: string, options: BuildSkillOptions): { built: BuiltSkill; isWhole: boolean } {
  const source = openForBuild(canonicalPath(dir));
  checkPaths(source.dir);
  const runtime = join(options.base.dir, source.name);
  if (options.base.project !== undefined) checkInside(options.base.project, runtime);
  refuseLinks(ownRootOf(runtime), options.base.dir);
  const backup = claimRuntime(source, runtime, options);
  const own = join(runtime, OWN_DIRECTORY);
  refuseLinks(ownRootOf(own), own);
  const record = buildRecord(options.home);
  removeLeftovers(runtime, { names: ['SKILL.md'], now: options.now });
  removeLeftovers(own, { names: ['manifest.json', indexFileName(source.dir)], now: options.now });

  const { tokenizer, now } = options;
  const index = buildIndex({ sourceDir: source.dir, indexDir: own, tokenizer, now, record });
  removeOrphans(own, { current: basename(index.path), record });
  const files = index.files.length;
  const bytes = index.files.reduce((sum, file) => sum + file.size, 0);
  const { name } = source;
  const built = {
    name,
    source: source.dir,
    runtime,
    indexed: index.indexed,
    files,
    bytes,
    backup,
    diagnostics: [...source.diagnostics, ...describeLeftOut(index.files)],
  };
  const recorded = record.runtime(runtime);
  const before = recorded === undefined ? undefined : readBuildManifest(runtime);
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
    ...(hidden.length === 0 && before?.hidden === undefined ? {} : { hidden: hidden.join(':') }),
  };
  const isOurs = recorded?.source === source.dir && recorded.stub === before?.stub_hash;
  if (before !== undefined && isOurs && isCurrent(runtime, before, expected))
    return { built: { ...built, status: index.status }, isWhole: true };

  const { stub, isWhole } = compileStub(
    source,
    // What is not text cannot be shown, so it is not listed either.
    index.files.filter(({ path, indexed }) => indexed && !hidden.some((prefix) => path.startsWith(prefix))),
    own,
  );
  const stubHash = sha256(stub);
  record.addRuntime(runtime, { source: source.dir, stub: stubHash });
  if (hashOfStub(runtime) !== stubHash) writeFileAtomic(join(runtime, 'SKILL.md'), stub);
  writeBuildManifest(runtime, {
    ...expected,
    version: MANIFEST_VERSION,
    built_at: now.toISOString(),
    files,
    bytes,
    // A hash that fits no stub makes the next build write it again.
    stub_hash: isWhole ? stubHash : '',
    deployed: before?.deployed ?? [],
  });
  return { built: { ...built, status: index.status === 'unchanged' ? 'updated' : index.status }, isWhole };
}

/** The stub, and whether it was made of the very files that were indexed. */
function compileStub(
  source: Skill,
  files: BuildResult['files'],
  indexDir: string,
): { stub: string; isWhole: boolean } {
  const known = new Map(files.map((file) => [file.path, file.sha256]));
  let isWhole = known.get('SKILL.md') === source.digest;
  const read = (path: string): string | undefined => {
    const bytes = readReference(source.dir, path);
    if (bytes === 'unreadable') return undefined;
    if (bytes === undefined || sha256(bytes) !== known.get(path)) isWhole = false;
    const decoded = bytes === undefined ? undefined : decodeText(bytes);
    return decoded?.binary ? undefined : decoded?.text;
  };
  const index = openIndex({ skill: source.name, sourceDir: source.dir, indexDir });
  try {
    const count = (text: string) => index.headings({ text, limit: 2 }).length;
    return { stub: renderStub(source, listSections(source, [...known.keys()], { read, count })), isWhole };
  } finally {
    index.close();
  }
}

function readReference(dir: string, path: string): Buffer | undefined | 'unreadable' {
  try {
    return readInside(dir, path, { maxBytes: MAX_TEXT_BYTES });
  } catch (error) {
    // Too large to have a title that anybody reads.
    if (error instanceof SkillwrightError && error.code === 'E015') return 'unreadable';
    throw error;
  }
}

const generator = `skc ${toolVersion}`;

const canonicalProject = ({ project }: RuntimeBase) =>
  project === undefined ? undefined : canonicalPath(project);

/** True when stub and manifest are the ones this version would write for these files. */
function isCurrent(runtime: string, manifest: BuildManifest, expected: Partial<BuildManifest>): boolean {
  const fields = Object.entries(expected) as [keyof BuildManifest, unknown][];
  return (
    fields.every(([field, value]) => manifest[field] === value) && hashOfStub(runtime) === manifest.stub_hash
  );
}

/** Undefined when it is missing or unreadable: it is written again. */
function hashOfStub(runtime: string): string | undefined {
  try {
    const stub = readRegularFile(join(runtime, 'SKILL.md'), { maxBytes: MAX_TEXT_BYTES });
    return stub === undefined ? undefined : sha256(stub);
  } catch {
    return undefined;
  }
}

/** Indexes of sources that are gone, such as this one's before its project was moved. Those of other skills stay. */
function removeOrphans(own: string, { current, record }: { current: string; record: BuildRecord }): void {
  for (const name of readdirSync(own)) {
    if (name === current || !/^search-[0-9a-f]{16}\.db$/.test(name)) continue;
    const opened = openIndexFile(join(own, name), record);
    opened?.database.close();
    if (opened === undefined || !mayBeSkill(opened.meta.skillPath)) rmSync(join(own, name), { force: true });
  }
}
