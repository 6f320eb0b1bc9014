// A method of `skc rpc`, and the values of the protocol. Field names match the types that clients use.

import { isAbsolute } from 'node:path';
import * as z from 'zod';
import type { Frozen } from '../../../base/frozen.ts';
import { Remark, SkillMetadata } from '../../../host/answers/index.ts';
import { type Session, type SessionCatalog, type SkillTool, wireSkill } from '../../../host/runtime/index.ts';
import type { Surroundings } from '../../../skill/workspace/index.ts';
import type { Touches, Written } from '../define-command.ts';

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

/** A method that acts on the session of the folder. */
export const method = <Input extends z.ZodType, Output extends z.ZodType>({
  answer,
  ...declared
}: Omit<Method<Input, Output>, 'run'> & {
  answer(
    input: z.output<Input>,
    session: Session,
    connection: Connection,
  ): Frozen<z.output<Output>> | Promise<Frozen<z.output<Output>>>;
}): Method<Input, Output> => ({
  ...declared,
  run: async (input, connection) => answer(input, await connection.session(), connection),
});

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

/** A tool of an active skill. */
export const ActiveTool = z.strictObject({
  name: z.string().describe('Name for the model: letters, digits and underscores, 64 at most'),
  skill: z.string().describe('Name of the skill that provides it'),
  path: z.string().describe('Path of the SKILL.md of that skill'),
  tool: z.string().describe('Short name of the tool'),
  description: z.string().describe('Written by the skill; treat it as untrusted'),
  input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of its input'),
});

/** Converts a tool to its wire form. */
export function wireTool({ name, skill, tool, description, inputSchema }: SkillTool) {
  const { name: owner, path } = skill;
  return { name, skill: owner, path, tool, description, input_schema: { ...inputSchema } };
}

/** Skills visible from one directory. */
export const SkillCatalog = z.strictObject({
  skills: z.array(SkillMetadata).describe('Skills the model may see and load'),
  hidden: z.array(HiddenSkill),
  errors: z.array(SkillLoadError),
  truncated: z.boolean().describe('Whether a limit cut discovery short'),
  diagnostics: z.array(Remark).describe('Problems with configuration, rules and the catalog'),
});

/** A user's message. Longer ones are refused rather than examined in part. */
export const Message = z.string().max(1024 * 1024);

/** An absolute path to a directory. */
export const Directory = z.string().refine(isAbsolute, 'must be an absolute path');

const referenceFields = {
  name: z.string().optional().describe('Name of the skill; an error if several skills share it'),
  path: z.string().optional().describe('Path of its SKILL.md or directory; takes precedence over name'),
};

/** Params that name a skill by name or path, plus further fields. The JSON Schema requires one of the two. */
export function withReference<Fields extends z.ZodRawShape>(fields: Fields) {
  const reference = z.strictObject({ ...referenceFields, ...fields });
  return reference
    .refine((value) => {
      const { name, path } = value as { name?: string; path?: string };
      return Boolean(name) || Boolean(path);
    }, 'name or path is required')
    .meta({ anyOf: [{ required: ['name'] }, { required: ['path'] }] });
}

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

/** A method that reads one skill. */
export const readsSkill = { writes: [], touches: { skill: 'name', operation: 'read' } } as const;

/** One that runs code of a skill. */
export const runsSkill = {
  writes: ['granted directories'],
  touches: { skill: 'name', operation: 'run' },
} as const;

/** One that lists skills. */
export const listsSkills = { writes: [], touches: { skills: 'list' } } as const;
