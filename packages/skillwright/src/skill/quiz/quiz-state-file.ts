// Quiz memory of the command line across processes. It is in the user's state file: a repository could ship one in which
// every quiz is passed.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { sha256 } from '../../base/files/index.ts';
import { readVariable } from '../../base/variables.ts';
import { isMapping } from '../format/index.ts';
import { readState, updateState, type Workspace } from '../workspace/index.ts';
import type { QuizMemory } from './quiz-memory.ts';

const HOUR_MS = 3600 * 1000;
/** Without a session name, a project is one session until this long after the last answer. */
const UNNAMED_MS = 24 * HOUR_MS;
/** A named session ends with its name; this limit only keeps the file small. */
const NAMED_MS = 30 * 24 * HOUR_MS;
const UNNAMED = 'default';
const isUnnamed = (key: string) => key.startsWith(UNNAMED);

interface Remembered {
  /** Seed for the order of options. */
  readonly id: string;
  /** Progress by digest. */
  readonly skills: Readonly<Record<string, { readonly at: string; readonly progress: unknown }>>;
}

/** Memory of `SKC_SESSION`, or of the last 24 hours in this project. An unreadable file counts as empty. E016 when an answer cannot be saved. */
export function openQuizStateFile(workspace: Workspace, now: () => Date): QuizMemory {
  const path = workspace.user.state;
  const named = readVariable(workspace.env, 'SESSION');
  const place = workspace.project === undefined ? '' : `-${sha256(workspace.project.dir).slice(0, 16)}`;
  const key = named ? sha256(named).slice(0, 16) : `${UNNAMED}${place}`;

  const change = (make: (session: Remembered) => Remembered): void =>
    updateState(path, (state) => {
      const sessions = prune(sessionsIn(state), now());
      const next = make(sessions[key] ?? { id: crypto.randomUUID(), skills: {} });
      return { ...state, quiz: { ...sessions, [key]: next } };
    });
  const current = (): Remembered | undefined => prune(sessionsIn(readState(path).state), now())[key];

  return {
    session() {
      if (named) return named;
      try {
        if (current() === undefined) change((session) => session);
      } catch (error) {
        // Nothing can be written, so options keep a fixed order.
        if (!(error instanceof SkillwrightError)) throw error;
      }
      return current()?.id ?? UNNAMED;
    },
    read: (digest) => current()?.skills[digest]?.progress,
    update: (digest, make) =>
      change((session) => {
        const progress = make(session.skills[digest]?.progress);
        const entry = { at: now().toISOString(), progress };
        return { ...session, skills: { ...session.skills, [digest]: entry } };
      }),
    forget: (digest) =>
      change((session) => {
        const { [digest]: _, ...skills } = session.skills;
        return { ...session, skills };
      }),
  };
}

function sessionsIn(state: Readonly<Record<string, unknown>>): Record<string, Remembered> {
  const found = isMapping(state.quiz) ? Object.entries(state.quiz) : [];
  return Object.fromEntries(found.filter((entry): entry is [string, Remembered] => isRemembered(entry[1])));
}

function isRemembered(value: unknown): value is Remembered {
  return (
    isMapping(value) &&
    typeof value.id === 'string' &&
    isMapping(value.skills) &&
    Object.values(value.skills).every((skill) => isMapping(skill) && typeof skill.at === 'string')
  );
}

/** Entries that have not expired. A time in the future is as invalid as an old one. */
function prune(sessions: Readonly<Record<string, Remembered>>, now: Date): Record<string, Remembered> {
  const kept = Object.entries(sessions).map(([key, session]): [string, Remembered] => {
    const limit = isUnnamed(key) ? UNNAMED_MS : NAMED_MS;
    const skills = Object.entries(session.skills).filter(([, { at }]) => {
      const age = now.getTime() - Date.parse(at);
      return age >= 0 && age < limit;
    });
    return [key, { id: session.id, skills: Object.fromEntries(skills) }];
  });
  return Object.fromEntries(
    kept.filter(([key, { skills }]) => isUnnamed(key) || Object.keys(skills).length > 0),
  );
}
