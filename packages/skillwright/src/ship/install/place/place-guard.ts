// Checks a place before anything is written or moved there: a third-party project may contain planted links,
// pipes and journals.

import { join } from 'node:path';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { statusAt } from '../../../base/files/index.ts';
import { checkInside } from '../../../skill/workspace/index.ts';
import type { InstallPlace } from './install-place.ts';

/** E016 when the directories of a place point outside its project, or something else is in the way of skc's own files. */
export function checkPlace(place: InstallPlace): void {
  const { project, store, work } = place;
  if (project !== undefined)
    for (const path of [work, store.skills, store.runtime]) checkInside(project, path);
  checkDirectory(work);
  const file = join(work, 'lock');
  const status = statusAt(file);
  // Opening a pipe would block for ever, and opening a link could create a file elsewhere. A file with content would be
  // a foreign database, and SQLite would replay the journal next to it.
  if (status !== undefined && !(status.isFile() && status.size === 0))
    throw refuse(file, 'it is not an empty file');
}

/** E016 when a transaction's own directories are links: moves through them would leave the place. */
export function checkTransaction(place: InstallPlace, id: string): void {
  const directory = join(place.work, id);
  for (const path of [directory, join(directory, 'new'), join(directory, 'old')]) checkDirectory(path);
}

function checkDirectory(path: string): void {
  const status = statusAt(path);
  if (status?.isSymbolicLink()) throw refuse(path, 'it is a link');
  if (status?.isDirectory() === false) throw refuse(path, 'it is not a directory');
}

function refuse(path: string, why: string): SkillwrightError {
  const help = 'skc did not make it; check it, then move it away';
  return SkillwrightError.of('E016', { path, why }, { help });
}
