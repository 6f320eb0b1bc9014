// The one error for operations that cannot go on. Anything else thrown is a bug.

import { type Code, type CodeValues, codes } from './codes.ts';
import { quoteWord } from './format-count.ts';
import { formatMessage } from './format-message.ts';

/** Further parts of an error. */
interface ErrorDetails {
  /** One line that says what to do. */
  readonly help?: string | undefined;
  /** Text printed under the message, such as a list of candidates. */
  readonly detail?: string | undefined;
  /** Facts for programs. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** An expected failure with a code of the table. */
export class SkillwrightError extends Error {
  readonly code: Code;
  readonly help: string | undefined;
  readonly detail: string | undefined;
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly #values: Readonly<Record<string, string>>;

  private constructor(
    code: Code,
    message: string,
    details: ErrorDetails & { values?: Readonly<Record<string, string>> },
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'SkillwrightError';
    this.code = code;
    this.help = details.help;
    this.detail = details.detail;
    this.data = details.data;
    this.#values = details.values ?? {};
  }

  /** The error for `code` with the values its message names. */
  static of<C extends Code>(code: C, values: CodeValues<C>, details: ErrorDetails = {}): SkillwrightError {
    return new SkillwrightError(code, formatMessage(code, values), { ...details, values });
  }

  /** An error from one of our other processes. */
  static received({
    code,
    message,
    ...details
  }: ErrorDetails & { code: Code; message: string }): SkillwrightError {
    return new SkillwrightError(code, message, details);
  }

  /** The same error with a help line, unless it already has one. */
  withHelp(help: string): SkillwrightError {
    if (this.help !== undefined) return this;
    const { detail, data, cause } = this;
    return new SkillwrightError(this.code, this.message, { help, detail, data, cause, values: this.#values });
  }

  /**
   * The way out: the help line, else the advice of the table with the names of this case filled in, so that a command in
   * it can be pasted. `known` has names that the message does not have.
   */
  nextStep(known: Readonly<Record<string, string | undefined>> = {}): string {
    if (this.help !== undefined) return this.help;
    const values = { ...known, ...this.#values };
    const advice = codes[this.code].fix.replace(/<([\w-]+)>/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : quoteWord(value);
    });
    if (/<[\w-]+>/.test(advice)) return `run 'skc explain ${this.code}'`;
    return `${advice[0]!.toLowerCase()}${advice.slice(1).replace(/\.$/, '')}`;
  }
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** E999 for a bug, in the form of every other failure. */
export function internalError(error: unknown, help = 'please report this'): SkillwrightError {
  return SkillwrightError.of('E999', { why: messageOf(error) }, { help, cause: error });
}

/** E100 for a flag that does not exist. */
export function unknownOption(spelled: string, help?: string): SkillwrightError {
  return invalidOption(`invalid option: '${spelled}'`, help);
}

/** E100 with a sentence that says what is wrong, and what to do instead where that is known. */
export function invalidOption(why: string, help?: string): SkillwrightError {
  return SkillwrightError.of('E100', { why }, { help });
}
