// The one error for operations that cannot go on. Anything else thrown is a bug.

import { type Code, type CodeValues, formatMessage } from './codes.ts';

/** What an error may carry besides its message. */
export interface ErrorDetails {
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

  private constructor(code: Code, message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'SkillwrightError';
    this.code = code;
    this.help = details.help;
    this.detail = details.detail;
    this.data = details.data;
  }

  /** The error for `code` with the values its message names. */
  static of<C extends Code>(code: C, values: CodeValues<C>, details: ErrorDetails = {}): SkillwrightError {
    return new SkillwrightError(code, formatMessage(code, values), details);
  }

  /** An error that was thrown in another process of ours. */
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
    return new SkillwrightError(this.code, this.message, { help, detail, data, cause });
  }
}
