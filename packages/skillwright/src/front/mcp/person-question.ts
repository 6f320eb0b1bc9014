// Questions that only the person at the client answers, and their answers. Neither is ever part of a tool's arguments.

/** What is asked about: a skill as it is now. When a file of it changes, the answer counts no longer. */
interface AskedSkill {
  readonly skill: string;
  readonly dir: string;
  readonly digest: string;
}

/** A rule wants a confirmation. */
export interface ConfirmQuestion extends AskedSkill {
  readonly kind: 'confirm';
  /** `skill_load` or `skill_run`. */
  readonly tool: string;
  /** Whether "always" can be remembered. */
  readonly remembers: boolean;
}

/** A quiz: any number of options may be right. */
export interface QuizQuestion extends AskedSkill {
  readonly kind: 'quiz';
  readonly questions: readonly { readonly text: string; readonly options: readonly string[] }[];
}

export type PersonQuestion = ConfirmQuestion | QuizQuestion;

/** For how long a confirmation holds. */
export type Span = 'once' | 'connection' | 'always';

/** What the person answered. */
export type PersonAnswer =
  | (Pick<ConfirmQuestion, 'kind' | 'dir' | 'digest' | 'tool'> & { readonly span: Span })
  | (Pick<QuizQuestion, 'kind' | 'dir' | 'digest'> & { readonly chosen: readonly (readonly number[])[] });

/** A result, and what the person has to be asked for another one. */
export interface Answered<Result> {
  readonly result?: Result;
  /** Why there is no result, in place of one. */
  readonly refusal?: string;
  readonly question?: PersonQuestion;
}
