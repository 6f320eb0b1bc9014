// Temporary files and locks of commands that were killed.

import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside, namesIn, realPath } from '../../../base/files/index.ts';
import { OWN_DIRECTORY } from '../../../skill/workspace/index.ts';
import { changePlace } from '../../install/index.ts';
import { defineCheck, type Fault, FIX, type Repair } from '../check.ts';
import { discard } from '../repairs.ts';
import type { Survey, SurveyedPlace } from '../survey.ts';

/** Newer files may belong to a running process. */
const ABANDONED_MS = 10 * 60_000;
const TEMPORARY = /^\.(.{1,40})\.\d+-[0-9a-z]{1,8}\.tmp(?:-journal)?$/s;

/** Reports leftovers of killed commands, in skc's own directories and next to deployed skills. */
export const leftovers = defineCheck({
  id: 'leftovers',
  group: 'left behind',
  summary: 'Killed commands left no temporary files behind.',
  *find(survey) {
    for (const place of survey.places) {
      yield* report(abandonedIn(listOwn(place), survey), dirname(place.place.work));
      const staged = isQuiet(place) ? abandonedIn(listStaged(place), survey) : [];
      yield* report(staged, place.place.work, {
        key: `sweep ${place.place.work}`,
        // Acquiring and releasing the lock removes the files of dead transactions.
        run: () => changePlace(place.place, survey.context, { work: () => {} }),
      });
    }
    const known = new Set(survey.places.flatMap(({ skills }) => skills.map(({ name }) => name.slice(0, 40))));
    for (const { path, hidden, base } of survey.roots.all) {
      if (!isWithin(base, path)) continue;
      const ours = hidden.filter((name) => known.has(TEMPORARY.exec(name)?.[1] ?? ''));
      yield* report(
        abandonedIn(
          ours.map((name) => join(path, name)),
          survey,
        ),
        path,
      );
    }
  },
});

const isQuiet = ({ isInterrupted }: SurveyedPlace) => !isInterrupted;

function* report(paths: readonly string[], where: string, repair?: Repair): Generator<Fault> {
  if (paths.length === 0) return;
  const [first = ''] = paths;
  yield {
    severity: 'warning',
    subject: where,
    message:
      paths.length === 1
        ? `${first} was left behind`
        : `${first} and ${paths.length - 1} more were left behind`,
    why: 'The command that made it was killed. Nothing uses it.',
    fix: FIX,
    repair: repair ?? discard(paths),
  };
}

/** Temporary files and locks in skc's own directories. */
function listOwn({ place, skills }: SurveyedPlace): string[] {
  const { root, skills: sources, runtime, state } = place.store;
  const directories = [
    root,
    sources,
    runtime,
    ...skills.flatMap(({ runtime: { dir } }) => [dir, join(dir, OWN_DIRECTORY)]),
    ...(place.scope === 'user' ? listCache(join(root, 'cache')) : []),
  ];
  const own = directories.filter((dir) => isWithin(place.base, dir));
  return [
    ...own.flatMap((dir) => pathsIn(dir, (name) => TEMPORARY.test(name))),
    ...pathsIn(root, (name) => join(root, name) === `${state}.lock`),
  ];
}

/** Whether a path is inside `base` once links are resolved. */
function isWithin(base: string, path: string): boolean {
  return isInside(realPath(base), realPath(path));
}

function listCache(cache: string): string[] {
  const content = join(cache, 'content');
  return [cache, ...pathsIn(content, (name) => /^[0-9a-f]{2}$/.test(name))];
}

function listStaged({ place }: SurveyedPlace): string[] {
  return pathsIn(place.work, (name) => /^tx-[0-9a-f]{16}$/.test(name) || TEMPORARY.test(name));
}

function pathsIn(directory: string, matches: (name: string) => boolean): string[] {
  return namesIn(directory, matches).map((name) => join(directory, name));
}

function abandonedIn(paths: readonly string[], { context }: Survey): string[] {
  const now = context.now().getTime();
  return paths.filter((path) => {
    const changed = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
    return changed !== undefined && now - changed > ABANDONED_MS;
  });
}
