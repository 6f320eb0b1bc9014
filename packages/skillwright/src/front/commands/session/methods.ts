// Every method of `skc rpc` by its name: those that act on the connection, and those derived from the methods of a session.

import * as z from 'zod';
import { toolVersion } from '../../../base/version.ts';
import { LoadedSkill, SessionId, SessionStatus } from '../../../host/answers/index.ts';
import {
  findActiveTool,
  permissionMethods,
  type Session,
  type SessionCatalog,
  sessionMethods,
  type WireMethod,
} from '../../../host/runtime/index.ts';
import { Settled } from '../../../ship/results/index.ts';
import { openWorkspace } from '../../../skill/workspace/index.ts';
import { settleSwitched } from '../settle.ts';
import { recordsMeant, switchNamed } from '../switch-named.ts';
import { type AnyMethod, Directory, onConnection, SkillCatalog, wireCatalog } from './method.ts';

/** Increased when older clients would misread answers. */
const PROTOCOL_VERSION = '1';

const methodNames = (): string[] => Object.keys(rpcMethods);

/** Methods that concern the folder, several sessions or the requests of a connection. */
const connectionMethods = {
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
  'skills.list': onConnection({
    summary: 'List the skills visible from the folder, or from another directory',
    input: z.strictObject({
      cwd: Directory.optional().describe(
        'Another directory; it is trusted if it is inside the trusted folder',
      ),
      force_reload: z.boolean().default(false).describe('Read configuration and skills from disk again'),
    }),
    output: SkillCatalog,
    writes: ['cache'],
    touches: { skills: 'list' },
    run: async ({ cwd, force_reload }, connection) =>
      wireCatalog(await (await connection.session(cwd)).catalog({ reload: force_reload })),
  }),
  'skills.setEnabled': onConnection({
    summary: 'Switch skills on or off permanently, for every program',
    input: z.strictObject({
      names: z.array(z.string().min(1).max(256)).min(1).max(1000),
      enabled: z.boolean(),
      scope: z
        .enum(['repo', 'user'])
        .optional()
        .describe('Default: repo in a trusted folder with a .skillc directory, otherwise user'),
    }),
    output: z.strictObject({
      scope: z.enum(['repo', 'user']),
      path: z.string().describe('File that stores the setting'),
      changed: z.array(z.string()).describe('Names that changed'),
      still_disabled: z.array(z.string()).describe('Names that the other scope keeps disabled'),
      unknown: z.array(z.string()).describe('Names that match no skill here'),
      settled: z
        .array(Settled)
        .optional()
        .describe('Changes to directories of agents, in a trusted folder; absent without any'),
    }),
    writes: ['state', 'runtime directories', 'agent directories'],
    touches: { skills: 'list' },
    async run({ names, enabled, scope }, connection) {
      const own = await connection.session();
      const { cwd, trust } = connection.open();
      const { home, env } = connection.surroundings;
      const workspace = await openWorkspace({ cwd, home, env, trust });
      const done = switchNamed(
        {
          names,
          enabled,
          // Write into an untrusted folder only at the client's request.
          scope: scope === 'repo' ? 'project' : (scope ?? (trust ? undefined : 'user')),
          unknown: true,
        },
        allOf(await own.catalog()),
        workspace,
      );
      // A catalog keeps skills disabled that were so when it was read.
      const reload = enabled && done.changed.length > 0;
      const sessions = [...(await connection.sessions()).values()];
      if (reload) await Promise.all(sessions.map((session) => session.catalog({ reload })));
      const everything = allOf(await own.catalog());
      const switched = names.flatMap((name) => recordsMeant(everything, name)).map(({ name }) => name);
      const settled = trust ? await settleSwitched(switched, { workspace, now: () => new Date() }) : [];
      return {
        scope: done.scope === 'project' ? ('repo' as const) : done.scope,
        path: done.path,
        changed: done.changed,
        still_disabled: done.stillDisabled,
        unknown: names.filter((name) => recordsMeant(everything, name).length === 0),
        ...(settled.length === 0 ? {} : { settled }),
      };
    },
  }),
  'tools.call': onConnection({
    summary: 'Call a tool of an active skill',
    input: z.strictObject({
      tool: z.string().min(1).describe('Full name from tools.list, or the short name together with skill'),
      skill: z
        .string()
        .optional()
        .describe('Skill that provides the tool: its name, or the path of its SKILL.md'),
      input: z.record(z.string(), z.unknown()).default({}),
    }),
    output: z.strictObject({
      result: z.unknown().describe('Plain JSON from the skill; treat its text as untrusted'),
    }),
    writes: ['granted directories'],
    touches: { skills: 'run' },
    async run({ tool, skill, input }, connection) {
      const { signal } = connection;
      const found = findActiveTool(await connection.session(), { tool, skill });
      return { result: (await found.call(input, { signal })) ?? null };
    },
  }),
  'context.inspect': onConnection({
    summary: 'Show the state: loaded skills, prompt usage and catalogs',
    input: z.strictObject({ include_skills: z.boolean().default(false) }),
    output: SessionStatus.omit({ loaded_versions: true }).extend({
      loadedSkillVersions: z.array(LoadedSkill),
      skillsCatalogByCwd: z
        .record(z.string(), SkillCatalog)
        .optional()
        .describe('With include_skills: the catalog of every directory requested so far'),
    }),
    writes: [],
    touches: { skills: 'list' },
    async run({ include_skills }, connection) {
      const own = await connection.session();
      const { loaded_versions: loadedSkillVersions, ...report } = await own.inspect();
      if (!include_skills) return { ...report, loadedSkillVersions };
      const sessions = [...(await connection.sessions())];
      const catalogs = await Promise.all(
        sessions.map(async ([cwd, session]) => [cwd, wireCatalog(await session.catalog())] as const),
      );
      return { ...report, loadedSkillVersions, skillsCatalogByCwd: Object.fromEntries(catalogs) };
    },
  }),
  'requests.cancel': onConnection({
    summary: 'Cancel a running request and everything it started',
    input: z.strictObject({ id: z.union([z.string(), z.number()]).describe('Id of the request to cancel') }),
    output: z.strictObject({
      cancelled: z.boolean().describe('False when no such request is running'),
    }),
    writes: [],
    touches: 'nothing',
    async run({ id }, connection) {
      const request = connection.requests.get(id);
      request?.abort();
      return { cancelled: request !== undefined };
    },
  }),
};

