// Links in a runtime directory to the entries next to a stub, and the text of links.

import { lstatSync, readdirSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  discardTemporary,
  isDirectory,
  isInside,
  realPath,
  realPathAhead,
  statusAt,
  temporaryBeside,
  writeError,
} from '../../base/files/index.ts';

/** Owner of the links. */
interface BesideOptions {
  /** The canonical directory of the source. */
  readonly source: string;
  readonly project: string | undefined;
}

/** Makes the links of a runtime directory lead to exactly these entries of the source. E013 if something else is in the way. */
export function linkBeside(runtimeDir: string, entries: readonly string[], options: BesideOptions): void {
  for (const name of linksBeside(runtimeDir, options.source)) {
    if (!entries.includes(name)) rmSync(join(runtimeDir, name), { force: true });
  }
  for (const name of entries) makeLink(join(runtimeDir, name), join(options.source, name), options.project);
}

/** Names of the links in a runtime directory that lead to the entry of that name in the source. */
export function linksBeside(runtimeDir: string, source: string): string[] {
  if (!isDirectory(runtimeDir)) return [];
  return readdirSync(runtimeDir, { withFileTypes: true })
    .filter(
      (entry) => entry.isSymbolicLink() && leadsTo(join(runtimeDir, entry.name), join(source, entry.name)),
    )
    .map(({ name }) => name);
}

/** Whether exactly these links exist. */
export function isBeside(runtimeDir: string, entries: readonly string[], source: string): boolean {
  return linksBeside(runtimeDir, source).sort().join('\0') === [...entries].sort().join('\0');
}

function leadsTo(link: string, target: string): boolean {
  const written = resolve(realPath(dirname(link)), readlinkSync(link));
  return written === target || realPath(written) === realPath(target);
}

function makeLink(path: string, target: string, project: string | undefined): void {
  const status = statusAt(path);
  if (status !== undefined && !status.isSymbolicLink()) {
    const help = 'skc did not make it; move it out of the runtime directory';
    throw SkillwrightError.of('E013', { path }, { help });
  }
  if (status !== undefined && leadsTo(path, target)) return;
  const staged = temporaryBeside(path);
  try {
    const isFile = lstatSync(target).isFile();
    symlinkSync(linkText(path, target, project), staged, isFile ? 'file' : 'junction');
    renameSync(staged, path);
  } catch (error) {
    discardTemporary(staged);
    throw writeError(path, error);
  }
}

/**
 * The text of a link at `path` to `target`: relative if both are in the project, so that the project can be moved.
 * Uses real paths: a relative link starts at the real path of its directory.
 */
export function linkText(path: string, target: string, project: string | undefined): string {
  if (project === undefined || process.platform === 'win32') return target;
  const [root, from] = [project, dirname(path)].map((place) => realpathSync.native(place));
  // In a clone, the link can exist before its target.
  const to = realPathAhead(target);
  return isInside(root!, from!) && isInside(root!, to) ? relative(from!, to) : target;
}
