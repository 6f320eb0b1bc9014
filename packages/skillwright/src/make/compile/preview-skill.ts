// What compiling a skill would give, without writing anything.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { hashFileInside, hashTree, sha256 } from '../../base/files/index.ts';
import { type RuntimeBase, readBuildManifest } from '../../skill/skill/index.ts';
import { type BuildSkillOptions, type BuiltSkill, diagnosticsOf } from './build-skill.ts';
import { compileStub } from './compile-stub.ts';
import { checkPaths, openForBuild } from './open-for-build.ts';

/** The skill in a canonical directory as a build would compile it. */
export function previewSkill(
  dir: string,
  { base, hides, deploy }: { base: RuntimeBase } & Pick<BuildSkillOptions, 'hides' | 'deploy'>,
): Omit<BuiltSkill, 'backup'> {
  const source = openForBuild(dir);
  const paths = checkPaths(dir).flatMap(({ path, kind }) => (kind === 'file' ? [path] : []));
  const files = paths.map((path) => ({ path, sha256: hashFileInside(dir, path) ?? 'missing' }));
  const runtime = join(base.dir, source.name);
  const before = readBuildManifest(runtime);
  const mode = deploy ?? before?.deploy ?? 'auto';
  const {
    stub,
    isWhole: _,
    left_out,
    ...form
  } = compileStub(source, { files, hidden: hides?.(dir, paths) ?? [], mode });
  const isSame =
    before?.source_hash === hashTree(files) &&
    orUndefined(() => sha256(readFileSync(join(runtime, 'SKILL.md')))) === sha256(stub) &&
    before.form === form.form;
  return {
    name: source.name,
    source: dir,
    runtime,
    status: before === undefined ? 'created' : isSame ? 'unchanged' : 'updated',
    indexed: 0,
    files: files.length,
    bytes: paths.reduce((sum, path) => sum + statSync(join(dir, path)).size, 0),
    form: form.form,
    why: form.why,
    beside: form.beside,
    leftOut: left_out,
    diagnostics: diagnosticsOf(source, { skill: source.name, deploy: mode, ...form }),
  };
}
