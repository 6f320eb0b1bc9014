// Operations of a session: initialize, context.prompt, context.inspect, context.compacted, session.save, session.resume,
// permissions.check, permissions.remember, requests.cancel.

import * as z from 'zod';
import { toolVersion } from '../../../base/version.ts';
import { ActiveSkill, LoadedSkill, SavedSession, SessionId, wireSkill } from '../../../host/runtime/index.ts';
import { type CatalogFormat, catalogRenderers } from '../../../read/catalog/index.ts';
import { PermissionRule } from '../../../skill/config/index.ts';
import { defineOperation } from '../define-command.ts';
import { rpcMethods } from '../table.ts';
import {
  Directory,
  listsSkills,
  Remark,
  SkillCatalog,
  SkillMetadata,
  wireCatalog,
  withReference,
} from './wire-shapes.ts';

/** Increased when older clients would misread answers. */
const PROTOCOL_VERSION = '1';

/** Sets the folder and whether it is trusted, and describes the server. */
export const initialize = defineOperation({
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
  effect: 'read',
  writes: [],
  touches: 'nothing',
  async run({ cwd, trust, session_id: sessionId, watch }, connection) {
    const folder = connection.open({
      trust,
      watch,
      ...(cwd === undefined ? {} : { cwd }),
      ...(sessionId === undefined ? {} : { sessionId }),
    });
    const { id } = await connection.session();
    return {
      protocol_version: PROTOCOL_VERSION,
      server: { name: 'skillwright', version: toolVersion },
      session_id: id,
      cwd: folder.cwd,
      trusted: folder.trust,
      methods: Object.keys(rpcMethods),
    };
  },
});

const formats = Object.keys(catalogRenderers) as [CatalogFormat, ...CatalogFormat[]];

/** Returns the text to inject. */
export const showPrompt = defineOperation({
  input: z.strictObject({
    renderer: z.enum(formats).default('available-skills').describe('Format of the list'),
    budgets: z
      .strictObject({
        entries: z.int().nonnegative().optional(),
        bytes: z.int().nonnegative().optional(),
        tokens: z.int().nonnegative().optional(),
      })
      .default({})
      .describe('Upper limits of the list; the configuration sets those you leave out'),
  }),
  output: z.strictObject({
    text: z.string().describe('Text for the system prompt; empty when there are no skills'),
    shown: z.int().describe('Skills in the text'),
    shortened: z.int().describe('Skills with a shortened description'),
    missing: z.int().describe('Skills that do not fit; the text says how to find them'),
    incomplete: z
      .boolean()
      .describe('Whether a limit cut discovery short, so that a search cannot find the rest'),
    bytes: z.int(),
    tokens: z.int().describe('Estimated tokens'),
  }),
  ...listsSkills,
  writes: ['cache'],
  async run({ renderer, budgets: { entries, bytes, tokens } }, connection) {
    const budgets = {
      ...(entries === undefined ? {} : { entries }),
      ...(bytes === undefined ? {} : { bytes }),
      ...(tokens === undefined ? {} : { tokens }),
    };
    return (await connection.session()).prompt({ renderer, budgets });
  },
});

const Use = z.strictObject({ used: z.int(), limit: z.int() });

/** Returns the state. */
export const inspectContext = defineOperation({
  input: z.strictObject({ include_skills: z.boolean().default(false) }),
  output: z.strictObject({
    session_id: z.string(),
    cwd: z.string(),
    trusted: z.boolean(),
    loadedSkillVersions: z.array(LoadedSkill),
    budget: z.strictObject({
      entries: Use,
      bytes: Use,
      tokens: z.strictObject({ used: z.int(), limit: z.int().nullable() }),
      shortened: z.int().describe('Skills with a shortened description'),
      missing: z.int().describe('Skills that do not fit into the prompt'),
    }),
    skillsCatalogByCwd: z
      .record(z.string(), SkillCatalog)
      .optional()
      .describe('With include_skills: the catalog of every directory requested so far'),
  }),
  ...listsSkills,
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
});

/** Forgets which texts the model has, except those the host kept. */
export const contextCompacted = defineOperation({
  input: z.strictObject({
    kept: z
      .array(z.string())
      .default([])
      .describe('Skills whose text is still in the conversation, by name or path'),
  }),
  output: z.strictObject({
    skills: z.array(LoadedSkill).describe('Skills whose text is gone; loading them sends it again'),
    kept: z.array(LoadedSkill),
    unknown: z.array(z.string()).describe('Entries of kept that match no loaded skill, or more than one'),
    text: z
      .string()
      .describe(
        'Add it to the shortened conversation: it lists the skills in use; empty when there are none',
      ),
  }),
  ...listsSkills,
  async run(params, connection) {
    const { skills, kept, unknown, text } = (await connection.session()).compacted(params);
    return { skills: [...skills], kept: [...kept], unknown: [...unknown], text };
  },
});

/** Returns the input of resumeSession. */
export const saveSession = defineOperation({
  input: z.strictObject({}),
  output: SavedSession,
  ...listsSkills,
  run: async (_params, connection) => (await connection.session()).save(),
});

/** Resumes a session and reports what changed. */
export const resumeSession = defineOperation({
  input: z.strictObject({ saved: z.record(z.string(), z.unknown()).describe('The result of session.save') }),
  output: z.strictObject({
    unchanged: z.array(LoadedSkill),
    changed: z.array(LoadedSkill).describe('Skills whose text has changed'),
    vanished: z.array(LoadedSkill).describe('Skills that are now removed, disabled, denied or unreadable'),
    added: z.array(SkillMetadata).describe('Skills added since'),
    active: z.array(ActiveSkill).describe('Skills whose tools are active again'),
    diagnostics: z.array(Remark).describe('Saved items that no longer hold, and why'),
  }),
  ...listsSkills,
  async run({ saved }, connection) {
    const { added, ...rest } = await (await connection.session()).resume(saved);
    return { ...rest, added: added.map(wireSkill) };
  },
});

/** Returns the deciding rule. */
export const checkPermission = defineOperation({
  input: z.strictObject({
    tool: z.string().min(1).default('skill_load'),
    name: z.string().optional(),
    path: z.string().optional(),
  }),
  output: z.strictObject({
    effect: z.enum(['allow', 'deny', 'confirm']),
    layer: z.enum(['built-in', 'user', 'project', 'default']).describe('Where the rule comes from'),
    rule: PermissionRule.nullable(),
  }),
  ...listsSkills,
  run: async (question, connection) => (await connection.session()).permissions.check(question),
});

/** Allows a skill. */
export const rememberPermission = defineOperation({
  input: withReference({
    tool: z
      .enum(['skill_load', 'skill_run'])
      .default('skill_load')
      .describe('The confirmed operation: tool in the data of E061'),
    persist: z.boolean().default(true).describe('False: only for this session and the current files'),
  }),
  output: z.strictObject({ remembered: z.boolean().describe('False when it holds for this session only') }),
  effect: 'write',
  writes: ['state'],
  touches: { skill: 'name', operation: 'read' },
  async run({ tool, persist, ...reference }, connection) {
    const { permissions } = await connection.session();
    return { remembered: await permissions.remember(reference, { tool, persist }) };
  },
});

/** Aborts a request and whatever it started. */
export const cancelRequest = defineOperation({
  input: z.strictObject({ id: z.union([z.string(), z.number()]).describe('Id of the request to cancel') }),
  output: z.strictObject({
    cancelled: z.boolean().describe('False when no such request is running'),
  }),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  async run({ id }, connection) {
    const request = connection.requests.get(id);
    request?.abort();
    return { cancelled: request !== undefined };
  },
});
