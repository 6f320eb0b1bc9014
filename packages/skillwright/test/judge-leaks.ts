// Finds protected text of a skill in an answer. See judge-matrix.test.ts.

import {
  hiddenWords,
  type Kind,
  kept,
  type Mark,
  marks,
  type Silence,
  type State,
  type Target,
} from './judge-world.ts';

/** One question and its answer. */
export interface Answer {
  readonly front: string;
  readonly operation: string;
  readonly kind: Kind;
  readonly by: 'model' | 'user';
  /** The full question, because its words may come back. */
  readonly asked: unknown;
  /** Undefined for questions that name no skill. */
  readonly target?: Target | undefined;
  /** Everything that came back, errors included. */
  readonly said: string;
  /** Hands out the whole directory of a skill, for its author: a quiz inside it and skills inside it do not matter. */
  readonly packs?: boolean | undefined;
  /** False for operations that answer whatever the state is. */
  readonly refuses: boolean;
}

const hosts: readonly string[] = ['session', 'adapter', 'rpc'];
const names = /written-name|folder-name/i;
/** Spellings of the skill that a question may have. */
const spellings = /written-name|folder-name|through/i;

/** The words of the skill that an answer leaks, one line each. */
export function leaksOf(answer: Answer, state: State): string[] {
  const { front, operation, kind, by, asked, target, said } = answer;
  const question = typeof asked === 'string' ? asked : JSON.stringify(asked);
  const silence =
    by === 'model'
      ? state.model
      : kind === 'read' || kind === 'make'
        ? state.user
        : kind === 'find'
          ? quotable(state.user)
          : (state.userInspects ?? 'nothing');
  if (answer.packs === true && (silence !== 'all' || target?.inside !== '')) return [];
  const told = kept[silence].filter((mark) => said.includes(marks[mark]) && !question.includes(marks[mark]));
  // A hit for a word of its text says that the text has the word, whatever is quoted.
  const isRanked = kept[silence].includes('body') && hiddenWords.some((word) => question.includes(word));
  const mayName = !isRanked && (by === 'user' || state.named === true || spellings.test(question));
  const leaked: string[] = [...told, ...(!mayName && names.test(said) ? ['name'] : [])];
  const where = `${front} ${operation} ${question}${target === undefined ? '' : ` [${target.way}]`}`;
  return leaked.map((what) => `${where}: ${what}`);
}

/** A search names and describes what may not be read, and quotes nothing of it. */
const quotable = (silence: Silence): Silence => (silence === 'all' ? 'all but its description' : silence);

/** Reading that was answered although it had to be refused, as one line. */
export function unrefused(answer: Answer, state: State): string[] {
  const { front, operation, kind, by, asked, target, said, refuses } = answer;
  if (!refuses || target === undefined || target.inside !== '' || target.misspelt) return [];
  if (by === 'user' && (kind === 'list' || kind === 'find' || kind === 'inspect' || state.user === 'nothing'))
    return [];
  const code = state.code ?? (by === 'model' && state.model === 'all' ? 'E060' : undefined);
  // Building asks for no confirmation: it hands nothing out.
  if (code === undefined || (by === 'user' && kind === 'make' && code === 'E061')) return [];
  // A name leads to skills of the catalog alone, and there are none inside others; hosts know no other skills at all.
  const isCatalogued = !state.nested || !(target.isName || hosts.includes(front));
  const codes = isCatalogued ? [code] : [code, 'E001'];
  if (codes.some((expected) => said.includes(expected))) return [];
  return [
    `${front} ${operation} ${JSON.stringify(asked)} [${target.way}]: not refused: ${said.slice(0, 300)}`,
  ];
}

/** The marks an answer holds. */
export const marksIn = ({ said, asked }: Answer): Mark[] => {
  const question = typeof asked === 'string' ? asked : JSON.stringify(asked);
  return (Object.keys(marks) as Mark[]).filter(
    (mark) => said.includes(marks[mark]) && !question.includes(marks[mark]),
  );
};

/** An answer as text. Hosts act for the user, who is told which skills are kept from the model and why: `hidden`. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (key, field) => (key === 'hidden' ? undefined : field)) ?? '';
}

/** Result of a call, or its failure. */
export async function settle(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ...error, message: error.message };
  }
}
