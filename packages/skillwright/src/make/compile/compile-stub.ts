// Compiles the stub of a skill and chooses its form, from the same files that were indexed.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, MAX_TEXT_BYTES, readInside, sha256 } from '../../base/files/index.ts';
import { collapseSpace } from '../../base/markdown/index.ts';
import type { IndexedFile } from '../../read/index/index.ts';
import type { BuildManifest, DeployMode, Skill } from '../../skill/skill/index.ts';
import { chooseForm } from './deploy-form.ts';
import { findCompanions, spellEntry } from './find-companions.ts';
import { type CountHeadings, listSections } from './list-sections.ts';
import { renderStub } from './render-stub.ts';

/** A stub, and the form recorded in the manifest. */
interface CompiledStub
  extends Required<Pick<BuildManifest, 'form' | 'why' | 'beside' | 'left_out' | 'lost'>> {
  readonly stub: string;
  /** Whether the files were unchanged since they were indexed. */
  readonly isWhole: boolean;
}

/** Input for a stub. */
interface CompileOptions {
  readonly files: readonly Pick<IndexedFile, 'path' | 'sha256' | 'indexed'>[];
  /** Directories inside the skill that the stub does not mention, with `/` at the end. */
  readonly hidden: readonly string[];
  readonly mode: DeployMode;
  readonly count: CountHeadings;
}

/** Compiles the stub of a skill. */
export function compileStub(source: Skill, { files, hidden, mode, count }: CompileOptions): CompiledStub {
  const known = new Map(
    files
      .filter(({ path }) => !hidden.some((prefix) => path.startsWith(prefix)))
      .map((file) => [file.path, file.sha256]),
  );
  let isWhole = known.get('SKILL.md') === source.digest;
  const texts = new Map<string, string | undefined>();
  const read = (path: string): string | undefined => {
    if (texts.has(path)) return texts.get(path);
    const bytes = readReference(source.dir, path);
    if (bytes !== 'unreadable' && (bytes === undefined || sha256(bytes) !== known.get(path))) isWhole = false;
    const decoded = bytes === undefined || bytes === 'unreadable' ? undefined : decodeText(bytes);
    const text = decoded?.binary ? undefined : decoded?.text;
    texts.set(path, text);
    return text;
  };
  const paths = [...known.keys()];
  // Files that are not text cannot be shown, so they are not listed either.
  const shown = new Set(files.filter(({ indexed }) => indexed).map(({ path }) => path));
  const sections = listSections(
    source,
    paths.filter((path) => shown.has(path)),
    { read, count },
  );
  const companions = findCompanions(source.text, { dir: source.dir, paths, hidden, read });
  const render = (beside: readonly string[]) =>
    renderStub(source, {
      sections,
      beside: beside.map((entry) => collapseSpace(spellEntry(entry, paths))),
      hasScripts: beside.length === 0 && companions.hasScripts,
    });
  const { form, why, beside, leftOut, lost } = chooseForm(source, {
    mode,
    paths,
    companions,
    hidden,
    render,
  });
  return { stub: render(beside), isWhole, form, why, beside, left_out: leftOut, lost };
}

function readReference(dir: string, path: string): Buffer | undefined | 'unreadable' {
  try {
    return readInside(dir, path, { maxBytes: MAX_TEXT_BYTES });
  } catch (error) {
    // Too large to look for a title.
    if (error instanceof SkillwrightError && error.code === 'E015') return 'unreadable';
    throw error;
  }
}
