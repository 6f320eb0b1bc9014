// A compiled stub and its source are one skill: from the one to the other.

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
import type { StoreScope, Workspace } from '../../skill/workspace/index.ts';

/** A directory that a compiler made. `source` is canonical; undefined when it is gone or not known. */
export interface Stub {
  readonly source: string | undefined;
}

/** Where the skills of the workspace's runtime directories were deployed, by canonical source. */
export type Deployments = ReadonlyMap<
  string,
  { readonly scope: StoreScope; readonly runtime: string; readonly places: readonly string[] }
>;

/** Where runtime directories of another tool keep what ours keep in `.skillc`. */
const FOREIGN_MARK = '.skillc-meta';

/** The stub that a canonical directory is; undefined when nobody compiled it, or skc has no record of it. */
export function readStub(dir: string, home: string): Stub | undefined {
  const source = buildRecord(home).sourceOf(dir);
  if (source !== undefined) return { source: realSkill(source) };
  return existsSync(join(dir, FOREIGN_MARK)) ? { source: undefined } : undefined;
}

/** W010 when a directory that is no stub of ours looks like one: a repository brought it, or it was changed since. */
export function diagnoseLookalike(dir: string): Diagnostic[] {
  const manifest = readBuildManifest(dir);
  if (manifest === undefined) return [];
  const path = join(dir, MANIFEST_FILE);
  const why =
    'skc has no record of compiling what lies beside it, so the directory is a skill like any other';
  const help = `run 'skc build ${manifest.skill}' if the skill is yours`;
  return [diagnose('W010', { path, why }, { help, data: { path } })];
}

/** Reads the runtime directories of the workspace; a project's count only where it is trusted. */
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
