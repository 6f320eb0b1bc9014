// Compiling one skill: read, check paths, outline, stub, manifest, index.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { sha256 } from '../files/hash.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';
import type { Tokenizer } from '../index/analyze-text.ts';
import { type BuildResult, buildIndex } from '../index/build-index.ts';
import {
  type BuildManifest,
  MANIFEST_FILE,
  MANIFEST_VERSION,
  readBuildManifest,
  readSourcePath,
  spellSourcePath,
} from '../places/build-manifest.ts';
import { OWN_DIRECTORY } from '../places/find-project.ts';
import { canonicalPath, type RuntimeBase } from '../places/locate-runtime.ts';
import { hasSkillFile } from '../places/resolve-skill.ts';
import { toolVersion } from '../version.ts';
import { listSections } from './list-sections.ts';
import { checkPaths, readSource, type SkillSource } from './read-source.ts';
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
}

/** Compiles the skill in `dir` into its runtime directory. Nothing is written before everything could be read. */
export function buildSkill(dir: string, options: BuildSkillOptions): BuiltSkill {
  const source = readSource(canonicalPath(dir));
  const entries = checkPaths(source.dir);
  const runtime = join(options.base.dir, source.name);
  checkOwner(source, runtime, options);

  const index = buildIndex({
    sourceDir: source.dir,
    indexDir: join(runtime, OWN_DIRECTORY),
    tokenizer: options.tokenizer,
    now: options.now,
  });
  const files = index.files.length;
  const bytes = index.files.reduce((sum, file) => sum + file.size, 0);
  const result = { name: source.name, source: source.dir, runtime, indexed: index.indexed, files, bytes };
  if (isCurrent(runtime, index.sourceHash)) return { ...result, status: index.status };

  const paths = entries.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const stub = renderStub(source, listSections(source, paths));
  const manifest: BuildManifest = {
    skill: source.name,
    version: MANIFEST_VERSION,
    built_at: options.now.toISOString(),
    source_hash: index.sourceHash,
    source_path: spellSourcePath(source.dir, { project: canonicalProject(options.base), home: options.home }),
    generator,
    files,
    bytes,
    stub_hash: sha256(stub),
  };
  writeFileAtomic(join(runtime, 'SKILL.md'), stub);
  writeFileAtomic(join(runtime, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
  return { ...result, status: index.status === 'unchanged' ? 'updated' : index.status };
}

const generator = `skc ${toolVersion}`;

const canonicalProject = ({ project }: RuntimeBase) =>
  project === undefined ? undefined : canonicalPath(project);

/** True when stub and manifest are the ones this version would write for these files. */
function isCurrent(runtime: string, sourceHash: string): boolean {
  const manifest = readBuildManifest(runtime);
  if (manifest?.source_hash !== sourceHash || manifest.generator !== generator) return false;
  try {
    return sha256(readFileSync(join(runtime, 'SKILL.md'))) === manifest.stub_hash;
  } catch {
    // Missing or unreadable: it is written again.
    return false;
  }
}

/** Two skills of one name would take turns in one runtime directory; the second is refused while the first exists. */
function checkOwner(source: SkillSource, runtime: string, options: BuildSkillOptions): void {
  const manifest = readBuildManifest(runtime);
  if (manifest === undefined || options.force) return;
  const owner = readSourcePath(manifest, runtime, options.home);
  if (owner === source.dir || !hasSkillFile(owner) || canonicalPath(owner) === source.dir) return;
  const help = `skill '${source.name}' is compiled from ${owner}; rename one of the two, or use --force`;
  throw SkillwrightError.of('E013', { path: runtime }, { help, data: { owner } });
}
