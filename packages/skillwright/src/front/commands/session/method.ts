// A method of `skc rpc`, and the values of the protocol. Field names match the types that clients use.

import { isAbsolute } from 'node:path';
import * as z from 'zod';
import type { Frozen } from '../../../base/frozen.ts';
import { Remark, SkillMetadata } from '../../../host/answers/index.ts';
import { type Session, type SessionCatalog, wireSkill } from '../../../host/runtime/index.ts';
import type { Touches, Written } from '../../../skill/judge/index.ts';
import type { Surroundings } from '../../../skill/workspace/index.ts';

/** The folder of a connection. */
export interface OpenedFolder {
  readonly cwd: string;
  readonly trust: boolean;
  /** The id of its session, if the client sent one. */
  readonly sessionId?: string | undefined;
  /** Whether the client is notified of changes. */
  readonly watch?: boolean;
}

/** One client, for as long as it stays. */
export interface Connection {
  readonly surroundings: Surroundings;
  /**
   * Sets the folder and whether it is trusted. The first method called does this too, so every method may be called
   * without it. Takes effect before it returns, so requests already sent are answered for this folder. E022 if it is not
   * a directory; fails if a different folder was set before.
   */
  open(folder?: { readonly [Field in keyof OpenedFolder]?: OpenedFolder[Field] | undefined }): OpenedFolder;
  /** The session of the folder, or of another directory, which is trusted if it is inside a trusted folder. */
  session(cwd?: string): Promise<Session>;
  /** Every open session, the folder's first. */
  sessions(): Promise<ReadonlyMap<string, Session>>;
  /** Running operations by request id. */
  readonly requests: Map<string | number, AbortController>;
  /** Aborted when the client cancels the current request. */
  readonly signal?: AbortSignal | undefined;
}

/** A method: what it takes, returns, touches and may write. */
export interface Method<Input extends z.ZodType, Output extends z.ZodType> {
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
  readonly touches: Touches<string>;
  /** Every place it may write, besides its row in the access log. */
  readonly writes: readonly Written[];
  /**
   * The session finds, judges and logs the skills. Awaits nothing before it asks for the session, so that a method that
   * sets the folder does so before the next message is read.
   */
  run(input: z.output<Input>, connection: Connection): Promise<Frozen<z.output<Output>>>;
}

/** A method without its types. */
// biome-ignore lint/suspicious/noExplicitAny: input and output types differ from row to row of the table
export type AnyMethod = Method<any, any>;

/** A method that acts on the connection. */
export const onConnection = <Input extends z.ZodType, Output extends z.ZodType>(
  declared: Method<Input, Output>,
) => declared;

/** A skill that could not be read. */
const SkillLoadError = z.strictObject({
  path: z.string(),
  message: z.string(),
  code: z.string().describe('Diagnostic code'),
});

/** A skill hidden from the model. */
const HiddenSkill = SkillMetadata.extend({
  reason: z
    .enum(['disabled', 'unavailable', 'denied', 'user-only', 'model-only', 'shadowed'])
    .describe('Why the model cannot see it'),
});

/** Skills visible from one directory. */
export const SkillCatalog = z.strictObject({
  skills: z.array(SkillMetadata).describe('Skills the model may see and load'),
  hidden: z.array(HiddenSkill),
  errors: z.array(SkillLoadError),
  truncated: z.boolean().describe('Whether a limit cut discovery short'),
  diagnostics: z.array(Remark).describe('Problems with configuration, rules and the catalog'),
});

/** An absolute path to a directory. */
export const Directory = z.string().refine(isAbsolute, 'must be an absolute path');

/** Converts a catalog to its wire form. */
export function wireCatalog({ skills, hidden, errors, truncated, diagnostics }: SessionCatalog) {
  return {
    skills: skills.map(wireSkill),
    hidden: hidden.map(({ skill, reason }) => ({ ...wireSkill(skill), reason })),
    errors,
    truncated,
    diagnostics,
  };
}
