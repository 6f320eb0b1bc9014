// Previews the compilation of a skill without writing anything.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { hashTree, sha256 } from '../../base/files/index.ts';
import { foldText, readMarkdown } from '../../base/markdown/index.ts';
import { readSkillFile } from '../../read/index/index.ts';
import { readFrontmatter } from '../../skill/format/index.ts';
import { type RuntimeBase, readBuildManifest } from '../../skill/skill/index.ts';
import { type BuildSkillOptions, type Built, diagnosticsOf } from './build-skill.ts';
import { compileStub } from './compile-stub.ts';
import type { CountHeadings } from './list-sections.ts';
import { checkPaths, openForBuild } from './open-for-build.ts';

/** The skill in a canonical directory as a build would compile it. */
export function previewSkill(
  dir: string,
  { base, hides, deploy }: { base: RuntimeBase } & Pick<BuildSkillOptions, 'hides' | 'deploy'>,
): Omit<Built, 'backup'> {
  const source = openForBuild(dir);
  const paths = checkPaths(dir).flatMap(({ path, kind }) => (kind === 'file' ? [path] : []));
  const read = paths.map((path) => ({ path, found: readSkillFile(dir, path) }));
  const files = read.map(({ path, found }) => found?.file ?? { path, sha256: 'missing', indexed: false });
  const runtime = join(base.dir, source.name);
  const before = readBuildManifest(runtime);
  const mode = deploy ?? before?.deploy ?? 'auto';
  const {
    stub,
    isWhole: _,
    left_out,
    ...form
  } = compileStub(source, {
    files,
    hidden: hides?.(dir, paths) ?? [],
    mode,
    count: countHeadings(read.map(({ path, found }) => ({ path, text: found?.text }))),
  });
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

/** The counts that the index would have, from the files themselves. */
function countHeadings(files: readonly { path: string; text: string | undefined }[]): CountHeadings {
  const counts = new Map<string, number>();
  for (const { path, text = '' } of files)
    if (path.toLowerCase().endsWith('.md'))
      for (const heading of readMarkdown(readFrontmatter(text).body).headings)
        counts.set(foldText(heading.text), (counts.get(foldText(heading.text)) ?? 0) + 1);
  return (text) => counts.get(foldText(text)) ?? 0;
}
