// Maps a compiled stub to its source: both are one skill.

import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import {
  buildRecord,
  isSkill,
  listRuntimes,
  MANIFEST_FILE,
  readBuildManifest,
} from '../../skill/skill/index.ts';
import { isInRuntime, type StoreScope, type Workspace } from '../../skill/workspace/index.ts';

/** A directory made by a compiler. `source` is canonical; undefined when it is gone or unknown. */
export interface Stub {
  readonly source: string | undefined;
}

/** Where the skills of the workspace's runtime directories are deployed, by canonical source. */
export type Deployments = ReadonlyMap<
  string,
  { readonly scope: StoreScope; readonly runtime: string; readonly places: readonly string[] }
>;

/** Name that another tool uses for our `.skillc` inside runtime directories. */
const FOREIGN_MARK = '.skillc-meta';

/** The stub in a canonical directory; undefined when it is not compiled, or skc has no record of it. */
export function readStub(dir: string, home: string): Stub | undefined {
  const source = buildRecord(home).sourceOf(dir);
  if (source !== undefined) return { source: realSkill(source) };
  return existsSync(join(dir, FOREIGN_MARK)) ? { source: undefined } : undefined;
}

/** The source of a stub in a runtime directory, as skc wrote it there; undefined for any other directory. */
export function readStubSource(dir: string, home: string): string | undefined {
  const source = isInRuntime(dir) ? buildRecord(home).sourceOf(dir) : undefined;
  return source === undefined ? undefined : realSkill(source);
}

/** W010 when a directory looks like a stub but skc did not write it: a repository contains it, or it was changed. */
export function diagnoseLookalike(dir: string): Diagnostic[] {
  const manifest = readBuildManifest(dir);
  if (manifest === undefined) return [];
  const path = join(dir, MANIFEST_FILE);
  const why = 'skc has no record of compiling this directory, so it is treated as an ordinary skill';
  const help = `run 'skc build ${manifest.skill}' if the skill is yours`;
  return [diagnose('W010', { path, why }, { help, data: { path } })];
}

/** Reads the runtime directories of the workspace; a project's only when it is trusted. */
export function readDeployments(workspace: Workspace): Deployments {
  const found = new Map<string, { scope: StoreScope; runtime: string; places: string[] }>();
  for (const store of workspace.stores) {
    if (store.scope === 'project' && !workspace.trusted) continue;
    for (const { source: written, deployed } of listRuntimes(store, workspace.home)) {
      const source = realSkill(written);
      if (source === undefined) continue;
      const known = found.get(source) ?? { scope: store.scope, runtime: store.runtime, places: [] };
      known.places.push(...deployed.filter(isSkill));
      found.set(source, known);
    }
  }
  return found;
}

function realSkill(dir: string): string | undefined {
  return isSkill(dir) ? realpathSync.native(dir) : undefined;
}
