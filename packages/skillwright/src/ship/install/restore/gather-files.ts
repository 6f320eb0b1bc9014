// Gathers the content of a locked skill from the disk, the cache, and last the source.

import { join } from 'node:path';
import { attempt, formatCount, SkillwrightError, suggest } from '../../../base/diagnostics/index.ts';
import { displayPath, readInside } from '../../../base/files/index.ts';
import type { LockedSkill } from '../lock/lock.ts';
import { type ContentCache, openContentCache } from '../place/content-cache.ts';
import type { InstallPlace } from '../place/install-place.ts';
import { readSharedEdit, sharedEdits } from '../place/place-records.ts';
import { integrityOf, readSkillFiles, type SkillFile } from '../place/stored-files.ts';
import { isWanted } from '../plan/choose-skills.ts';
import type { FetchedSkill, FetchedSource } from '../source/fetched-source.ts';
import {
  createSourceCache,
  fetchUnlessOffline,
  lockedSource,
  type SourceOptions,
  showSource,
} from '../source/locked-source.ts';

/** A place and the sources of its skills, each fetched once, on demand. */
export interface OpenSources {
  readonly place: InstallPlace;
  readonly cache: ContentCache;
  /** The skill of an entry as it was installed, and its source. */
  at(name: string, entry: LockedSkill): Promise<{ skill: FetchedSkill; fetched: FetchedSource }>;
  release(): void;
}

/** Opens the sources of a place. */
export function openSources(place: InstallPlace, options: SourceOptions): OpenSources {
  const open = createSourceCache();
  return {
    place,
    cache: openContentCache(options.context.workspace),
    async at(name, entry) {
      const key = [entry.source, entry.resolution];
      const fetched = await open.get(key, () => fetchLocked(name, entry, { place, options }));
      return { skill: skillOf(fetched, name, entry), fetched };
    },
    release: () => open.release(),
  };
}

async function fetchLocked(
  name: string,
  entry: LockedSkill,
  { place, options }: { place: InstallPlace; options: SourceOptions },
): Promise<FetchedSource> {
  const source = await lockedSource(name, entry, { place, options });
  options.context.progress(`fetching ${showSource(entry.source)}`);
  return fetchUnlessOffline(source, options, entry.resolution);
}

/** The skill of an entry: by its path in the source, else by its name. E201 when it is gone. */
export function skillOf(
  fetched: Pick<FetchedSource, 'skills' | 'diagnostics'>,
  name: string,
  { path, source }: Pick<LockedSkill, 'path' | 'source'>,
): FetchedSkill {
  const skill =
    fetched.skills.find((one) => one.name === name && one.within === path) ??
    fetched.skills.find((one) => one.name === name);
  if (skill === undefined)
    throw SkillwrightError.of(
      'E201',
      { what: `${name} in ${showSource(source)}` },
      explainGone(fetched, name),
    );
  return skill;
}

/** Similar skills in the source, and the problems of the skill if it is still there. */
function explainGone(
  { skills, diagnostics }: Pick<FetchedSource, 'skills' | 'diagnostics'>,
  name: string,
): { help: string; detail?: string } {
  const near = suggest(
    name,
    skills.map((one) => one.name),
  );
  const hint = near.length === 0 ? '' : `, but has ${near.join(', ')}`;
  const reasons = diagnostics.filter((one) => isWanted(one, [name]) && one.data !== undefined);
  const stays = 'the installed skill is unchanged';
  if (reasons.length === 0) return { help: `the source no longer has this skill${hint}; ${stays}` };
  const detail = reasons.map(({ message }) => `  ${message}`).join('\n');
  return { help: `the source has it, but it cannot be installed; ${stays}`, detail };
}

/**
 * Every file of an entry, with the project's edits or as the source had it, and the source if it was fetched. E204 when the source has other content, E217 when it is
 * needed offline, E224 when an edit of the project is not on this machine.
 */
