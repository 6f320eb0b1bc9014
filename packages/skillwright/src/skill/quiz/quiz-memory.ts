// Where it is remembered who has passed what: behind a port, because sessions and the command line remember differently.

import { QuizProgress } from './quiz-progress.ts';

/** What one session remembers, by the digest of a skill. */
export interface QuizMemory {
  /** Stands for the session where options are put in an order. */
  session(): string;
  /** What was remembered; whoever reads it checks it. */
  read(digest: string): unknown;
  /** Changes what is remembered of one skill; nobody else does at the same time. */
  update(digest: string, change: (before: unknown) => QuizProgress): void;
  forget(digest: string): void;
}

/** A memory that can be saved with its session. */
export interface SavableQuizMemory extends QuizMemory {
  save(): { digest: string; progress: QuizProgress }[];
  /** With the id of another session, it goes on as that one was: options keep the order they had there. */
  restore(
    saved: readonly { readonly digest: string; readonly progress: QuizProgress }[],
    session?: string,
  ): void;
}

/** A memory that lasts as long as the value. */
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
