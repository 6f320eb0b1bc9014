// Compiling one skill: read, check paths, outline, stub, manifest, index.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sha256 } from '../files/hash.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';
import type { Tokenizer } from '../index/analyze-text.ts';
import { type BuildResult, buildIndex } from '../index/build-index.ts';
import { openDatabase } from '../index/database.ts';
import {
  type BuildManifest,
  MANIFEST_VERSION,
  readBuildManifest,
  spellSourcePath,
  writeBuildManifest,
} from '../places/build-manifest.ts';
import { OWN_DIRECTORY } from '../places/find-project.ts';
import { canonicalPath, type RuntimeBase } from '../places/locate-runtime.ts';
import { hasSkillFile } from '../places/resolve-skill.ts';
import { toolVersion } from '../version.ts';
import { claimRuntime } from './claim-runtime.ts';
import { listSections } from './list-sections.ts';
import { checkPaths, readSource } from './read-source.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { renderStub } from './render-stub.ts';

/** How a skill is compiled. */
export interface BuildSkillOptions {
  readonly base: RuntimeBase;
  readonly home: string;
  readonly tokenizer: Tokenizer;
  readonly force: boolean;
  readonly now: Date;
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
}

/** Compiles the skill in `dir` into its runtime directory. Nothing is written before everything could be read. */
export function buildSkill(dir: string, options: BuildSkillOptions): BuiltSkill {
  const source = readSource(canonicalPath(dir));
  const entries = checkPaths(source.dir);
  const runtime = join(options.base.dir, source.name);
  const backup = claimRuntime(source, runtime, options);
  const own = join(runtime, OWN_DIRECTORY);
  removeLeftovers(runtime, { names: ['SKILL.md'], now: options.now });
  removeLeftovers(own, { names: ['manifest.json'], now: options.now });

  const { tokenizer, now } = options;
  const index = buildIndex({ sourceDir: source.dir, indexDir: own, tokenizer, now });
  removeOrphans(own, basename(index.path));
  const files = index.files.length;
  const bytes = index.files.reduce((sum, file) => sum + file.size, 0);
  const result = {
    name: source.name,
    source: source.dir,
    runtime,
    indexed: index.indexed,
    files,
    bytes,
    backup,
  };
  const before = readBuildManifest(runtime);
  const expected = {
    skill: source.name,
    source_hash: index.sourceHash,
    source_path: spellSourcePath(source.dir, { project: canonicalProject(options.base), home: options.home }),
    generator,
  };
  if (before !== undefined && isCurrent(runtime, before, expected))
    return { ...result, status: index.status };

  const paths = entries.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const stub = renderStub(source, listSections(source, paths));
  writeFileAtomic(join(runtime, 'SKILL.md'), stub);
  writeBuildManifest(runtime, {
    ...expected,
    version: MANIFEST_VERSION,
    built_at: now.toISOString(),
    files,
    bytes,
    stub_hash: sha256(stub),
    deployed: before?.deployed ?? [],
  });
  return { ...result, status: index.status === 'unchanged' ? 'updated' : index.status };
}

const generator = `skc ${toolVersion}`;

const canonicalProject = ({ project }: RuntimeBase) =>
  project === undefined ? undefined : canonicalPath(project);

/** True when stub and manifest are the ones this version would write for these files. */
function isCurrent(runtime: string, manifest: BuildManifest, expected: Partial<BuildManifest>): boolean {
  const fields = Object.entries(expected) as [keyof BuildManifest, unknown][];
  if (fields.some(([field, value]) => manifest[field] !== value)) return false;
  try {
    return sha256(readFileSync(join(runtime, 'SKILL.md'))) === manifest.stub_hash;
  } catch {
    // Missing or unreadable: it is written again.
    return false;
  }
}

/** Indexes of sources that are gone, such as this one's before its project was moved. Those of other skills stay. */
function removeOrphans(own: string, current: string): void {
  for (const name of readdirSync(own)) {
    if (name === current || !/^search-[0-9a-f]{16}\.db$/.test(name)) continue;
    const opened = openDatabase(join(own, name));
    opened?.database.close();
    if (opened === undefined || !isSkill(opened.meta.skillPath)) rmSync(join(own, name), { force: true });
  }
}

function isSkill(dir: string): boolean {
  try {
    return hasSkillFile(dir);
  } catch {
    // It is there and cannot be looked at.
    return true;
  }
}
