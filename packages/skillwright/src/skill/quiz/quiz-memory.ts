// Memory of passed quizzes. A port, because sessions and the command line store it differently.

import { QuizProgress } from './quiz-progress.ts';

/** Memory of one session, by the digest of a skill. */
export interface QuizMemory {
  /** Seeds the order of options for the session. */
  session(): string;
  /** The stored value; the reader validates it. */
  read(digest: string): unknown;
  /** Updates the memory of one skill, exclusively. */
  update(digest: string, change: (before: unknown) => QuizProgress): void;
  forget(digest: string): void;
}

/** A memory that can be saved with its session. */
export interface SavableQuizMemory extends QuizMemory {
  save(): { digest: string; progress: QuizProgress }[];
  /** With the id of another session, continues that session: options keep their order. */
  restore(
    saved: readonly { readonly digest: string; readonly progress: QuizProgress }[],
    session?: string,
  ): void;
}

/** A memory that lasts as long as the object. */
export function createQuizMemory(name: string = crypto.randomUUID()): SavableQuizMemory {
  let session = name;
  const known = new Map<string, QuizProgress>();
  return {
    session: () => session,
    read: (digest) => known.get(digest),
    update: (digest, change) => void known.set(digest, change(known.get(digest))),
    forget: (digest) => void known.delete(digest),
    save: () => [...known].map(([digest, progress]) => ({ digest, progress })),
    restore(saved, before = session) {
      session = before;
      for (const { digest, progress } of saved) known.set(digest, QuizProgress.parse(progress));
    },
  };
}
