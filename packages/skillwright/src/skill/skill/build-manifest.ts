// The manifest of a compiled skill: what it was made from. Its presence marks a directory as made by skc.

import { join, relative, resolve, sep } from 'node:path';
import { isInside, readRegularFile, writeFileAtomic } from '../../base/files/index.ts';
import { OWN_DIRECTORY } from '../workspace/index.ts';

/** Where the manifest stands inside a runtime directory. */
export const MANIFEST_FILE = join(OWN_DIRECTORY, 'manifest.json');

/** The version of the manifest's own shape. */
export const MANIFEST_VERSION = 1;

const MAX_MANIFEST_BYTES = 1024 * 1024;

/** How a skill goes to agents: a stub, a stub with links to its files, or the source itself. */
export type DeployForm = 'stub' | 'files' | 'whole';

/** Which form is asked for; `auto` is the first that loses nothing. */
export type DeployMode = 'auto' | 'stub' | 'whole';

/** What a build writes down. */
export interface BuildManifest {
  readonly skill: string;
  readonly version: number;
  /** RFC 3339. */
  readonly built_at: string;
  readonly source_hash: string;
  /** Relative to the project (`./…`) or to the home directory (`~/…`). */
  readonly source_path: string;
  readonly generator: string;
  /** How many files the source has, and how large they are together. */
  readonly files: number;
  readonly bytes: number;
  /** SHA-256 of the stub, so that a changed one is noticed. */
  readonly stub_hash: string;
  /** Directories of skills inside this one that the stub leaves out, with `:` between them. */
  readonly hidden?: string;
  /** What was asked for, the form that came of it, and why. Earlier versions knew stubs alone and wrote none of these. */
  readonly deploy?: DeployMode;
  readonly form?: DeployForm;
  readonly why?: string;
  /** Entries of the source that lie beside the stub. */
  readonly beside?: readonly string[];
  /** Entries that do not, and why. */
  readonly left_out?: readonly { readonly path: string; readonly why: string }[];
  /** What agents lose by the form. */
  readonly lost?: readonly string[];
  /** SHA-256 over what a deployed copy holds besides the stub, so that a changed one is noticed. */
  readonly copy_hash?: string;
  /** Where it was deployed to, spelled as `source_path` is; absent in a deployed copy. */
  readonly deployed?: readonly string[];
}

/** The manifest in a directory; undefined when there is none that can be read. */
export function readBuildManifest(dir: string): BuildManifest | undefined {
  let value: unknown;
  try {
    const bytes = readRegularFile(join(dir, MANIFEST_FILE), { maxBytes: MAX_MANIFEST_BYTES });
    if (bytes === undefined) return undefined;
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    // Missing, unreadable or damaged: the directory then counts as not made by skc, which is the careful answer.
    return undefined;
  }
  return isManifest(value) ? value : undefined;
}

function isManifest(value: unknown): value is BuildManifest {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  const texts = ['skill', 'built_at', 'source_hash', 'source_path', 'generator', 'stub_hash'];
  const { version, deploy = 'auto', form = 'stub', why = '', copy_hash = '' } = fields;
  return (
    version === MANIFEST_VERSION &&
    texts.every((name) => typeof fields[name] === 'string') &&
    ['auto', 'stub', 'whole'].includes(deploy as string) &&
    ['stub', 'files', 'whole'].includes(form as string) &&
    typeof why === 'string' &&
    typeof copy_hash === 'string' &&
    ['deployed', 'beside', 'lost'].every((name) => isTextList(fields[name] ?? [])) &&
    isLeftOut(fields.left_out ?? [])
  );
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

/** Writes the manifest of the compiled skill in `dir`. E016 when it cannot. */
export function writeBuildManifest(dir: string, manifest: BuildManifest): void {
  writeFileAtomic(join(dir, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { derived: true });
}

/** How a manifest spells a source: relative to the project that holds the runtime directory, else to the home directory. */
export function spellSourcePath(
  source: string,
  bases: { project: string | undefined; home: string },
): string {
  const { project, home } = bases;
  const [sign, base] = project !== undefined && isInside(project, source) ? ['.', project] : ['~', home];
  return [sign, ...relative(base, source).split(sep)].join('/');
}

/** The absolute path of the source a manifest in `runtimeDir` speaks of. */
export function readSourcePath(manifest: BuildManifest, runtimeDir: string, home: string): string {
  return readSpelledPath(manifest.source_path, runtimeDir, home);
}

/** The absolute path of a spelling in a manifest in `runtimeDir`. */
export function readSpelledPath(spelled: string, runtimeDir: string, home: string): string {
  const [sign, ...parts] = spelled.split('/');
  // <project>/.skillc/runtime/<name>
  const base = sign === '~' ? home : resolve(runtimeDir, '..', '..', '..');
  return resolve(base, ...parts);
}

function isLeftOut(value: unknown): boolean {
  const isEntry = (entry: unknown) => {
    const { path, why } = (entry ?? {}) as Record<string, unknown>;
    return typeof path === 'string' && typeof why === 'string';
  };
  return Array.isArray(value) && value.every(isEntry);
}
