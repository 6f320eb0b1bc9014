// The diagnostic codes, whose table is docs/codes.md. The code that raises a diagnostic fills in `<x>` in its message; the
// compiler checks the names.

import { codes } from './codes.generated.ts';

export { codes };

/** One entry of the table. */
export interface CodeDefinition {
  readonly message: string;
  /** When the code appears. */
  readonly when: string;
  /** How to fix it. */
  readonly fix: string;
}

/** A diagnostic code such as `E012`. `E` codes end a command with status 1, `W` codes do not. */
export type Code = keyof typeof codes;

type Placeholders<Message extends string> = Message extends `${string}<${infer Name}>${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The values a code's message needs. */
export type CodeValues<C extends Code> = Record<Placeholders<(typeof codes)[C]['message']>, string>;