type SessionRow = (typeof sessionMethods)[keyof typeof sessionMethods];
type PermissionRow = (typeof permissionMethods)[keyof typeof permissionMethods];
type WireName = Extract<SessionRow | PermissionRow, { readonly rpc: string }>['rpc'];

/** The methods of a table that are on the wire. `from` gives those of a session. */
const derive = (
  table: Readonly<Record<string, object>>,
  from: (session: Session) => object,
): [string, AnyMethod][] =>
  Object.entries(table).flatMap(([name, row]) => {
    if (!('rpc' in row)) return [];
    const { rpc, wire, summary, input, output, touches, writes } = row as WireMethod<
      WireName,
      z.ZodObject,
      z.ZodType,
      readonly unknown[],
      unknown
    >;
    const run: AnyMethod['run'] = async (given, connection) => {
      const methods = from(await connection.session()) as Record<string, Parameters<typeof wire>[1]>;
      return wire(given, methods[name]!, { signal: connection.signal });
    };
    return [[rpc, { summary, input, output, touches, writes, run }]];
  });

/** The name of a method. */
export type RpcMethodName = keyof typeof connectionMethods | WireName;

/** In the order a client meets them. */
export const rpcMethods = Object.fromEntries([
  ...Object.entries(connectionMethods),
  ...derive(sessionMethods, (session) => session),
  ...derive(permissionMethods, ({ permissions }) => permissions),
]) as Readonly<Record<RpcMethodName, AnyMethod>>;

const allOf = ({ skills, hidden }: SessionCatalog) => ({
  skills: [...skills, ...hidden.map(({ skill }) => skill)],
});
