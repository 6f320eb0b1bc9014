// Build manifest of a compiled skill. Its presence marks a directory as made by skc.

import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isInside, readRegularFile, writeFileAtomic } from '../../base/files/index.ts';
import { OWN_DIRECTORY } from '../workspace/index.ts';

/** Path of the manifest inside a runtime directory. */
export const MANIFEST_FILE = join(OWN_DIRECTORY, 'manifest.json');

/** Schema version of the manifest. */
export const MANIFEST_VERSION = 1;

const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Form in which agents get a skill: a stub, a stub with links to its files, or the source itself. */
export type DeployForm = 'stub' | 'files' | 'whole';

/** The requested form; `auto` is the smallest that loses nothing. */
export type DeployMode = 'auto' | 'stub' | 'whole';

/** Contents of the manifest. */
export interface BuildManifest {
  readonly skill: string;
  readonly version: number;
  /** RFC 3339. */
  readonly built_at: string;
  readonly source_hash: string;
  /** Relative to the project (`./…`) or to the home directory (`~/…`); absolute on another drive of Windows. */
  readonly source_path: string;
  readonly generator: string;
  /** Number of source files, and their total size. */
  readonly files: number;
  readonly bytes: number;
  /** SHA-256 of the stub, to detect changes. */
  readonly stub_hash: string;
  /** Directories of nested skills that the stub leaves out, separated by `:`. */
  readonly hidden?: string;
  /** The requested form, the chosen form, and why. Absent in manifests of earlier versions, which only made stubs. */
  readonly deploy?: DeployMode;
  readonly form?: DeployForm;
  readonly why?: string;
  /** Source entries linked next to the stub. */
  readonly beside?: readonly string[];
  /** Those of them that had to be copied, because there are no links. */
  readonly copied?: readonly string[];
  /** Entries that are not linked, and why. */
  readonly left_out?: readonly { readonly path: string; readonly why: string }[];
  /** Features agents lose by the form. */
  readonly lost?: readonly string[];
  /** SHA-256 over the files of a deployed copy besides the stub, to detect changes. */
  readonly copy_hash?: string;
  /** Where it was deployed, written like `source_path`; absent in a deployed copy. */
  readonly deployed?: readonly string[];
}

/** The manifest in a directory; undefined when missing or unreadable. */
export function readBuildManifest(dir: string): BuildManifest | undefined {
  let value: unknown;
  try {
    const bytes = readRegularFile(join(dir, MANIFEST_FILE), { maxBytes: MAX_MANIFEST_BYTES });
    if (bytes === undefined) return undefined;
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    // Missing, unreadable or damaged: treat the directory as not made by skc, to be safe.
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
    ['deployed', 'beside', 'copied', 'lost'].every((name) => isTextList(fields[name] ?? [])) &&
    isLeftOut(fields.left_out ?? [])
  );
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

/** Writes the manifest of the compiled skill in `dir`. E016 on failure. */
export function writeBuildManifest(dir: string, manifest: BuildManifest): void {
  writeFileAtomic(join(dir, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { derived: true });
}

/** Writes a source path for a manifest: relative to the project that holds the runtime directory, else to the home directory. */
export function spellSourcePath(
  source: string,
  bases: { project: string | undefined; home: string },
): string {
  const { project, home } = bases;
  const [sign, base] = project !== undefined && isInside(project, source) ? ['.', project] : ['~', home];
  const parts = relative(base, source).split(sep);
  // On Windows, no relative path leads to another drive or to a share.
  return (isAbsolute(parts.join(sep)) ? parts : [sign, ...parts]).join('/');
}

/** Absolute source path of a manifest in `runtimeDir`. */
export function readSourcePath(manifest: BuildManifest, runtimeDir: string, home: string): string {
  return readSpelledPath(manifest.source_path, runtimeDir, home);
}

/** Absolute form of a path written in a manifest in `runtimeDir`. */
export function readSpelledPath(spelled: string, runtimeDir: string, home: string): string {
  if (/^[a-z]:\/|^\/\//i.test(spelled) && sep === '\\') return resolve(spelled);
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
