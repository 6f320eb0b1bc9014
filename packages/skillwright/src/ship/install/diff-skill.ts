// skc diff: compares an installed skill with its locked version, or with the source's current one.

import { basename, dirname } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { compareBytes, decodeText, isThere, realPath } from '../../base/files/index.ts';
import { renderDiff } from '../../make/lint/index.ts';
import type { DiffOutcome } from '../results/index.ts';
import { entryOf } from './lock/lock.ts';
import { type InstallContext, placesInSight } from './place/install-place.ts';
import { contentOf, readPlaced } from './place/place-records.ts';
import {
  integrityOf,
  readSkillFiles,
  type SkillFile,
  type SkillFiles,
  withLockedModes,
} from './place/stored-files.ts';
import { findInstalled, type Installed } from './plan/find-installed.ts';
import { gatherFiles, openSources, skillOf } from './restore/gather-files.ts';
import { resolvedOf } from './source/fetched-source.ts';
import {
  describeSource,
  fetchUnlessOffline,
  lockedSource,
  type SourceOptions,
} from './source/locked-source.ts';
import { isSameFile } from './update/merge-files.ts';

/** Options of a comparison. */
interface DiffRequest {
  /** The directory of the skill. */
  readonly dir: string;
  /** Compares with the source's current version instead of the locked one. */
  readonly upstream: boolean;
  readonly offline: boolean;
}

type FileDiff = DiffOutcome['files'][number];

/** Compares an installed skill. E001 when it is not installed, E201 when the source no longer has it, E217 offline. */
export async function diffSkill(request: DiffRequest, context: InstallContext): Promise<DiffOutcome> {
  const found = await findAt(request.dir, context);
  const { name, place, entry } = found;
  const options = { context, config: await context.workspace.config(), offline: request.offline };
  const { dir } = request;
  const mine: SkillFiles = isThere(dir) ? withLockedModes(readSkillFiles(dir), entry) : new Map();
  const sources = openSources(place, options);
  try {
    const { files: locked } = await gatherFiles(name, entry, { sources, edits: false });
    const { upstream } = request;
    const base = { name, scope: place.scope, ...describeSource(entry.source), upstream };
    if (!upstream) {
      const files = compare({ before: locked, after: mine }, (path) => byOf(path, found, mine.get(path)));
      return { ...base, against: resolvedOf(entry.resolution), files };
    }
    return { ...base, ...(await compareUpstream(found, { mine, locked, options })) };
  } finally {
    sources.release();
  }
}

/** The installed skill in a directory. E001 when skc did not install it. */
async function findAt(dir: string, context: InstallContext): Promise<Installed> {
  const [store, name] = [realPath(dirname(dir)), basename(dir)];
  const place = placesInSight(undefined, context).find((one) => realPath(one.store.skills) === store);
  const [found] =
    place === undefined ? [] : await findInstalled({ skills: [name], scope: place.scope }, context);
  if (found !== undefined) return found;
  throw SkillwrightError.of('E001', { skill: name }, { help: 'it was not installed by skc' });
}

async function compareUpstream(
  { name, place, entry }: Installed,
  { mine, locked, options }: { mine: SkillFiles; locked: SkillFiles; options: SourceOptions },
): Promise<Pick<DiffOutcome, 'against' | 'files'>> {
  const source = await lockedSource(name, entry, { place, options });
  const fetched = await fetchUnlessOffline(source, options);
  try {
    const skill = skillOf(fetched, name, entry);
    const theirs = withLockedModes(readSkillFiles(skill.dir), entry);
    const files = compare({ before: mine, after: theirs }, (path) =>
      isSameFile(theirs.get(path), locked.get(path)) ? 'you' : 'source',
    );
    return { against: resolvedOf(skill.resolution ?? fetched.resolution), files };
  } finally {
    fetched.release();
  }
}

/** Origin of a file's change since it was locked. */
function byOf(path: string, { name, place, entry }: Installed, file: SkillFile | undefined): FileDiff['by'] {
  const integrity = file === undefined ? undefined : integrityOf(file.bytes);
  if (Object.hasOwn(entry.edits, path) && integrity === contentOf(entry, path)) return 'project';
  const placed = entryOf(readPlaced(place), name);
  return integrity !== undefined && placed !== undefined && integrity === contentOf(placed, path)
    ? 'lock'
    : 'you';
}

function compare(
  { before, after }: { before: SkillFiles; after: SkillFiles },
  by: (path: string) => FileDiff['by'],
): FileDiff[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort(compareBytes);
  return paths.flatMap((path) => {
    const [old, new_] = [before.get(path), after.get(path)];
    if (isSameFile(old, new_)) return [];
    const isMode = old !== undefined && new_ !== undefined && old.bytes.equals(new_.bytes);
    const status = old === undefined ? 'added' : new_ === undefined ? 'deleted' : isMode ? 'mode' : 'changed';
    return [{ path, status, by: by(path), diff: diffOf(path, old, new_) } as const];
  });
}

function diffOf(path: string, old: SkillFile | undefined, new_: SkillFile | undefined): string | null {
  const texts = [old, new_].map((file) => decodeText(file?.bytes ?? Buffer.alloc(0)));
  if (texts.some(({ valid, binary }) => !valid || binary)) return null;
  return renderDiff(path, { before: texts[0]!.text, after: texts[1]!.text });
}