export async function gatherFiles(
  name: string,
  entry: LockedSkill,
  { sources, edits: isEdited }: { readonly sources: OpenSources; readonly edits: boolean },
): Promise<{ files: Map<string, SkillFile>; fetched: FetchedSource | undefined }> {
  const { place, cache } = sources;
  const dir = join(place.store.skills, name);
  const known = (path: string, integrity: string) => fromDisk(dir, path, integrity) ?? cache.read(integrity);
  const edits = isEdited ? entry.edits : {};
  const paths = new Set([...Object.keys(entry.files), ...Object.keys(edits)]);
  const files = new Map<string, SkillFile>();
  const wanted: string[] = [];
  const lacking: string[] = [];
  for (const path of [...paths].sort()) {
    const executable = entry.executable.includes(path);
    if (Object.hasOwn(edits, path)) {
      const edit = edits[path];
      if (edit === null || edit === undefined) continue;
      const shared = readSharedEdit(name, path, place);
      const isShared = shared !== undefined && integrityOf(shared.bytes) === edit;
      const bytes = isShared ? shared.bytes : known(path, edit);
      if (bytes === undefined) lacking.push(path);
      else files.set(path, { bytes, executable: isShared ? shared.executable : executable });
      continue;
    }
    const bytes = known(path, entry.files[path]!);
    if (bytes === undefined) wanted.push(path);
    else files.set(path, { bytes, executable });
  }
  if (lacking.length > 0) throw lackingError(name, lacking, place);
  if (wanted.length === 0) return { files, fetched: undefined };
  const fetched = await fetchMissing(name, entry, { sources, files, wanted }).catch((error: unknown) => {
    throw error instanceof SkillwrightError && error.code === 'E217' ? offlineError(entry, wanted) : error;
  });
  return { files, fetched };
}

const SHOWN_FILES = 10;

/** E217 with the files that are neither in the store nor in the cache. */
function offlineError({ source, files }: LockedSkill, wanted: readonly string[]): SkillwrightError {
  const lacking = wanted.slice(0, SHOWN_FILES).map((path) => `  ${path}`);
  const hidden = wanted.length - lacking.length;
  const amount = `  ${wanted.length} of ${formatCount(Object.keys(files).length, 'file')} not in the cache:`;
  return SkillwrightError.of(
    'E217',
    { what: showSource(source) },
    {
      detail: [amount, ...lacking, ...(hidden > 0 ? [`  … and ${hidden} more`] : [])].join('\n'),
      data: { files: wanted },
    },
  );
}

async function fetchMissing(
  name: string,
  entry: LockedSkill,
  from: {
    sources: OpenSources;
    files: Map<string, SkillFile>;
    wanted: readonly string[];
  },
): Promise<FetchedSource> {
  const { skill, fetched } = await from.sources.at(name, entry);
  const content = readSkillFiles(skill.dir);
  const wrong = from.wanted.filter((path) => {
    const file = content.get(path);
    return file === undefined || integrityOf(file.bytes) !== entry.files[path];
  });
  if (wrong.length > 0) {
    throw SkillwrightError.of(
      'E204',
      { what: name },
      {
        help: `${showSource(entry.source)} no longer has the installed version; 'skc update ${name}' installs the current one`,
        detail: wrong.map((path) => `  ${path}`).join('\n'),
        data: { files: wrong },
      },
    );
  }
  for (const path of from.wanted) {
    const { bytes } = content.get(path)!;
    from.files.set(path, { bytes, executable: entry.executable.includes(path) });
  }
  return fetched;
}

function fromDisk(dir: string, path: string, integrity: string): Buffer | undefined {
  const bytes = attempt(() => readInside(dir, path, { maxBytes: Number.MAX_SAFE_INTEGER }));
  return bytes !== undefined && integrityOf(bytes) === integrity ? bytes : undefined;
}

function lackingError(name: string, files: readonly string[], place: InstallPlace): SkillwrightError {
  const help = `commit ${displayPath(place.base, sharedEdits(name, place))} on the machine that has them, or drop them with 'skc install --force'`;
  const detail = files.map((path) => `  ${path}`).join('\n');
  return SkillwrightError.of('E224', { skill: name }, { help, detail, data: { files } });
}
