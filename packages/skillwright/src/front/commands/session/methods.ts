// Every method of `skc rpc` by its name.

import * as z from 'zod';
import { toolVersion } from '../../../base/version.ts';
import { SessionId } from '../../../host/answers/index.ts';
import { type AnyMethod, Directory, onConnection } from './method.ts';
import { runningMethods } from './running-methods.ts';
import { sessionMethods } from './session-methods.ts';
import { skillMethods } from './skill-methods.ts';

/** Increased when older clients would misread answers. */
const PROTOCOL_VERSION = '1';

const methodNames = (): string[] => Object.keys(rpcMethods);

/** In the order a client meets them. */
export const rpcMethods = {
  initialize: onConnection({
    summary: 'Set the folder of the connection, and whether the user trusts it',
    input: z.strictObject({
      cwd: Directory.optional().describe('Absolute path of the folder; default: where skc was started'),
      trust: z
        .boolean()
        .default(false)
        .describe('True if the user trusts the folder: its own skills and configuration are used'),
      client: z.looseObject({}).optional().describe('The client about itself, such as its name and version'),
      session_id: SessionId.optional().describe(
        'Your own session id, if you have one; passed to hooks and quizzes',
      ),
      watch: z
        .boolean()
        .default(false)
        .describe('Send the notification skills.changed when skills, rules or on/off switches change'),
    }),
    output: z.strictObject({
      protocol_version: z.string(),
      server: z.strictObject({ name: z.string(), version: z.string() }),
      session_id: z.string(),
      cwd: z.string(),
      trusted: z.boolean(),
      methods: z.array(z.string()),
    }),
    writes: [],
    touches: 'nothing',
    async run({ cwd, trust, session_id: sessionId, watch }, connection) {
      const folder = connection.open({ cwd, trust, sessionId, watch });
      const { id } = await connection.session();
      return {
        protocol_version: PROTOCOL_VERSION,
        server: { name: 'skillwright', version: toolVersion },
        session_id: id,
        cwd: folder.cwd,
        trusted: folder.trust,
        methods: methodNames(),
      };
    },
  }),
  ...skillMethods,
  ...runningMethods,
  ...sessionMethods,
} satisfies Record<string, AnyMethod>;

/** The name of a method. */
export type RpcMethodName = keyof typeof rpcMethods;
