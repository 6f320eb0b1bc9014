// Checks for what commands and scripts left behind.

import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { catchCoded, type SkillwrightError } from '../../../base/diagnostics/index.ts';
import { abandonedDirectories, isInside, namesIn, realPath, statusAt } from '../../../base/files/index.ts';
import { buildRecord, recordDirectory } from '../../../skill/skill/index.ts';
import { changePlace, type InstallPlace, readJournal, recoverIfNeeded } from '../../install/index.ts';
import { checksOf, defineCheck, type Fault, FIX, type Repair } from '../check.ts';
import { discard } from '../repairs.ts';
import type { Survey, SurveyedPlace } from '../survey.ts';

/** Reports unfinished transactions. */
const interrupted = defineCheck({
  id: 'interrupted',
  summary: 'No command was interrupted while it changed installed skills.',
  always: true,
  *find({ places, busy, context }) {
    for (const { place, isInterrupted } of places) {
      if (!isInterrupted) continue;
      const problem = journalProblem(place);
      if (problem !== undefined) {
        yield {
          severity: 'error',
          subject: place.work,
          message: problem.message,
          why: 'It is in place of the journal in which a command records its changes. Nothing can be installed until it is gone.',
          fix: problem.help ?? 'check it, then remove it',
        };
        continue;
      }
      yield {
        severity: 'warning',
        subject: place.work,
        message: 'a command was interrupted while it changed installed skills',
        why: 'Nothing is lost: its journal is here, and the next command finishes it. Until then the other checks are skipped.',
        fix: FIX,
        repair: { key: `recover ${place.work}`, run: () => recoverIfNeeded(place, context) },
      };
    }
    for (const { store } of busy) {
      yield {
        severity: 'info',
        subject: store.root,
        message: 'another skc is changing the installed skills here',
        why: 'The files may be half changed, so the other checks are skipped.',
        fix: 'run skc doctor again when it has finished',
      };
    }
  },
});

function journalProblem(place: InstallPlace): SkillwrightError | undefined {
  return catchCoded(
    () => {
      readJournal(place);
      return undefined;
    },
    (error) => error,
  );
}

/** Newer files may belong to a running process. */
const ABANDONED_MS = 10 * 60_000;
const TEMPORARY = /^\.(.{1,40})\.\d+-[0-9a-z]{1,8}\.tmp(?:-journal)?$/s;

/** Reports leftovers of killed commands, in skc's own directories and next to deployed skills. */
const leftovers = defineCheck({
  id: 'leftovers',
  summary: 'Killed commands left no temporary files behind.',
  *find(survey) {
    const { env } = survey.context.workspace;
    const temporary = env.TMPDIR ?? (env.HOME === undefined ? undefined : tmpdir());
    const left = temporary === undefined ? [] : abandonedDirectories(temporary);
    yield* report(abandonedIn(left, survey), temporary ?? '');
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

/** Temporary files and locks in skc's own directories: not in the skills, nor in what scripts keep. */
function listOwn({ place }: SurveyedPlace): string[] {
  const { root, runtime, cache, state, backups } = place.store;
  const listed = (dir: string, depth: number): string[] => {
    if ([place.work, backups].includes(dir) || !isWithin(place.base, dir)) return [];
    const paths = pathsIn(dir, () => true);
    const isLeft = (path: string) => TEMPORARY.test(basename(path)) || path === `${state}.lock`;
    const below = depth === 0 ? [] : paths.filter((path) => !isLeft(path) && statusAt(path)?.isDirectory());
    // The deepest is `runtime/<name>/.skillc`.
    const next = (path: string) => (path === runtime || path === cache ? 2 : dir === root ? 0 : depth - 1);
    return [...paths.filter(isLeft), ...below.flatMap((path) => listed(path, next(path)))];
  };
  return listed(root, 1);
}

/** Whether a path is inside `base` once links are resolved. */
function isWithin(base: string, path: string): boolean {
  return isInside(realPath(base), realPath(path));
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
    const changed = statusAt(path)?.mtimeMs;
    return changed !== undefined && now - changed > ABANDONED_MS;
  });
}

/** Newer entries stay: their disk may only be unmounted. */
const FORGOTTEN_MS = 30 * 24 * 60 * 60_000;

/** Reports entries of deleted projects. */
const forgottenRecord = defineCheck({
  id: 'forgotten-record',
  summary: 'The record of files that skc made lists only existing directories.',
  find({ context, places }) {
    const { home } = context.workspace;
    const user = places.find(({ place }) => place.scope === 'user');
    if (user === undefined) return [];
    const record = buildRecord(home);
    const gone = record.forgotten(context.now().getTime() - FORGOTTEN_MS);
    if (gone.length === 0) return [];
    return [
      {
        severity: 'info' as const,
        subject: recordDirectory(home),
        message: `${gone.length === 1 ? 'one entry is' : `${gone.length} entries are`} about missing directories, such as ${gone[0]}`,
        why: 'Their projects were deleted or moved more than 30 days ago.',
        fix: FIX,
        repair: {
          key: `forget ${recordDirectory(home)}`,
          run: () => {
            for (const path of record.forgotten(context.now().getTime() - FORGOTTEN_MS)) record.forget(path);
          },
        },
      },
    ];
  },
});

/** In the order of their findings. */
export const leftBehind = checksOf('left behind', [interrupted, leftovers, forgottenRecord]);
